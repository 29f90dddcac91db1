//===- CountLoops.cpp - counts of a loop's trips -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A loop's body is walked twice: once to learn what one trip adds to each count, then with the
// loop's counter as a symbol, to prove that every trip adds the same and keeps the rules.
//===----------------------------------------------------------------------===//
#include "Counter.h"

using namespace tilec::protocol;

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
      fault(step,
            "a product whose first operand is in registers is in flight around the loop; nothing "
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
        to.cursors[target] = {moved(begin.position, next.position),
                              std::max(begin.ring, next.ring)};
      }
      if (from.slots.count(value.first) && probe.slots.count(value.second)) {
        const Slot &begin = from.slots.at(value.first), &next = probe.slots.at(value.second);
        to.slots[target] = {begin.channel, moved(begin.position, next.position),
                            begin.visible && next.visible};
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
    return fault(step,
                 "the trips of this loop may be fewer than none; expected it under a test for at "
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
