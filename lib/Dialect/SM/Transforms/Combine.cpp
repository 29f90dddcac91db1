//===- Combine.cpp - sm-combine ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CarryWords.h"
#include "JoinBounds.h"
#include "NarrowDivisions.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#define DEBUG_TYPE "sm-combine"

namespace tilec {
#define GEN_PASS_DEF_COMBINEPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

namespace {
/// A vector whose element i is the exact sum of the scalars `terms` plus constants[i].
struct Position {
  SmallVector<Value> terms;
  SmallVector<int64_t> constants;
};

/// A vector that repeats the elements of a shorter one: element i is source[table[i]].
struct Repeated {
  Value source; // a vector, or the scalar that all elements are
  SmallVector<int64_t> table;
};
} // namespace

static constexpr int kMaxDepth = 6;

static int64_t lengthOf(Value value) { return cast<VectorType>(value.getType()).getNumElements(); }

static std::optional<Position> decompose(Value value, int depth = 0) {
  if (DenseIntElementsAttr constant; matchPattern(value, m_Constant(&constant))) {
    Position position;
    for (const APInt &element : constant.getValues<APInt>())
      position.constants.push_back(element.getSExtValue());
    return position;
  }
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>()) {
    if (isa<VectorType>(broadcast.getSourceType()))
      return std::nullopt;
    return Position{{broadcast.getSource()}, SmallVector<int64_t>(lengthOf(value), 0)};
  }
  if (depth == kMaxDepth)
    return std::nullopt;
  if (auto shuffle = value.getDefiningOp<vector::ShuffleOp>()) {
    std::optional<Position> source = decompose(shuffle.getV1(), depth + 1);
    if (!source || shuffle.getV1() != shuffle.getV2())
      return std::nullopt;
    Position position{source->terms, {}};
    for (int64_t index : shuffle.getMask())
      position.constants.push_back(source->constants[index % source->constants.size()]);
    return position;
  }
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || !arith::bitEnumContainsAll(sum.getOverflowFlags(), arith::IntegerOverflowFlags::nsw))
    return std::nullopt;
  std::optional<Position> a = decompose(sum.getLhs(), depth + 1);
  std::optional<Position> b = decompose(sum.getRhs(), depth + 1);
  if (!a || !b)
    return std::nullopt;
  llvm::append_range(a->terms, b->terms);
  for (auto [x, y] : llvm::zip(a->constants, b->constants))
    x += y;
  return a;
}

/// The shorter vector that `value` repeats, at most half as long.
static std::optional<Repeated> repeatedBy(Value value) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    if (!isa<VectorType>(broadcast.getSourceType()))
      return Repeated{broadcast.getSource(), SmallVector<int64_t>(lengthOf(value), 0)};
  auto shuffle = value.getDefiningOp<vector::ShuffleOp>();
  if (!shuffle || shuffle.getV1() != shuffle.getV2())
    return std::nullopt;
  int64_t length = lengthOf(shuffle.getV1());
  if (2 * length > lengthOf(value))
    return std::nullopt;
  Repeated repeated{shuffle.getV1(), {}};
  for (int64_t index : shuffle.getMask())
    repeated.table.push_back(index % length);
  return repeated;
}

/// source - terms, cut to what an i32 holds: comparisons with constants strictly inside its range
/// do not notice the cut.
static Value difference(OpBuilder &builder, Location loc, Value source, ArrayRef<Value> terms) {
  Type wide = builder.getI64Type(), narrow = builder.getI32Type();
  Value exact = arith::ExtSIOp::create(builder, loc, wide, source);
  for (Value term : terms)
    exact = arith::SubIOp::create(builder, loc, exact,
                                  arith::ExtSIOp::create(builder, loc, wide, term));
  auto bound = [&](int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
  };
  exact = arith::MaxSIOp::create(builder, loc, exact, bound(INT32_MIN));
  exact = arith::MinSIOp::create(builder, loc, exact, bound(INT32_MAX));
  return arith::TruncIOp::create(builder, loc, narrow, exact);
}

/// The repeated vector minus the terms, element by element of the shorter one.
static Value subtractTerms(OpBuilder &builder, Location loc, const Repeated &repeated,
                           ArrayRef<Value> terms) {
  int64_t length = repeated.table.size();
  auto type = VectorType::get({length}, builder.getI32Type());
  if (!isa<VectorType>(repeated.source.getType()))
    return vector::BroadcastOp::create(builder, loc, type,
                                       difference(builder, loc, repeated.source, terms));
  SmallVector<Value> elements;
  for (int64_t i = 0, end = lengthOf(repeated.source); i < end; ++i) {
    Value element = vector::ExtractOp::create(builder, loc, repeated.source, ArrayRef<int64_t>{i});
    elements.push_back(difference(builder, loc, element, terms));
  }
  Value shorter = vector::FromElementsOp::create(
      builder, loc, cast<VectorType>(repeated.source.getType()), elements);
  return vector::ShuffleOp::create(builder, loc, shorter, shorter, repeated.table);
}

/// What is compared: the position on one side, the repeated vector on the other.
static bool isWorthMoving(const Position &position) {
  bool inside =
      llvm::all_of(position.constants, [](int64_t c) { return INT32_MIN < c && c < INT32_MAX; });
  return inside && !position.terms.empty() && !llvm::all_equal(position.constants);
}

namespace {
struct ComparePositions : OpRewritePattern<arith::CmpIOp> {
  ComparePositions(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getLhs().getType());
    if (!type || !type.getElementType().isInteger(32))
      return rewriter.notifyMatchFailure(op, "not positions");
    if (op.getPredicate() >= arith::CmpIPredicate::ult)
      return rewriter.notifyMatchFailure(op, "unsigned");
    for (bool positionLeft : {false, true}) {
      Value side = positionLeft ? op.getLhs() : op.getRhs();
      Value other = positionLeft ? op.getRhs() : op.getLhs();
      std::optional<Position> position = decompose(side);
      std::optional<Repeated> repeated = repeatedBy(other);
      if (!position || !repeated || !isWorthMoving(*position))
        continue;
      Value thread = subtractTerms(rewriter, op.getLoc(), *repeated, position->terms);
      SmallVector<int32_t> values(position->constants.begin(), position->constants.end());
      Value constants = arith::ConstantOp::create(rewriter, op.getLoc(),
                                                  DenseElementsAttr::get(type, ArrayRef(values)));
      ++count;
      rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                                 positionLeft ? constants : thread,
                                                 positionLeft ? thread : constants);
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no side is a thread's part plus constants");
  }

  Pass::Statistic &count;
};

struct OverwriteZeros : OpRewritePattern<sm::WgmmaOp> {
  OverwriteZeros(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(sm::WgmmaOp op, PatternRewriter &rewriter) const override {
    if (op.getInit() || !matchPattern(op.getAcc(), m_PosZeroFloat()))
      return rewriter.notifyMatchFailure(op, "the accumulator is not known to be 0");
    ++count;
    rewriter.modifyOpInPlace(op, [&] { op.setInit(true); });
    return success();
  }

  Pass::Statistic &count;
};

/// Drops the bounds of a coordinate that is between 0 and the largest i32 anyway.
struct UnboundCoordinates : OpRewritePattern<sm::TmaLoadOp> {
  UnboundCoordinates(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(sm::TmaLoadOp op, PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &operand : op.getCoordinatesMutable()) {
      auto narrow = operand.get().getDefiningOp<arith::TruncIOp>();
      auto atLeast = narrow ? narrow.getIn().getDefiningOp<arith::MaxSIOp>() : arith::MaxSIOp();
      auto atMost = atLeast ? atLeast.getLhs().getDefiningOp<arith::MinSIOp>() : arith::MinSIOp();
      APInt bound;
      if (!atMost || !matchPattern(atLeast.getRhs(), m_ConstantInt(&bound)) ||
          !bound.isNonPositive() || tilec::maxUnsigned(atMost.getLhs()) > INT32_MAX)
        continue;
      Value start =
          arith::TruncIOp::create(rewriter, op.getLoc(), narrow.getType(), atMost.getLhs());
      rewriter.modifyOpInPlace(op, [&] { operand.set(start); });
      ++count;
      changed = true;
    }
    return success(changed);
  }

  Pass::Statistic &count;
};

class Combine : public tilec::impl::CombinePassBase<Combine> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ComparePositions>(&getContext(), comparisons);
    patterns.add<OverwriteZeros>(&getContext(), overwrites);
    patterns.add<UnboundCoordinates>(&getContext(), coordinates);
    tilec::populateCarryWords(patterns, packedLoops);
    tilec::populateJoinBounds(patterns, joinedBounds);
    tilec::populateNarrowDivisions(patterns, narrowDivisions);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
