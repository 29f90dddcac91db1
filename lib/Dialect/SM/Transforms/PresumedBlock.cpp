//===- PresumedBlock.cpp - an iteration whose reference may stay ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "PresumedBlock.h"

#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace tilec;

/// A corrected row lies up to 1 below its maximum; and weights stay far below what is computed
/// again.
static constexpr double kLeastLag = 1, kMostLag = 64;

/// max - reference > lag ? max : reference, with the permission to take another number.
static bool matchFollows(arith::SelectOp select, PresumedBlock &found) {
  auto lag = select->getAttrOfType<FloatAttr>(tile::TileDialect::followsAttrName);
  auto carried = dyn_cast<BlockArgument>(select.getFalseValue());
  if (!lag || !carried || !isa<VectorType>(select.getType()) ||
      !isa<scf::ForOp>(carried.getOwner()->getParentOp()))
    return false;
  if (lag.getValueAsDouble() < kLeastLag || lag.getValueAsDouble() > kMostLag)
    return false;
  found.follows = select;
  found.reference = carried;
  found.lag = lag.getValueAsDouble();
  return true;
}

/// The scores that the maximum is of. Behind a mask others would need it: a row that nothing was
/// visible of yet has no reference.
static sm::AgainOp findScores(arith::SelectOp follows) {
  SmallVector<Value> open{follows.getTrueValue()};
  DenseSet<Operation *> seen;
  sm::AgainOp found;
  while (!open.empty()) {
    Operation *op = open.pop_back_val().getDefiningOp();
    if (!op || op->getBlock() != follows->getBlock() || !seen.insert(op).second)
      continue;
    if (auto again = dyn_cast<sm::AgainOp>(op)) {
      if (found)
        return {};
      found = again;
      continue;
    }
    if (isa<arith::SelectOp>(op) || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
      return {};
    llvm::append_range(open, op->getOperands());
  }
  return found;
}

/// Sorts what comes behind the scores; false if something has an effect or a region.
static bool collectDependents(PresumedBlock &found) {
  DenseSet<Value> ofScores{found.again.getResult()}, ofFollows;
  Operation *end = found.follows->getBlock()->getTerminator();
  for (Operation *op = found.again->getNextNode(); op != end; op = op->getNextNode()) {
    auto uses = [&](DenseSet<Value> &values) {
      auto usesOne = [&](Operation *inner) {
        bool found = llvm::any_of(inner->getOperands(),
                                  [&](Value operand) { return values.contains(operand); });
        return found ? WalkResult::interrupt() : WalkResult::advance();
      };
      return op->walk(usesOne).wasInterrupted();
    };
    bool depends = uses(ofFollows);
    if (auto order = dyn_cast<sm::OrderOp>(op); order && depends) {
      found.orders.push_back(order);
      continue;
    }
    if (!depends && !uses(ofScores))
      continue;
    if (op->getNumRegions() != 0 || !isMemoryEffectFree(op) || op->getNumResults() != 1)
      return false;
    found.fromScores.insert(op);
    ofScores.insert(op->getResult(0));
    if (depends)
      found.dependents.insert(op);
    if (depends || op == found.follows)
      ofFollows.insert(op->getResult(0));
  }
  return !found.dependents.empty();
}

/// Marks the elements of `weights` that `value` adds up, and what does; false if it does something
/// else, too.
static bool addsUp(Value value, Value weights, llvm::SmallBitVector &elements,
                   DenseSet<Operation *> &tree) {
  if (auto sum = value.getDefiningOp<arith::AddFOp>()) {
    tree.insert(sum);
    return addsUp(sum.getLhs(), weights, elements, tree) &&
           addsUp(sum.getRhs(), weights, elements, tree);
  }
  auto extract = value.getDefiningOp<vector::ExtractOp>();
  if (!extract || extract.getSource() != weights || extract.hasDynamicPosition() ||
      elements.test(extract.getStaticPosition().front()))
    return false;
  tree.insert(extract);
  elements.set(extract.getStaticPosition().front());
  return true;
}

/// True if `value` is `follows`, or that with 0 instead of -inf.
static bool isShift(Value value, arith::SelectOp follows) {
  if (value == follows.getResult())
    return true;
  auto select = value.getDefiningOp<arith::SelectOp>();
  auto test = select ? select.getCondition().getDefiningOp<arith::CmpFOp>() : arith::CmpFOp();
  return test && test.getPredicate() == arith::CmpFPredicate::OEQ &&
         test.getLhs() == follows.getResult() && matchPattern(test.getRhs(), m_NegInfFloat()) &&
         matchPattern(select.getTrueValue(), m_AnyZeroFloat()) &&
         select.getFalseValue() == follows.getResult();
}

/// The exponential whose elements `value` adds up, if it is one of the tile's scores less their
/// reference.
static sm::Exp2Op weightsIn(Value value, PresumedBlock &found) {
  while (auto sum = value.getDefiningOp<arith::AddFOp>())
    value = sum.getLhs();
  auto extract = value.getDefiningOp<vector::ExtractOp>();
  auto weights = extract ? extract.getSource().getDefiningOp<sm::Exp2Op>() : sm::Exp2Op();
  auto difference = weights ? weights.getValue().getDefiningOp<arith::SubFOp>() : arith::SubFOp();
  auto repeat =
      difference ? difference.getRhs().getDefiningOp<vector::ShuffleOp>() : vector::ShuffleOp();
  if (!repeat || repeat.getV1() != repeat.getV2() || !isShift(repeat.getV1(), found.follows) ||
      found.dependents.contains(difference.getLhs().getDefiningOp()))
    return {};
  int64_t rows = found.rows();
  found.shift = repeat.getV1();
  found.rowOf =
      llvm::map_to_vector(repeat.getMask(), [&](int64_t number) { return number % rows; });
  found.ofWeights.insert_range(ArrayRef<Operation *>{repeat, difference, weights});
  return weights;
}

/// The weights, their sums for each row, and their cast; nothing else may use them.
static bool findWeights(PresumedBlock &found) {
  for (Operation *op : found.dependents) {
    auto sums = dyn_cast<vector::FromElementsOp>(op);
    if (!sums || sums.getType() != found.follows.getType())
      continue;
    sm::Exp2Op weights = weightsIn(sums.getElements().front(), found);
    if (!weights)
      continue;
    for (auto [row, sum] : llvm::enumerate(sums.getElements())) {
      llvm::SmallBitVector elements(found.rowOf.size());
      if (!addsUp(sum, weights.getResult(), elements, found.ofWeights))
        return false;
      for (auto [position, of] : llvm::enumerate(found.rowOf))
        if ((of == static_cast<int64_t>(row)) != elements.test(position))
          return false;
    }
    found.sums = sums;
    found.weights = weights;
    for (Operation *part : found.ofWeights)
      for (Operation *user : part->getUsers()) {
        if (found.ofWeights.contains(user) || user == sums)
          continue;
        auto narrowed = dyn_cast<arith::TruncFOp>(user);
        if (!narrowed || part != weights || found.narrowed)
          return false;
        found.narrowed = narrowed;
      }
    // Half floats end at 2^16: more rows than with bfloat16 would have to be computed again.
    return found.narrowed && cast<VectorType>(found.narrowed.getType()).getElementType().isBF16();
  }
  return false;
}

/// The exchanges in front of the maximum say which lanes share a row.
static void findLanes(PresumedBlock &found) {
  for (Operation *op : found.fromScores) {
    if (op == found.follows)
      return;
    auto shuffle = dyn_cast<sm::ShuffleOp>(op);
    if (shuffle && shuffle.getMode() == sm::ShuffleMode::Xor &&
        !llvm::is_contained(found.lanesOfRow, shuffle.getLane()))
      found.lanesOfRow.push_back(shuffle.getLane());
  }
}

/// Warps go into the body each for itself: it reads, and meets no others.
static bool onlyReads(sm::AgainOp again) {
  WalkResult result = again.getBody().walk([](Operation *op) {
    bool reads = op->getNumRegions() != 0 || isMemoryEffectFree(op) || isa<sm::LoadGlobalOp>(op);
    return reads ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !result.wasInterrupted();
}

std::optional<PresumedBlock> tilec::findPresumedBlock(arith::SelectOp select) {
  PresumedBlock found;
  if (!matchFollows(select, found))
    return std::nullopt;
  found.again = findScores(select);
  if (!found.again || !onlyReads(found.again) || !collectDependents(found) || !findWeights(found))
    return std::nullopt;
  findLanes(found);
  return found;
}
