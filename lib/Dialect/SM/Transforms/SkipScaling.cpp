//===- SkipScaling.cpp - no product of an accumulator with ones ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HoldExponentials.h"

#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilec {
#define GEN_PASS_DEF_SKIPSCALINGPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

/// Elements of a thread from which a vote and a branch are cheaper than the products.
static constexpr int64_t kLeastElements = 32;
/// Rows of a thread, each with a factor of its own.
static constexpr int64_t kMostFactors = 4;
/// Branches and loops through which a value is followed.
static constexpr int kMostWays = 4;

/// The results of `value` on the ways into a block: of both sides of a branch, and of the last
/// iteration and the one before the first.
static SmallVector<Value> waysInto(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    if (auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
        loop && argument != loop.getInductionVar())
      return {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()};
  if (auto branch = value.getDefiningOp<scf::IfOp>()) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return {branch.thenYield().getOperand(number), branch.elseYield().getOperand(number)};
  }
  return {};
}

/// True if `value` is a sum of products that was waited for, also in the iteration before this one.
static bool isFinishedSum(Value value, int depth = 0) {
  if (value.getDefiningOp<sm::WgmmaWaitOp>())
    return true;
  return depth < kMostWays &&
         llvm::any_of(waysInto(value), [&](Value way) { return isFinishedSum(way, depth + 1); });
}

/// The mask by which `value` repeats a few factors, on each way the same; empty if it does not.
static ArrayRef<int64_t> repetitionOf(Value value, int depth = 0) {
  if (auto repeat = value.getDefiningOp<vector::ShuffleOp>()) {
    bool isFew = repeat.getV1() == repeat.getV2() &&
                 repeat.getV1VectorType().getElementType().isF32() &&
                 repeat.getV1VectorType().getNumElements() <= kMostFactors;
    return isFew ? repeat.getMask() : ArrayRef<int64_t>();
  }
  ArrayRef<int64_t> mask;
  SmallVector<Value> ways = depth < kMostWays ? waysInto(value) : SmallVector<Value>();
  for (Value way : ways) {
    ArrayRef<int64_t> other = repetitionOf(way, depth + 1);
    if (other.empty() || (!mask.empty() && mask != other))
      return {};
    mask = other;
  }
  return mask;
}

/// Where in a vector each factor stands first.
static SmallVector<int64_t> firstOfEach(ArrayRef<int64_t> mask) {
  SmallVector<int64_t> positions;
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [position, factor] : llvm::enumerate(mask))
    if (seen.insert(factor).second)
      positions.push_back(position);
  return positions;
}

namespace {
/// A running sum times factors of its rows.
struct Scaling {
  Value sum, factors;
  ArrayRef<int64_t> repetition;
};
} // namespace

static std::optional<Scaling> scalingOf(arith::MulFOp op) {
  auto type = dyn_cast<VectorType>(op.getType());
  if (!type || type.getNumElements() < kLeastElements || !op->getParentOfType<scf::ForOp>())
    return std::nullopt;
  for (auto [sum, factors] :
       {std::pair(op.getLhs(), op.getRhs()), std::pair(op.getRhs(), op.getLhs())})
    if (isFinishedSum(sum))
      if (ArrayRef<int64_t> repetition = repetitionOf(factors); !repetition.empty())
        return Scaling{sum, factors, repetition};
  return std::nullopt;
}

namespace {
class SkipScaling : public tilec::impl::SkipScalingPassBase<SkipScaling> {
public:
  void runOnOperation() override;
};
} // namespace

static void skip(arith::MulFOp op, const Scaling &scaling) {
  Location loc = op.getLoc();
  OpBuilder b(op);
  Value one = arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1.0));
  Value changes;
  for (int64_t position : firstOfEach(scaling.repetition)) {
    Value factor = vector::ExtractOp::create(b, loc, scaling.factors, position);
    Value change = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, factor, one);
    changes = changes ? arith::OrIOp::create(b, loc, changes, change) : change;
  }
  Value any = sm::VoteOp::create(b, loc, sm::VoteMode::Any, changes);
  auto branch = scf::IfOp::create(
      b, loc, any,
      [&](OpBuilder &inside, Location at) {
        Operation *product = inside.clone(*op);
        scf::YieldOp::create(inside, at, product->getResults());
      },
      [&](OpBuilder &inside, Location at) { scf::YieldOp::create(inside, at, scaling.sum); });
  op.replaceAllUsesWith(branch.getResult(0));
  op.erase();
}

void SkipScaling::runOnOperation() {
  // On the simple path registers are short and time is not.
  if (!getOperation()->hasAttr("tile.producer_warps"))
    return;
  SmallVector<std::pair<arith::MulFOp, Scaling>> found;
  getOperation().walk([&](arith::MulFOp op) {
    if (std::optional<Scaling> scaling = scalingOf(op))
      found.push_back({op, *scaling});
  });
  for (auto [op, scaling] : found) {
    held += tilec::holdExponentials(scaling.sum);
    skip(op, scaling);
    ++scalings;
  }
}
