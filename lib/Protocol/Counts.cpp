//===- Counts.cpp - one role's counts, symbolically ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop's body is walked twice: once to learn what one trip adds to each count, then with the loop's
// counter as a symbol, to prove that every trip adds the same and keeps the rules.
//===----------------------------------------------------------------------===//
#include "Counts.h"

using namespace tilec::protocol;
using Kind = Step::Kind;

namespace {
struct Place {
  Affine position;
  int64_t ring = 0; // stages of the ring that it went round; 0 before the first advance
};
struct Slot {
  unsigned channel;
  Affine position;
};
struct Group {
  unsigned id;
  std::vector<Slot> reads;
  Var registers;
};
struct State {
  std::vector<Affine> begun, ended;        // per channel: acquired or waited for; committed or released
  std::vector<int64_t> announced, arrived; // bytes of the slot that is open
  std::vector<Group> flying;               // oldest first
  std::map<Var, Place> cursors;
  std::map<Var, Slot> slots;
  std::map<Var, unsigned> products;
  bool turn = false;
};

class Counter {
public:
  Counter(const Program &program, bool producer, unsigned &nextSymbol, std::vector<Fault> &faults)
      : program(program), producer(producer), nextSymbol(nextSymbol), faults(faults),
        atLeast(program.symbols, 0), isZero(program.symbols, false) {}
  RoleCounts run();

private:
  void walk(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      visit(step);
  }
  void visit(const Step &step);
  void begin(const Step &step);
  void end(const Step &step);
  void load(const Step &step);
  void read(const Step &step);
  void issue(const Step &step);
  void collect(const Step &step);
  void retire(size_t youngest);
  void rewrite(const Step &step);
  void turn(const Step &step);
  void loop(const Step &step);
  void branch(const Step &step);
  State walkBranch(const Step &step, bool first);
  void merge(const Step &step, const State &first, const State &second);
  std::optional<Affine> mergeCount(const Condition &condition, const Affine &first,
                                   const Affine &second);
  std::optional<bool> decided(const Condition &condition) const;
  void shift(State &to, const State &from, const State &probe, const Step &loop, const Affine &by);
  bool sameShape(const Step &step, const State &start, const State &probe);
  bool reached(const Step &step, const State &expected);
  std::optional<Affine> tripsOf(const Trips &trips) const;
  const Place *cursorAt(const Step &step);

  const Channel &channelOf(const Step &step) { return program.channels[step.channel]; }
  void fault(const Step &step, const std::string &message) {
    if (silent == 0)
      faults.push_back({step.source, message});
  }
  void channelFault(const Step &step, const std::string &message) {
    fault(step, "channel '" + channelOf(step).name + "': " + message);
  }

  const Program &program;
  bool producer;
  unsigned &nextSymbol;
  std::vector<Fault> &faults;
  State state;
  RoleCounts result;
  unsigned silent = 0, nextGroup = 0;
  std::vector<int64_t> atLeast; // what branches say about trip symbols
  std::vector<bool> isZero;
  std::map<unsigned, bool> guards;
};
} // namespace

static std::string slots(int64_t count) {
  return std::to_string(count) + (count == 1 ? " slot" : " slots");
}

/// The step's cursor if it stands in the ring of the step's channel.
const Place *Counter::cursorAt(const Step &step) {
  auto found = state.cursors.find(step.cursor);
  if (found == state.cursors.end()) {
    channelFault(step, "expected a cursor that can be followed from its start");
    return nullptr;
  }
  if (found->second.ring != 0 && found->second.ring != channelOf(step).stages) {
    channelFault(step, "the cursor went round a ring of " + slots(found->second.ring) +
                           ", this one has " + std::to_string(channelOf(step).stages));
    return nullptr;
  }
  return &found->second;
}

static std::string misplaced(const Affine &found, const Affine &expected) {
  std::string rule = "; a cursor advances once per use";
  std::optional<int64_t> distance = (found - expected).asConstant();
  if (!distance)
    return "the cursor is not at the next slot" + rule;
  return "the cursor is " + slots(std::abs(*distance)) + (*distance > 0 ? " ahead of" : " behind") +
         " the next one" + rule;
}

/// Acquire or wait.
void Counter::begin(const Step &step) {
  const Place *cursor = cursorAt(step);
  Affine &begun = state.begun[step.channel];
  if (cursor && cursor->position != begun)
    channelFault(step, misplaced(cursor->position, begun));
  if (producer && silent == 0)
    result.sites.push_back({step.channel, step.source, begun, state.ended});
  state.announced[step.channel] = step.amount;
  state.arrived[step.channel] = 0;
  if (step.kind == Kind::Wait)
    state.slots[step.result] = {step.channel, begun};
  begun = begun + 1;
  std::optional<int64_t> held = (begun - state.ended[step.channel]).asConstant();
  int64_t most = producer ? 1 : channelOf(step).stages;
  if (!held || *held > most)
    channelFault(step, (held ? "holds " + slots(*held) : "holds a number of slots that changes from trip to trip,") +
                           std::string(" from here, expected at most ") + std::to_string(most) +
                           (producer ? ": commit the one before" : ", which the ring has"));
}

/// Commit or release.
void Counter::end(const Step &step) {
  const Place *cursor = cursorAt(step);
  Affine &ended = state.ended[step.channel];
  const char *word = producer ? "acquired" : "waited for";
  if (cursor && cursor->position != ended)
    channelFault(step, misplaced(cursor->position, ended));
  else if (!(state.begun[step.channel] - ended).isPositive())
    channelFault(step, std::string("gives up a slot that was not ") + word);
  if (producer && state.announced[step.channel] != state.arrived[step.channel])
    channelFault(step, "announces " + std::to_string(state.announced[step.channel]) +
                           " bytes, its loads bring " +
                           std::to_string(state.arrived[step.channel]));
  for (const Group &group : state.flying)
    for (const Slot &slot : group.reads)
      if (slot.channel == step.channel && slot.position == ended)
        channelFault(step, "is released while a product in flight reads it; expected a wait that covers "
                           "the product first");
  if (!producer && silent == 0)
    result.sites.push_back({step.channel, step.source, ended, state.begun});
  ended = ended + 1;
}

void Counter::load(const Step &step) {
  const Place *cursor = cursorAt(step);
  if (cursor && cursor->position + 1 != state.begun[step.channel])
    channelFault(step, "loads into a slot that was not acquired last");
  state.arrived[step.channel] += step.amount;
}

void Counter::read(const Step &step) {
  for (Var var : step.slots) {
    auto found = state.slots.find(var);
    if (found == state.slots.end())
      continue;
    const Channel &channel = program.channels[found->second.channel];
    std::optional<int64_t> left =
        (found->second.position - state.ended[found->second.channel]).asConstant();
    if (!left || *left < 0)
      fault(step, "channel '" + channel.name + "': reads a slot that was released");
    if (step.kind == Kind::Read && step.byThreads && !channel.threadReaders)
      fault(step, "channel '" + channel.name +
                      "': threads read the slot, but one arrival speaks for a whole warpgroup; expected "
                      "'thread_readers' on the channel");
  }
}

void Counter::issue(const Step &step) {
  read(step);
  Group group{nextGroup++, {}, step.registers};
  for (Var var : step.slots)
    if (auto found = state.slots.find(var); found != state.slots.end())
      group.reads.push_back(found->second);
  state.products[step.result] = group.id;
  state.flying.push_back(std::move(group));
}

void Counter::retire(size_t youngest) {
  size_t count = state.flying.size();
  if (count > youngest)
    state.flying.erase(state.flying.begin(), state.flying.begin() + (count - youngest));
}

void Counter::collect(const Step &step) {
  auto product = state.products.find(step.product);
  for (size_t i = 0; product != state.products.end() && i < state.flying.size(); ++i) {
    auto younger = static_cast<int64_t>(state.flying.size() - 1 - i);
    if (state.flying[i].id == product->second && step.amount > younger)
      fault(step, "the product is still in flight after this wait: " + std::to_string(step.amount) +
                      " groups may be unfinished, " + std::to_string(younger) +
                      " were issued after it");
  }
  retire(step.amount);
}

void Counter::rewrite(const Step &step) {
  for (const Group &group : state.flying)
    if (group.registers == step.registers)
      fault(step, "gives the operand in registers of a product in flight its next value; expected the wait "
                  "for the product first");
}

void Counter::turn(const Step &step) {
  bool wants = step.kind == Kind::TurnWait;
  if (wants == state.turn)
    fault(step, wants ? "waits for a turn that it has" : "passes a turn that it does not have");
  state.turn = wants;
}

void Counter::visit(const Step &step) {
  switch (step.kind) {
  case Kind::Start:
    state.cursors[step.result] = {};
    break;
  case Kind::Advance:
    if (const Place *cursor = cursorAt(step))
      state.cursors[step.result] = {cursor->position + 1, channelOf(step).stages};
    break;
  case Kind::Acquire:
  case Kind::Wait:
    return begin(step);
  case Kind::Commit:
  case Kind::Release:
    return end(step);
  case Kind::Load:
    return load(step);
  case Kind::Read:
    return read(step);
  case Kind::Issue:
    return issue(step);
  case Kind::Collect:
    return collect(step);
  case Kind::Drain:
    return retire(step.amount);
  case Kind::Rewrite:
    return rewrite(step);
  case Kind::TurnWait:
  case Kind::TurnPass:
    return turn(step);
  case Kind::RoleBarrier:
    if (state.turn)
      fault(step, "the consumers meet while one has the turn; the others wait for it");
    break;
  case Kind::CtaBarrier:
    fault(step, "a barrier of all threads stands in a role; the other role never reaches it");
    break;
  case Kind::Loop:
    return loop(step);
  case Kind::If:
    return branch(step);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::optional<Affine> Counter::tripsOf(const Trips &trips) const {
  if (!trips.symbol)
    return Affine(trips.offset);
  if (isZero[*trips.symbol])
    return Affine(0);
  if (trips.offset > atLeast[*trips.symbol])
    return std::nullopt;
  return Affine::symbol(*trips.symbol) - trips.offset;
}

/// One trip may not add a product in flight, nor take a turn along.
bool Counter::sameShape(const Step &step, const State &start, const State &probe) {
  if (start.flying.size() != probe.flying.size()) {
    fault(step, "a trip begins with " + std::to_string(start.flying.size()) +
                    " products in flight and ends with " + std::to_string(probe.flying.size()));
    return false;
  }
  if (start.turn != probe.turn) {
    fault(step, "a trip keeps the turn; expected one wait and one pass on every path");
    return false;
  }
  for (size_t i = 0; i < probe.flying.size(); ++i) {
    if (start.flying[i].reads.size() != probe.flying[i].reads.size()) {
      fault(step, "the products in flight at the end of a trip are not those at its start");
      return false;
    }
    if (probe.flying[i].registers && start.flying[i].id != probe.flying[i].id) {
      fault(step, "a product whose first operand is in registers is in flight around the loop; nothing "
                  "keeps the registers");
      return false;
    }
  }
  return true;
}

/// `to` = `from` + (`probe` - `from`) * `by`, where `probe` is one trip after `from`.
void Counter::shift(State &to, const State &from, const State &probe, const Step &loop,
                    const Affine &by) {
  auto moved = [&](const Affine &begin, const Affine &next) -> Affine {
    std::optional<int64_t> step = (next - begin).asConstant();
    return step ? begin + by * *step : begin;
  };
  to = from;
  for (size_t i = 0; i < to.begun.size(); ++i) {
    to.begun[i] = moved(from.begun[i], probe.begun[i]);
    to.ended[i] = moved(from.ended[i], probe.ended[i]);
  }
  for (size_t i = 0; i < to.flying.size(); ++i)
    for (size_t j = 0; j < to.flying[i].reads.size(); ++j)
      to.flying[i].reads[j].position =
          moved(from.flying[i].reads[j].position, probe.flying[i].reads[j].position);
  for (const Step::Carried &value : loop.carried)
    for (Var target : {value.argument, value.result}) {
      if (from.cursors.count(value.first) && probe.cursors.count(value.second)) {
        const Place &begin = from.cursors.at(value.first), &next = probe.cursors.at(value.second);
        to.cursors[target] = {moved(begin.position, next.position), std::max(begin.ring, next.ring)};
      }
      if (from.slots.count(value.first) && probe.slots.count(value.second)) {
        const Slot &begin = from.slots.at(value.first), &next = probe.slots.at(value.second);
        to.slots[target] = {begin.channel, moved(begin.position, next.position)};
      }
      if (from.products.count(value.first))
        to.products[target] = from.products.at(value.first);
    }
}

/// Whether the trip did what the first one did.
bool Counter::reached(const Step &step, const State &expected) {
  for (size_t i = 0; i < program.channels.size(); ++i)
    if (state.begun[i] != expected.begun[i] || state.ended[i] != expected.ended[i]) {
      fault(step, "channel '" + program.channels[i].name +
                      "': trips of this loop use different numbers of slots");
      return false;
    }
  for (const Step::Carried &value : step.carried) {
    auto next = state.cursors.find(value.second);
    auto wanted = expected.cursors.find(value.argument);
    if (next != state.cursors.end() && wanted != expected.cursors.end() &&
        next->second.position != wanted->second.position) {
      fault(step, "a cursor does not advance equally in all trips of this loop");
      return false;
    }
  }
  return true;
}

void Counter::loop(const Step &step) {
  std::optional<Affine> trips = tripsOf(step.trips);
  if (!trips)
    return fault(step, "the trips of this loop may be fewer than none; expected it under a test for at "
                       "least one trip");
  State start = state;
  auto bind = [&](State &into) {
    for (const Step::Carried &value : step.carried) {
      if (start.cursors.count(value.first))
        into.cursors[value.argument] = start.cursors.at(value.first);
      if (start.slots.count(value.first))
        into.slots[value.argument] = start.slots.at(value.first);
      if (start.products.count(value.first))
        into.products[value.argument] = start.products.at(value.first);
    }
  };
  bind(state);
  ++silent;
  walk(step.body);
  --silent;
  State probe = state;
  ++silent;
  bool uniform = sameShape(step, start, probe);
  --silent;
  if (!uniform) { // the first trip shows why
    state = start;
    bind(state);
    walk(step.body);
    sameShape(step, start, probe);
    state = start;
    return;
  }
  unsigned counter = nextSymbol++;
  result.counterTrips[counter] = *trips;
  shift(state, start, probe, step, Affine::symbol(counter));
  State next;
  walk(step.body);
  shift(next, start, probe, step, Affine::symbol(counter) + 1);
  reached(step, next);
  shift(state, start, probe, step, *trips);
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

std::optional<bool> Counter::decided(const Condition &condition) const {
  if (condition.kind == Condition::Kind::Guard) {
    auto known = guards.find(condition.guard);
    return known == guards.end() ? std::nullopt : std::optional(known->second);
  }
  if (condition.kind == Condition::Kind::Unknown)
    return std::nullopt;
  if (!condition.trips.symbol)
    return condition.trips.offset > 0;
  if (isZero[*condition.trips.symbol])
    return false;
  return atLeast[*condition.trips.symbol] > condition.trips.offset ? std::optional(true) : std::nullopt;
}

State Counter::walkBranch(const Step &step, bool first) {
  std::vector<int64_t> atLeastBefore = atLeast;
  std::vector<bool> isZeroBefore = isZero;
  std::map<unsigned, bool> guardsBefore = guards;
  const Condition &condition = step.condition;
  if (condition.kind == Condition::Kind::Guard)
    guards[condition.guard] = first;
  if (condition.kind == Condition::Kind::SomeTrips && condition.trips.symbol) {
    unsigned symbol = *condition.trips.symbol;
    if (first)
      atLeast[symbol] = std::max(atLeast[symbol], condition.trips.offset + 1);
    else
      isZero[symbol] = condition.trips.offset == 0;
  }
  walk(first ? step.body : step.otherwise);
  for (const Step::Carried &value : step.carried) {
    Var from = first ? value.first : value.second;
    if (state.cursors.count(from))
      state.cursors[value.result] = state.cursors.at(from);
    if (state.slots.count(from))
      state.slots.insert_or_assign(value.result, state.slots.at(from));
    if (state.products.count(from))
      state.products[value.result] = state.products.at(from);
  }
  atLeast = atLeastBefore;
  isZero = isZeroBefore;
  guards = guardsBefore;
  return state;
}

std::optional<Affine> Counter::mergeCount(const Condition &condition, const Affine &first,
                                          const Affine &second) {
  if (first == second)
    return first;
  if (condition.kind == Condition::Kind::SomeTrips && condition.trips.offset == 0) {
    unsigned symbol = *condition.trips.symbol;
    if (first.with(symbol, 0) == second.with(symbol, 0))
      return first;
  }
  std::optional<int64_t> difference = (first - second).asConstant();
  if (condition.kind == Condition::Kind::Guard && difference)
    return second + Affine::symbol(program.symbols + condition.guard) * *difference;
  return std::nullopt;
}

void Counter::merge(const Step &step, const State &first, const State &second) {
  state = first;
  for (size_t i = 0; i < program.channels.size(); ++i) {
    std::optional<Affine> begun = mergeCount(step.condition, first.begun[i], second.begun[i]);
    std::optional<Affine> ended = mergeCount(step.condition, first.ended[i], second.ended[i]);
    if (!begun || !ended)
      fault(step, "channel '" + program.channels[i].name +
                      "': the two paths use different numbers of slots, by a condition that the other "
                      "role does not know");
    state.begun[i] = begun.value_or(first.begun[i]);
    state.ended[i] = ended.value_or(first.ended[i]);
  }
  for (const Step::Carried &value : step.carried) {
    auto one = first.cursors.find(value.result), other = second.cursors.find(value.result);
    if (one == first.cursors.end() || other == second.cursors.end())
      continue;
    std::optional<Affine> position =
        mergeCount(step.condition, one->second.position, other->second.position);
    if (!position)
      fault(step, "a cursor is at different slots after the two paths");
    state.cursors[value.result] = {position.value_or(one->second.position),
                                   std::max(one->second.ring, other->second.ring)};
  }
  bool sameFlying = first.flying.size() == second.flying.size();
  for (size_t i = 0; sameFlying && i < first.flying.size(); ++i)
    sameFlying = first.flying[i].id == second.flying[i].id;
  if (!sameFlying)
    fault(step, "different products are in flight after the two paths");
  if (first.turn != second.turn)
    fault(step, "one path keeps the turn; expected one wait and one pass on every path");
}

void Counter::branch(const Step &step) {
  if (std::optional<bool> taken = decided(step.condition)) {
    walkBranch(step, *taken);
    return;
  }
  State before = state;
  State first = walkBranch(step, true);
  state = before;
  State second = walkBranch(step, false);
  merge(step, first, second);
}

RoleCounts Counter::run() {
  size_t channels = program.channels.size();
  state.begun.resize(channels);
  state.ended.resize(channels);
  state.announced.resize(channels);
  state.arrived.resize(channels);
  walk(producer ? program.producer : program.consumer);
  for (size_t i = 0; i < channels; ++i)
    if (state.begun[i] != state.ended[i])
      faults.push_back({program.channels[i].source,
                        "channel '" + program.channels[i].name + "': " +
                            (producer ? "not every slot acquired is committed"
                                      : "not every slot waited for is released")});
  if (state.turn)
    faults.push_back({program.channels.empty() ? 0 : program.channels[0].source,
                      "the consumers end with a turn; expected it to be passed"});
  result.uses = state.begun;
  return std::move(result);
}

RoleCounts tilec::protocol::countRole(const Program &program, bool producer, unsigned &nextSymbol,
                                      std::vector<Fault> &faults) {
  return Counter(program, producer, nextSymbol, faults).run();
}
