//===- Events.cpp - one role's steps of one run ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Events.h"

#include <algorithm>
#include <map>

using namespace tilec::protocol;
using Kind = Step::Kind;

namespace {
struct Place {
  int64_t stage = 0, parity = 0;
};
struct Slot {
  unsigned channel;
  int64_t stage, fill;
};
struct Group {
  std::vector<Slot> reads;
};

class Unroller {
public:
  Unroller(const Program &program, const Case &where) : program(program), where(where) {
    for (const Channel &channel : program.channels) {
      waits.emplace_back(channel.stages, 0);
      held.emplace_back(channel.stages, 0);
      filled.emplace_back();
    }
  }
  void walkItems(const std::vector<Step> &steps) {
    for (; item < where.items; ++item)
      walk(steps);
  }
  std::vector<Event> events;

private:
  void walk(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      visit(step);
  }
  void visit(const Step &step);
  void slotEvent(const Step &step, Event::Kind kind);
  void use(const Step &step, bool stays);
  void retire(size_t youngest);
  void loop(const Step &step);
  void branch(const Step &step);
  int64_t tripsOf(const Trips &trips) const {
    if (!trips.symbol)
      return trips.offset;
    return std::max<int64_t>(0, where.trips[item * program.symbols + *trips.symbol] - trips.offset);
  }
  void bind(Var to, Var from) {
    if (auto found = cursors.find(from); found != cursors.end())
      cursors[to] = Place(found->second);
    if (auto found = slots.find(from); found != slots.end())
      slots.insert_or_assign(to, Slot(found->second));
  }

  const Program &program;
  const Case &where;
  int64_t item = 0;
  std::map<Var, Place> cursors;
  std::map<Var, Slot> slots;
  std::vector<Group> flying;
  std::vector<std::vector<int64_t>> waits, held;    // per channel and stage
  std::vector<std::vector<tilec::TilePart>> filled; // per channel, of the slot acquired last
};
} // namespace

void Unroller::slotEvent(const Step &step, Event::Kind kind) {
  Place cursor = cursors[step.cursor];
  const Channel &channel = program.channels[step.channel];
  Event event{kind, step.channel, cursor.stage % channel.stages, cursor.parity};
  event.bytes = step.amount;
  event.pieces = step.pieces;
  event.visible = kind != Event::Kind::Load && kind != Event::Kind::Commit;
  if (channel.threadCopies && kind == Event::Kind::Load)
    event.bytes = 0; // the barrier counts arrivals
  std::vector<tilec::TilePart> &parts = filled[step.channel];
  if (kind == Event::Kind::Acquire)
    parts.clear();
  if (kind == Event::Kind::Load) {
    event.beside =
        !parts.empty() && std::none_of(parts.begin(), parts.end(),
                                       [&](const auto &part) { return part.overlaps(step.part); });
    parts.push_back(step.part);
  }
  events.push_back(event);
  int64_t &holds = held[step.channel][event.stage];
  if (kind == Event::Kind::Wait) {
    ++holds;
    slots.insert_or_assign(step.result,
                           Slot{step.channel, event.stage, ++waits[step.channel][event.stage]});
  }
  if (kind == Event::Kind::Release)
    --holds;
}

void Unroller::use(const Step &step, bool stays) {
  Group group;
  for (Var var : step.slots)
    if (auto found = slots.find(var); found != slots.end()) {
      group.reads.push_back(found->second);
      Event event{Event::Kind::Use, found->second.channel, found->second.stage};
      event.fill = found->second.fill;
      event.visible = held[event.channel][event.stage] <= 0;
      events.push_back(event);
    }
  flying.push_back(std::move(group));
  if (!stays) {
    Group mine = std::move(flying.back());
    flying.pop_back();
    for (const Slot &slot : mine.reads) {
      Event event{Event::Kind::EndUse, slot.channel, slot.stage};
      event.visible = false;
      events.push_back(event);
    }
  }
}

/// The end of a read is of interest to others only if the slot was given up before it.
void Unroller::retire(size_t youngest) {
  while (flying.size() > youngest) {
    for (const Slot &slot : flying.front().reads) {
      Event event{Event::Kind::EndUse, slot.channel, slot.stage};
      event.visible = held[slot.channel][slot.stage] <= 0;
      events.push_back(event);
    }
    flying.erase(flying.begin());
  }
}

void Unroller::loop(const Step &step) {
  for (const Step::Carried &value : step.carried)
    bind(value.argument, value.first);
  for (int64_t trip = tripsOf(step.trips); trip > 0; --trip) {
    walk(step.body);
    auto cursorsNow = cursors;
    auto slotsNow = slots;
    for (const Step::Carried &value : step.carried) { // all at once
      if (auto found = cursorsNow.find(value.second); found != cursorsNow.end())
        cursors[value.argument] = found->second;
      if (auto found = slotsNow.find(value.second); found != slotsNow.end())
        slots.insert_or_assign(value.argument, found->second);
    }
  }
  for (const Step::Carried &value : step.carried)
    bind(value.result, value.argument);
}

void Unroller::branch(const Step &step) {
  bool first = true;
  if (step.condition.kind == Condition::Kind::Guard)
    first = where.guards[item * program.guards + step.condition.guard];
  if (step.condition.kind == Condition::Kind::SomeTrips)
    first = tripsOf(step.condition.trips) > 0;
  walk(first ? step.body : step.otherwise);
  for (const Step::Carried &value : step.carried)
    bind(value.result, first ? value.first : value.second);
}

void Unroller::visit(const Step &step) {
  auto plain = [&](Event::Kind kind) { events.push_back(Event{kind}); };
  switch (step.kind) {
  case Kind::Start:
    cursors[step.result] = item == 0 || step.cursor == 0 ? Place() : cursors[step.cursor];
    break;
  case Kind::Advance: {
    Place next = cursors[step.cursor];
    if (++next.stage >= program.channels[step.channel].stages)
      next = {0, next.parity ^ 1};
    cursors[step.result] = next;
    break;
  }
  case Kind::Acquire:
    return slotEvent(step, Event::Kind::Acquire);
  case Kind::Load:
    return slotEvent(step, Event::Kind::Load);
  case Kind::Wait:
    return slotEvent(step, Event::Kind::Wait);
  case Kind::Release:
    return slotEvent(step, Event::Kind::Release);
  case Kind::Read:
    return use(step, /*stays=*/false);
  case Kind::Issue:
    return use(step, /*stays=*/true);
  case Kind::Collect:
  case Kind::Drain:
    return retire(step.amount);
  case Kind::RoleBarrier:
    return plain(Event::Kind::RoleBarrier);
  case Kind::TurnWait:
    return plain(Event::Kind::TurnWait);
  case Kind::TurnPass:
    return plain(Event::Kind::TurnPass);
  case Kind::CtaBarrier:
    return plain(Event::Kind::CtaBarrier);
  case Kind::Loop:
    return loop(step);
  case Kind::If:
    return branch(step);
  case Kind::Commit: // with TMA the announcement was the arrival
    if (program.channels[step.channel].threadCopies)
      slotEvent(step, Event::Kind::Commit);
    break;
  case Kind::Fence:
  case Kind::HandOver:
  case Kind::Rewrite:
    break;
  }
}

std::vector<Event> tilec::protocol::unroll(const Program &program, bool producer,
                                           const Case &where) {
  Unroller unroller(program, where);
  unroller.walkItems(producer ? program.producer : program.consumer);
  return std::move(unroller.events);
}

std::string tilec::protocol::describe(const Program &program, const Event &event) {
  static const char *const words[] = {"acquires",
                                      "loads into",
                                      "commits",
                                      "waits for",
                                      "releases",
                                      "reads",
                                      "has read",
                                      "meets the other consumers",
                                      "waits for its turn",
                                      "passes the turn",
                                      "waits for all threads"};
  std::string text = words[static_cast<int>(event.kind)];
  if (event.kind > Event::Kind::EndUse)
    return text;
  text += " " + program.channels[event.channel].name + "[" + std::to_string(event.stage) + "]";
  if (event.kind == Event::Kind::Acquire || event.kind == Event::Kind::Wait)
    text += " parity " + std::to_string(event.parity);
  return text;
}
