//===- Stages.cpp - three iterations of a loop beside each other --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Stages.h"

using namespace mlir;
using namespace tilec;

void tilec::replaceUnderTest(scf::ForOp loop, OpBuilder &builder,
                             llvm::function_ref<SmallVector<Value>()> someTrips) {
  Location loc = loop.getLoc();
  builder.setInsertionPoint(loop);
  Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                     loop.getUpperBound());
  auto guarded = scf::IfOp::create(builder, loc, loop.getResultTypes(), some, /*withElse=*/true);
  builder.setInsertionPointToStart(guarded.thenBlock());
  SmallVector<Value> results = someTrips();
  scf::YieldOp::create(builder, loc, results);
  builder.setInsertionPointToStart(guarded.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getInitArgs());
  loop.replaceAllUsesWith(guarded.getResults());
  loop.erase();
}

/// Windows, and integer arithmetic: cheaper than registers that hold it from one trip to the next.
static bool isMadeAnew(Operation *op) {
  if (isa_and_nonnull<tile::WindowOp>(op))
    return true;
  return op && isa<arith::ArithDialect>(op->getDialect()) && isPure(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) { return type.isIntOrIndex(); });
}

void tilec::cloneInStage(OpBuilder &builder, Operation *op, IRMapping &mapping) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *definition = operand.getDefiningOp();
          isMadeAnew(definition) && definition->getBlock() == op->getBlock() && !mapping.contains(operand))
        cloneInStage(builder, definition, mapping);
  });
  builder.clone(*op, mapping);
}

Stages::Stages(scf::ForOp loop, OpSet first, OpSet last)
    : loop(loop), first(std::move(first)), last(std::move(last)) {
  yieldedBy.assign(loop.getNumRegionIterArgs(), First);
  for (size_t round = 0; round < yieldedBy.size(); ++round) // a carried value may be yielded as another one
    for (auto [index, stage] : llvm::enumerate(yieldedBy)) {
      stage = homeOf(yielded(index)).value_or(First);
      if (stage == Last && isa<BlockArgument>(yielded(index))) // of the iteration before: the middle has it
        stage = Middle;
    }
  findHanded();
}

Value Stages::yielded(unsigned index) const {
  return loop.getYieldedValues()[index];
}

Stages::Stage Stages::stageOf(Operation *op) const {
  return first.contains(op) ? First : last.contains(op) ? Last : Middle;
}

std::optional<Stages::Stage> Stages::homeOf(Value value) const {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != loop.getBody())
      return std::nullopt;
    unsigned number = argument.getArgNumber();
    return number == 0 ? First : yieldedBy[number - 1];
  }
  Operation *op = value.getDefiningOp();
  return op->getBlock() == loop.getBody() ? std::optional(stageOf(op)) : std::nullopt;
}

/// Calls `function` for what the operation needs of its iteration, written in a stage: not for what is made anew there,
/// but for what that needs.
void Stages::forNeeded(Operation *op, Stage stage, llvm::function_ref<void(Value)> function) const {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      if (!homeOf(operand))
        continue;
      Operation *definition = operand.getDefiningOp();
      if (isMadeAnew(definition) && stageOf(definition) != stage)
        forNeeded(definition, stage, function);
      else
        function(operand);
    }
  });
}

void Stages::findHanded() {
  for (Operation &op : loop.getBody()->without_terminator()) {
    Stage stage = stageOf(&op);
    forNeeded(&op, stage, [&](Value value) {
      if (stage != First && homeOf(value) == First)
        toMiddle.insert(value);
      if (stage == Last && (isa<BlockArgument>(value) || homeOf(value) != Last))
        toLast.insert(value);
    });
  }
}

LogicalResult Stages::check(std::string &why) const {
  bool fails = false;
  for (Operation &op : loop.getBody()->without_terminator())
    forNeeded(&op, stageOf(&op), [&](Value value) {
      Stage stage = stageOf(&op), home = *homeOf(value);
      bool handedOn = stage == Middle && home == Last && isa<BlockArgument>(value);
      fails |= home > stage && !handedOn;
    });
  if (fails)
    why = "a stage needs the result of a later one";
  return failure(fails);
}

void Stages::handOn(const IRMapping &last, IRMapping &nextMiddle) const {
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (yieldedBy[index] == Last)
      nextMiddle.map(argument, last.lookupOrDefault(yielded(index)));
}

/// What a trip gives to the next one: carried values of the first and the middle stage, and what the stages hand
/// to the next stage of their iteration.
SmallVector<Value> Stages::carriedOn(const IRMapping &first, const IRMapping &middle) const {
  SmallVector<Value> values;
  for (auto [index, stage] : llvm::enumerate(yieldedBy))
    if (stage != Last)
      values.push_back((stage == First ? first : middle).lookupOrDefault(yielded(index)));
  for (Value value : toMiddle)
    values.push_back(first.lookup(value));
  for (Value value : toLast)
    values.push_back(middle.lookup(value));
  return values;
}

void Stages::takeCarried(ValueRange carried, Iterations &to) const {
  unsigned position = 0;
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (yieldedBy[index] != Last)
      (yieldedBy[index] == First ? to.first : to.middle).map(argument, carried[position++]);
  for (Value value : toMiddle)
    to.middle.map(value, carried[position++]);
  for (Value value : toLast)
    to.last.map(value, carried[position++]);
}

SmallVector<Value> Stages::oneTrip(IRMapping &only) {
  (*writer)(nullptr, &only, nullptr);
  (*writer)(nullptr, nullptr, &only);
  SmallVector<Value> results;
  for (unsigned index = 0; index < yieldedBy.size(); ++index)
    results.push_back(only.lookupOrDefault(yielded(index)));
  return results;
}

scf::ForOp Stages::steadyState(Value third, ValueRange carried) {
  auto steady = scf::ForOp::create(*builder, loop.getLoc(), third, loop.getUpperBound(), loop.getStep(), carried);
  steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  OpBuilder::InsertionGuard guard(*builder);
  builder->setInsertionPointToStart(steady.getBody());
  Iterations trip;
  trip.first.map(loop.getInductionVar(), steady.getInductionVar());
  takeCarried(steady.getRegionIterArgs(), trip);
  (*writer)(&trip.first, &trip.middle, &trip.last);
  scf::YieldOp::create(*builder, loop.getLoc(), carriedOn(trip.first, trip.middle));
  return steady;
}

SmallVector<Value> Stages::moreTrips(IRMapping &zero) {
  auto behind = [&](Value counter) -> Value {
    return arith::AddIOp::create(*builder, loop.getLoc(), counter, loop.getStep());
  };
  Value second = behind(loop.getLowerBound());
  IRMapping one;
  one.map(loop.getInductionVar(), second);
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (yieldedBy[index] == First)
      one.map(argument, zero.lookupOrDefault(yielded(index)));
  (*writer)(&one, &zero, nullptr);
  scf::ForOp steady = steadyState(behind(second), carriedOn(one, zero));
  Iterations end;
  takeCarried(steady.getResults(), end);
  (*writer)(nullptr, &end.middle, &end.last);
  (*writer)(nullptr, nullptr, &end.middle);
  SmallVector<Value> results;
  for (auto [index, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    results.push_back(yieldedBy[index] == First ? end.first.lookup(argument)
                                                : end.middle.lookupOrDefault(yielded(index)));
  return results;
}

SmallVector<Value> Stages::someTrips() {
  IRMapping zero;
  zero.map(loop.getInductionVar(), loop.getLowerBound());
  zero.map(loop.getRegionIterArgs(), loop.getInitArgs());
  (*writer)(&zero, nullptr, nullptr);
  Value second = arith::AddIOp::create(*builder, loop.getLoc(), loop.getLowerBound(), loop.getStep());
  Value more = arith::CmpIOp::create(*builder, loop.getLoc(), arith::CmpIPredicate::slt, second, loop.getUpperBound());
  auto guarded = scf::IfOp::create(*builder, loop.getLoc(), loop.getResultTypes(), more, /*withElse=*/true);
  OpBuilder::InsertionGuard guard(*builder);
  auto fill = [&](Block *block, auto trips) {
    builder->setInsertionPointToStart(block);
    IRMapping mapping = zero;
    SmallVector<Value> results = trips(mapping);
    scf::YieldOp::create(*builder, loop.getLoc(), results);
  };
  fill(guarded.thenBlock(), [&](IRMapping &mapping) { return moreTrips(mapping); });
  fill(guarded.elseBlock(), [&](IRMapping &mapping) { return oneTrip(mapping); });
  return llvm::to_vector_of<Value>(guarded.getResults());
}

void Stages::write(OpBuilder &newBuilder, Writer newWriter) {
  builder = &newBuilder;
  writer = &newWriter;
  replaceUnderTest(loop, newBuilder, [&] { return someTrips(); });
}
