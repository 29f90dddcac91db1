//===- WindowMotion.cpp - where windows lie, and how they move in a loop --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/WindowMotion.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tilec;

/// By how much `value` grows when the loop's variable grows by 1, if that is a constant.
static std::optional<int64_t> growth(Value value, scf::ForOp loop) {
  if (value == loop.getInductionVar())
    return 1;
  if (loop.isDefinedOutsideOfLoop(value))
    return 0;
  if (auto add = value.getDefiningOp<arith::AddIOp>()) {
    std::optional<int64_t> left = growth(add.getLhs(), loop), right = growth(add.getRhs(), loop);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (auto product = value.getDefiningOp<arith::MulIOp>()) {
    std::optional<int64_t> left = growth(product.getLhs(), loop);
    std::optional<int64_t> factor = getConstantIntValue(product.getRhs());
    return left && factor ? std::optional(*left * *factor) : std::nullopt;
  }
  if (getConstantIntValue(value))
    return 0;
  return std::nullopt;
}

/// True if along some axis the offset advances by at least the extent.
static bool advances(ValueRange offsets, ArrayRef<int64_t> extents, scf::ForOp loop) {
  int64_t step = getConstantIntValue(loop.getStep()).value_or(1);
  return llvm::any_of(llvm::zip(offsets, extents), [&](auto pair) {
    auto [offset, extent] = pair;
    std::optional<int64_t> perIteration = growth(offset, loop);
    return perIteration && std::abs(*perIteration * step) >= extent;
  });
}

/// How far the window reaches along each dimension of its tensor.
static SmallVector<int64_t> extentsOf(tile::WindowOp window) {
  SmallVector<int64_t> extents(window.getOffsets().size(), 1);
  ArrayRef<int64_t> shape = cast<tile::WindowType>(window.getType()).getShape();
  for (auto [extent, dim] : llvm::zip(shape, window.getDims()))
    extents[dim] = extent;
  return extents;
}

bool tilec::isDisjointEachIteration(tile::WindowOp window, scf::ForOp loop) {
  return advances(window.getOffsets(), extentsOf(window), loop);
}

namespace {
/// A value that is the same wherever it is used, and a constant distance from it.
struct Position {
  Value from; // null: 0
  int64_t distance = 0;
};
} // namespace

/// Nothing for a value of a loop's iteration.
static std::optional<Position> positionOf(Value value) {
  if (std::optional<int64_t> constant = getConstantIntValue(value))
    return Position{Value(), *constant};
  int64_t distance = 0;
  if (auto add = value.getDefiningOp<arith::AddIOp>())
    if (std::optional<int64_t> constant = getConstantIntValue(add.getRhs())) {
      value = add.getLhs();
      distance = *constant;
    }
  for (Operation *op = value.getParentBlock()->getParentOp(); op; op = op->getParentOp())
    if (isa<LoopLikeOpInterface>(op))
      return std::nullopt;
  return Position{value, distance};
}

bool tilec::areApart(tile::WindowOp a, tile::WindowOp b) {
  if (a.getSource() != b.getSource())
    return false;
  SmallVector<int64_t> extentsOfA = extentsOf(a), extentsOfB = extentsOf(b);
  for (auto [dim, offsets] : llvm::enumerate(llvm::zip(a.getOffsets(), b.getOffsets()))) {
    std::optional<Position> ofA = positionOf(std::get<0>(offsets));
    std::optional<Position> ofB = positionOf(std::get<1>(offsets));
    if (ofA && ofB && ofA->from == ofB->from &&
        (ofA->distance + extentsOfA[dim] <= ofB->distance ||
         ofB->distance + extentsOfB[dim] <= ofA->distance))
      return true;
  }
  return false;
}

bool tilec::isDisjointEachIteration(tile::SliceOp slice, scf::ForOp loop) {
  return loop.isDefinedOutsideOfLoop(slice.getSource()) &&
         advances(slice.getOffsets(), slice.getSizes(), loop);
}
