//===- Model.cpp - all interleavings of one run ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Breadth first, so the first failure found has the shortest trace. Two reductions keep every
// failure reachable: steps that no other process can see follow the step before them at once; and a
// copy lands only when some process stands before a step on its slot, because until then nobody can
// tell.
//===----------------------------------------------------------------------===//
#include "Events.h"

#include <algorithm>
#include <unordered_map>

using namespace tilec::protocol;
using Kind = Event::Kind;

namespace {
struct Barrier {
  int32_t phase = 0, missing = 0, bytes = 0;
};
/// A slot with its barriers and the copies that are in flight into it.
struct SlotState {
  Barrier full, empty;
  int32_t pieces = 0, flying = 0; // of them, and their bytes
  int32_t pieceArrivals = 0;      // that each makes when it has landed
};
struct State {
  std::vector<int32_t> position; // the producer's, then each warpgroup's
  std::vector<SlotState> slots;
  uint32_t turns = 0, met = 0; // bits: a warpgroup has its turn; it stands at the role barrier

  std::string key() const {
    std::string bytes(reinterpret_cast<const char *>(position.data()), position.size() * 4);
    bytes.append(reinterpret_cast<const char *>(slots.data()), slots.size() * sizeof(SlotState));
    bytes.append(reinterpret_cast<const char *>(&turns), 4);
    bytes.append(reinterpret_cast<const char *>(&met), 4);
    return bytes;
  }
};

class Explorer {
public:
  Explorer(const Program &program, const Case &where, uint64_t maxStates);
  ModelResult run();

private:
  struct Node {
    State state;
    size_t parent;
    std::string move;
  };
  const std::vector<Event> &eventsOf(size_t process) const {
    return process == 0 ? producer : consumer;
  }
  const Event *nextOf(const State &state, size_t process) const {
    auto at = static_cast<size_t>(state.position[process]);
    return at < eventsOf(process).size() ? &eventsOf(process)[at] : nullptr;
  }
  size_t slotOf(const Event &event) const { return firstSlot[event.channel] + event.stage; }
  std::string nameOf(size_t process) const {
    if (process == 0)
      return "producer";
    return program.groups == 1 ? "consumer" : "consumer " + std::to_string(process - 1);
  }
  void countUses();
  bool stepInto(size_t from, size_t process);
  bool blocked(const State &state, size_t process, const Event &event) const;
  void apply(State &state, size_t process, const Event &event);
  void runHidden(State &state, size_t process);
  void arrive(Barrier &barrier, int64_t count, int64_t expected);
  void checkLoad(const State &state, const Event &event);
  void checkUse(const State &state, size_t process, const Event &event);
  void land(size_t from, size_t slot);
  void add(State state, size_t parent, std::string move);
  void finish(size_t node);
  bool someoneAt(const State &state, size_t slot) const;
  void fail(Verdict verdict, std::string message) {
    if (result.verdict == Verdict::Good) {
      result.verdict = verdict;
      result.message = std::move(message);
    }
  }
  std::string slotName(const Event &event) const {
    return program.channels[event.channel].name + "[" + std::to_string(event.stage) + "]";
  }

  const Program &program;
  uint64_t maxStates;
  ModelResult result;
  std::vector<Event> producer, consumer;
  std::vector<size_t> firstSlot;
  std::vector<unsigned> channelOfSlot;
  // Per position of a role and slot: acquires so far; releases so far, reads that go on.
  std::vector<std::vector<int32_t>> fills, releases, reads;
  std::vector<Node> nodes;
  std::unordered_map<std::string, size_t> seen;
};
} // namespace

Explorer::Explorer(const Program &program, const Case &where, uint64_t maxStates)
    : program(program), maxStates(maxStates), producer(unroll(program, true, where)),
      consumer(unroll(program, false, where)) {
  result.where = where;
  for (unsigned number = 0; number < program.channels.size(); ++number) {
    firstSlot.push_back(channelOfSlot.size());
    channelOfSlot.resize(channelOfSlot.size() + program.channels[number].stages, number);
  }
  countUses();
}

void Explorer::countUses() {
  fills.assign(1, std::vector<int32_t>(channelOfSlot.size()));
  for (const Event &event : producer) {
    fills.push_back(fills.back());
    fills.back()[slotOf(event)] += event.kind == Kind::Acquire;
  }
  releases.assign(1, std::vector<int32_t>(channelOfSlot.size()));
  reads = releases;
  for (const Event &event : consumer) {
    releases.push_back(releases.back());
    reads.push_back(reads.back());
    if (event.kind > Kind::EndUse)
      continue;
    releases.back()[slotOf(event)] += event.kind == Kind::Release;
    reads.back()[slotOf(event)] += (event.kind == Kind::Use) - (event.kind == Kind::EndUse);
  }
}

/// A phase ends when all arrivals and all bytes that it expects are there.
void Explorer::arrive(Barrier &barrier, int64_t count, int64_t expected) {
  for (; count > 0; --count)
    if (--barrier.missing == 0 && barrier.bytes == 0) {
      barrier.phase ^= 1;
      barrier.missing = static_cast<int32_t>(expected);
    }
}

/// The slot has to be given up by everybody, and nobody may still read it.
void Explorer::checkLoad(const State &state, const Event &event) {
  size_t slot = slotOf(event);
  int32_t fill = fills[state.position[0]][slot];
  if (state.slots[slot].pieces > 0 && !event.beside)
    fail(Verdict::Overwrite,
         "the producer loads into " + slotName(event) + " while an earlier copy is in flight");
  for (size_t process = 1; process < state.position.size(); ++process) {
    size_t at = state.position[process];
    if (reads[at][slot] > 0 || releases[at][slot] < fill - 1)
      fail(Verdict::Overwrite, "the producer overwrites " + slotName(event) + ", which " +
                                   nameOf(process) +
                                   (reads[at][slot] > 0 ? " is reading" : " has not given up"));
  }
}

void Explorer::checkUse(const State &state, size_t process, const Event &event) {
  size_t slot = slotOf(event);
  int32_t fill = fills[state.position[0]][slot];
  if (fill == event.fill && state.slots[slot].pieces == 0)
    return;
  fail(Verdict::UnfilledRead, nameOf(process) + " reads " + slotName(event) +
                                  (fill == event.fill  ? " before its copy has landed"
                                   : fill < event.fill ? " before it is filled"
                                                       : " after it was filled anew"));
}

bool Explorer::blocked(const State &state, size_t process, const Event &event) const {
  switch (event.kind) {
  case Kind::Acquire: // for the parity of the round before
    return state.slots[slotOf(event)].empty.phase == (event.parity ^ 1);
  case Kind::Wait:
    return state.slots[slotOf(event)].full.phase == event.parity;
  case Kind::TurnWait:
    return program.groups > 1 && !(state.turns >> (process - 1) & 1);
  case Kind::RoleBarrier:
    return state.met >> (process - 1) & 1;
  case Kind::CtaBarrier:
    return true;
  default:
    return false;
  }
}

void Explorer::apply(State &state, size_t process, const Event &event) {
  const Channel &channel = program.channels.empty() ? Channel() : program.channels[event.channel];
  switch (event.kind) {
  case Kind::Acquire: {
    Barrier &full = state.slots[slotOf(event)].full;
    full.bytes += static_cast<int32_t>(event.bytes);
    if (!channel.threadCopies)
      arrive(full, 1, channel.fillArrivals);
    break;
  }
  case Kind::Commit: { // the copies of a warp that have landed let it arrive now
    SlotState &slot = state.slots[slotOf(event)];
    slot.pieceArrivals = static_cast<int32_t>(channel.commitCount / event.pieces);
    arrive(slot.full, (event.pieces - slot.pieces) * slot.pieceArrivals, channel.fillArrivals);
    break;
  }
  case Kind::Load:
    checkLoad(state, event);
    state.slots[slotOf(event)].pieces += static_cast<int32_t>(event.pieces);
    state.slots[slotOf(event)].flying += static_cast<int32_t>(event.bytes);
    state.slots[slotOf(event)].pieceArrivals = 0;
    break;
  case Kind::Release:
    arrive(state.slots[slotOf(event)].empty, channel.releaseCount, channel.arrivals);
    break;
  case Kind::Use:
    checkUse(state, process, event);
    break;
  case Kind::TurnWait:
    state.turns &= ~(1u << (process - 1));
    break;
  case Kind::TurnPass: {
    uint32_t next = 1u << (process % program.groups);
    if (program.groups > 1 && (state.turns & next))
      fail(Verdict::TurnLost, nameOf(process) + " passes a turn that the next one has already");
    state.turns |= next;
    break;
  }
  default:
    break;
  }
}

/// The position moves before the step, so counts of steps include it.
void Explorer::runHidden(State &state, size_t process) {
  for (const Event *event = nextOf(state, process); event && !event->visible;
       event = nextOf(state, process)) {
    ++state.position[process];
    apply(state, process, *event);
  }
}

void Explorer::add(State state, size_t parent, std::string move) {
  if (result.verdict != Verdict::Good) { // keeps the failing step in the trace
    nodes.push_back({std::move(state), parent, std::move(move)});
    return;
  }
  if (!seen.try_emplace(state.key(), nodes.size()).second)
    return;
  nodes.push_back({std::move(state), parent, std::move(move)});
}

bool Explorer::stepInto(size_t from, size_t process) {
  const Event *event = nextOf(nodes[from].state, process);
  if (!event || blocked(nodes[from].state, process, *event))
    return false;
  State state = nodes[from].state;
  std::string move = nameOf(process) + " " + describe(program, *event);
  if (event->kind == Kind::RoleBarrier) {
    state.met |= 1u << (process - 1);
    if (state.met + 1 == 1u << program.groups) {
      state.met = 0;
      for (size_t other = 1; other < state.position.size(); ++other) {
        ++state.position[other];
        runHidden(state, other);
      }
    }
  } else {
    ++state.position[process];
    apply(state, process, *event);
    runHidden(state, process);
  }
  add(std::move(state), from, std::move(move));
  return true;
}

bool Explorer::someoneAt(const State &state, size_t slot) const {
  for (size_t process = 0; process < state.position.size(); ++process) {
    const Event *event = nextOf(state, process);
    if (event && event->kind <= Kind::EndUse && slotOf(*event) == slot)
      return true;
  }
  return false;
}

void Explorer::land(size_t from, size_t slot) {
  State state = nodes[from].state;
  SlotState &landing = state.slots[slot];
  int32_t bytes = landing.flying / landing.pieces--;
  landing.flying -= bytes;
  landing.full.bytes -= bytes;
  unsigned channel = channelOfSlot[slot];
  auto expected = static_cast<int32_t>(program.channels[channel].fillArrivals);
  if (program.channels[channel].threadCopies)
    arrive(landing.full, landing.pieceArrivals, expected);
  else if (landing.full.missing == 0 && landing.full.bytes == 0)
    landing.full.phase ^= 1, landing.full.missing = expected;
  add(std::move(state), from,
      "a copy lands in " + program.channels[channel].name + "[" +
          std::to_string(slot - firstSlot[channel]) + "]");
}

/// Nothing can go on from this state: the end, or a deadlock.
void Explorer::finish(size_t node) {
  const State &state = nodes[node].state;
  std::string waiting;
  for (size_t process = 0; process < state.position.size(); ++process)
    if (const Event *event = nextOf(state, process))
      waiting += (waiting.empty() ? "" : "; ") + nameOf(process) + " " + describe(program, *event);
  if (!waiting.empty())
    return fail(Verdict::Deadlock, "nobody can go on: " + waiting);
  for (size_t slot = 0; slot < state.slots.size(); ++slot)
    if (state.slots[slot].pieces > 0)
      fail(Verdict::CopyInFlight, "the kernel ends while a copy into " +
                                      program.channels[channelOfSlot[slot]].name + " is in flight");
}

ModelResult Explorer::run() {
  State start;
  start.position.assign(1 + program.groups, 0);
  start.turns = 1;
  for (unsigned channel : channelOfSlot) {
    SlotState slot;
    slot.full.missing = static_cast<int32_t>(program.channels[channel].fillArrivals);
    slot.empty.missing = static_cast<int32_t>(program.channels[channel].arrivals);
    start.slots.push_back(slot);
  }
  for (size_t process = 0; process < start.position.size(); ++process)
    runHidden(start, process);
  add(start, 0, "");
  size_t last = 0;
  for (; last < nodes.size() && result.verdict == Verdict::Good; ++last) {
    bool moved = false;
    for (size_t process = 0; process < start.position.size() && result.verdict == Verdict::Good;
         ++process)
      moved |= stepInto(last, process);
    for (size_t slot = 0; slot < channelOfSlot.size() && result.verdict == Verdict::Good; ++slot)
      if (nodes[last].state.slots[slot].pieces > 0 && someoneAt(nodes[last].state, slot)) {
        land(last, slot);
        moved = true;
      }
    if (!moved) {
      finish(last);
      if (result.verdict != Verdict::Good)
        add(State(nodes[last].state), nodes[last].parent, nodes[last].move);
    }
    if (nodes.size() > maxStates)
      fail(Verdict::TooManyStates, "more than " + std::to_string(maxStates) + " states");
  }
  result.states = nodes.size();
  if (result.verdict != Verdict::Good && result.verdict != Verdict::TooManyStates)
    for (size_t node = nodes.size() - 1; node != 0; node = nodes[node].parent)
      result.trace.insert(result.trace.begin(), nodes[node].move);
  return std::move(result);
}

ModelResult tilec::protocol::explore(const Program &program, const Case &where,
                                     uint64_t maxStates) {
  return Explorer(program, where, maxStates).run();
}

bool tilec::protocol::hasItems(const Program &program) {
  return std::any_of(program.producer.begin(), program.producer.end(), [](const Step &step) {
    return step.kind == Step::Kind::Start && step.cursor != 0;
  });
}

/// What holds two work items comes round again, and then once more. Each has a trip more than the
/// one before, or none behind one that has the most, and the other guards.
static Case repeat(const Case &one, int64_t mostTrips) {
  Case all = one;
  for (all.items = 5; all.guards.size() < all.items * one.guards.size();)
    all.guards.push_back(!all.guards[all.guards.size() - one.guards.size()]);
  while (all.trips.size() < all.items * one.trips.size())
    all.trips.push_back((all.trips[all.trips.size() - one.trips.size()] + 1) % (mostTrips + 1));
  return all;
}

ModelResult tilec::protocol::exploreAll(const Program &program, int64_t mostTrips) {
  int64_t stages = 1;
  for (const Channel &channel : program.channels)
    stages = std::max(stages, channel.stages);
  int64_t most = mostTrips >= 0 ? mostTrips : 2 * stages + 1;
  ModelResult result;
  uint64_t states = 0;
  Case where{std::vector<int64_t>(program.symbols), std::vector<bool>(program.guards)};
  for (bool more = true; more;) {
    result = explore(program, hasItems(program) ? repeat(where, most) : where);
    result.states = states += result.states;
    if (result.verdict != Verdict::Good)
      return result;
    more = false;
    for (size_t i = 0; i < where.guards.size() && !more; ++i)
      more = where.guards[i] = !where.guards[i];
    for (size_t i = 0; i < where.trips.size() && !more; ++i) {
      where.trips[i] = where.trips[i] == most ? 0 : where.trips[i] + 1;
      more = where.trips[i] != 0;
    }
  }
  return result;
}
