//===- CountBranches.cpp - counts behind two paths -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Counter.h"

using namespace tilec::protocol;

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
  return atLeast[*condition.trips.symbol] > condition.trips.offset ? std::optional(true)
                                                                   : std::nullopt;
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
  if (condition.kind == Condition::Kind::SomeTrips && condition.trips.symbol) {
    unsigned symbol = *condition.trips.symbol;
    int64_t otherwise =
        condition.trips
            .offset; // the most trips of the second path: exactly these if there are as many
    if (atLeast[symbol] == otherwise &&
        first.with(symbol, otherwise) == second.with(symbol, otherwise))
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
      fault(step,
            "channel '" + program.channels[i].name +
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
  for (const Step::Carried &value : step.carried) {
    auto one = first.slots.find(value.result), other = second.slots.find(value.result);
    if (one != first.slots.end() && other != second.slots.end() &&
        (one->second.channel != other->second.channel ||
         !mergeCount(step.condition, one->second.position, other->second.position)))
      fault(step, "the two paths yield different slots");
  }
  for (Var registers : second.untied) // waited for by name on both paths
    while (state.untied.count(registers) < second.untied.count(registers))
      state.untied.insert(registers);
  for (auto &[var, slot] : state.slots) // fenced on both paths
    if (auto other = second.slots.find(var); other != second.slots.end())
      slot.visible &= other->second.visible;
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
