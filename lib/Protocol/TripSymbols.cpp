//===- TripSymbols.cpp - trip counts by their bounds --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "TripSymbols.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::protocol;

static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getSExtValue();
  return std::nullopt;
}

static bool same(Value a, Value b) {
  return a == b || (constantOf(a) && constantOf(a) == constantOf(b));
}

static IntegerAttr numberInRoles(Value value) {
  auto result = dyn_cast<OpResult>(value);
  return result ? result.getOwner()->getAttrOfType<IntegerAttr>(mlir::pipe::sameInRolesAttrName)
                : IntegerAttr();
}

/// What an item's start loads may be loaded ahead: the first time in front of the role's loop over
/// items, then in the item before, by the same operation.
static Value loadedFirst(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  auto loop = argument ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp()) : scf::ForOp();
  if (!loop || !loop->hasAttr(mlir::tile::TileDialect::tileLoopAttrName) ||
      argument.getArgNumber() == 0)
    return value;
  Value first = loop.getTiedLoopInit(argument)->get(),
        next = loop.getTiedLoopYieldedValue(argument)->get();
  return numberInRoles(first) == numberInRoles(next) ? first : value;
}

Value TripSymbols::inBothRoles(Value value) const {
  Value first = loadedFirst(value);
  IntegerAttr number = numberInRoles(first);
  if (!number)
    return value;
  return shared.try_emplace({number.getInt(), cast<OpResult>(first).getResultNumber()}, value)
      .first->second;
}

TripSymbols::Start TripSymbols::startOf(Value lower, Value step) const {
  Start start;
  std::optional<int64_t> constant = constantOf(lower), stride = constantOf(step);
  if (constant && stride && *stride > 0) {
    start.steps = llvm::divideFloorSigned(*constant, *stride);
    start.residue = *constant - start.steps * *stride;
    return start;
  }
  while (auto sum = lower.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> distance = constantOf(sum.getRhs());
    bool wholeSteps =
        distance && stride && *stride > 0 && *distance > 0 && *distance % *stride == 0;
    if (!wholeSteps && !same(sum.getRhs(), step))
      break;
    lower = sum.getLhs();
    start.steps += wholeSteps ? *distance / *stride : 1;
  }
  start.base = inBothRoles(lower);
  return start;
}

static std::optional<int64_t> constantTrips(scf::ForOp loop) {
  std::optional<int64_t> lower = constantOf(loop.getLowerBound()),
                         upper = constantOf(loop.getUpperBound()),
                         step = constantOf(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  return *upper <= *lower ? 0 : llvm::divideCeilSigned(*upper - *lower, *step);
}

void TripSymbols::add(scf::ForOp loop) {
  if (constantTrips(loop))
    return;
  Start start = startOf(loop.getLowerBound(), loop.getStep());
  for (Symbol &symbol : symbols)
    if (symbol.upper == inBothRoles(loop.getUpperBound()) && same(symbol.step, loop.getStep()) &&
        symbol.first.base == start.base && symbol.first.residue == start.residue) {
      symbol.first.steps = std::min(symbol.first.steps, start.steps);
      return;
    }
  symbols.push_back({inBothRoles(loop.getUpperBound()), loop.getStep(), start});
}

std::optional<Trips> TripSymbols::find(Value lower, Value upper, Value step) const {
  for (auto [number, symbol] : llvm::enumerate(symbols)) {
    if (symbol.upper != inBothRoles(upper) || (step && !same(symbol.step, step)))
      continue;
    Start start = startOf(lower, symbol.step);
    if (start.base == symbol.first.base && start.residue == symbol.first.residue &&
        start.steps >= symbol.first.steps)
      return Trips{static_cast<unsigned>(number), start.steps - symbol.first.steps};
  }
  return std::nullopt;
}

Trips TripSymbols::trips(scf::ForOp loop) const {
  if (std::optional<int64_t> constant = constantTrips(loop))
    return {std::nullopt, *constant};
  return *find(loop.getLowerBound(), loop.getUpperBound(), loop.getStep());
}

std::optional<Trips> TripSymbols::someTrips(Value condition) const {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    return find(compare.getRhs(), compare.getLhs(), Value());
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    return find(compare.getLhs(), compare.getRhs(), Value());
  return std::nullopt;
}
