//===- Counts.cpp - one role's counts, step by step ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Counter.h"

using namespace tilec::protocol;
using Kind = Step::Kind;

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
  // Threads announce nothing, but have to fill the slot all the same.
  bool copies = channelOf(step).threadCopies;
  state.announced[step.channel] = copies ? channelOf(step).slotBytes : step.amount;
  state.arrived[step.channel] = 0;
  state.filled[step.channel].clear();
  if (step.kind == Kind::Wait)
    state.slots[step.result] = {step.channel, begun, !copies};
  begun = begun + 1;
  std::optional<int64_t> held = (begun - state.ended[step.channel]).asConstant();
  int64_t most = producer ? 1 : channelOf(step).stages;
  if (!held || *held > most)
    channelFault(step, (held ? "holds " + slots(*held)
                             : "holds a number of slots that changes from trip to trip,") +
                           std::string(" from here, expected at most ") + std::to_string(most) +
                           (producer ? ": commit the one before" : ", which the ring has"));
}

/// Parts that do not overlap fill the slot if they have as many elements.
void Counter::checkFilled(const Step &step) {
  int64_t elements = 0;
  for (const TilePart &part : state.filled[step.channel])
    elements += part.elements();
  if (elements != channelOf(step).slotElements)
    channelFault(step, "its loads fill " + std::to_string(elements) + " of the slot's " +
                           std::to_string(channelOf(step).slotElements) + " elements");
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
    channelFault(step, (channelOf(step).threadCopies ? "has " : "announces ") +
                           std::to_string(state.announced[step.channel]) +
                           " bytes, its loads bring " +
                           std::to_string(state.arrived[step.channel]));
  else if (producer)
    checkFilled(step);
  for (const Group &group : state.flying)
    for (const Slot &slot : group.reads)
      if (slot.channel == step.channel && slot.position == ended)
        channelFault(step,
                     "is released while a product in flight reads it; expected a wait that covers "
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
  for (const TilePart &part : state.filled[step.channel])
    if (part.overlaps(step.part))
      channelFault(step, "loads rows " + std::to_string(std::max(part.row, step.part.row)) +
                             " to " +
                             std::to_string(std::min(part.endRow(), step.part.endRow()) - 1) +
                             " of a slot a second time");
  state.filled[step.channel].push_back(step.part);
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
    if (!step.byThreads && !found->second.visible)
      fault(step, "channel '" + channel.name +
                      "': a product reads what threads have copied; expected 'sm.fence_proxy' "
                      "behind the wait");
    if (step.kind == Kind::Read && step.byThreads && !channel.threadReaders)
      fault(step,
            "channel '" + channel.name +
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
  std::vector<Var> tied;
  if (auto before = state.products.find(step.product); before != state.products.end())
    tied = state.tied[before->second];
  if (step.registers) {
    tied.push_back(step.registers);
    state.untied.insert(step.registers);
  }
  state.tied[group.id] = std::move(tied);
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
  if (product == state.products.end())
    return;
  for (Var registers : state.tied[product->second])
    if (auto one = state.untied.find(registers); one != state.untied.end())
      state.untied.erase(one);
}

/// Only the wait for the product by name keeps its register operands: a drain knows none.
void Counter::rewrite(const Step &step) {
  if (state.untied.count(step.registers))
    fault(step,
          "gives the operand in registers of a product in flight its next value; expected the wait "
          "for the product first");
}

/// By the consumers, who know from their waits that the copies have landed.
void Counter::fence() {
  for (auto &[var, slot] : state.slots)
    slot.visible = true;
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
  case Kind::HandOver:
    if (const Place *cursor = cursorAt(step);
        cursor && cursor->position != state.begun[step.channel])
      channelFault(step, "hands over; " + misplaced(cursor->position, state.begun[step.channel]));
    break;
  case Kind::Acquire:
  case Kind::Wait:
    return begin(step);
  case Kind::Commit:
  case Kind::Release:
    return end(step);
  case Kind::Load:
    return load(step);
  case Kind::Fence:
    return fence();
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

RoleCounts Counter::run() {
  size_t channels = program.channels.size();
  state.begun.resize(channels);
  state.ended.resize(channels);
  state.announced.resize(channels);
  state.arrived.resize(channels);
  state.filled.resize(channels);
  walk(producer ? program.producer : program.consumer);
  for (size_t i = 0; i < channels; ++i)
    if (state.begun[i] != state.ended[i])
      faults.push_back(
          {program.channels[i].source, "channel '" + program.channels[i].name + "': " +
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
