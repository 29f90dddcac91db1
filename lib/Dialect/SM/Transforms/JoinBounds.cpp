//===- JoinBounds.cpp - two upper bounds of a position are one --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "JoinBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace {
/// Element i of the result holds if element table[i] of `compared` does.
struct Part {
  Value condition;
  SmallVector<int64_t> table;
};

/// bound[which[i]] >= positions[i]. The bound is a scalar or a short vector.
struct UpperBound {
  Value bound;
  SmallVector<int64_t> which;
  SmallVector<int64_t> positions;
};
} // namespace

static int64_t lengthOf(Value value) { return cast<VectorType>(value.getType()).getNumElements(); }

static SmallVector<int64_t> through(ArrayRef<int64_t> table, ArrayRef<int64_t> inner,
                                    int64_t length) {
  return llvm::map_to_vector(table, [&](int64_t i) { return inner[i] % length; });
}

/// What the conjunction consists of, also where it repeats a shorter one.
static void collect(Value condition, SmallVector<int64_t> table, SmallVectorImpl<Part> &parts) {
  if (auto both = condition.getDefiningOp<arith::AndIOp>()) {
    collect(both.getLhs(), table, parts);
    collect(both.getRhs(), std::move(table), parts);
    return;
  }
  auto repeat = condition.getDefiningOp<vector::ShuffleOp>();
  if (repeat && repeat.getV1() == repeat.getV2())
    return collect(repeat.getV1(), through(table, repeat.getMask(), lengthOf(repeat.getV1())),
                   parts);
  parts.push_back({condition, std::move(table)});
}

/// The scalar or the short vector whose elements `value` repeats.
static std::optional<UpperBound> boundOf(Value value, ArrayRef<int64_t> table) {
  if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
    if (!isa<VectorType>(broadcast.getSourceType()))
      return UpperBound{broadcast.getSource(), SmallVector<int64_t>(table.size(), 0), {}};
  auto repeat = value.getDefiningOp<vector::ShuffleOp>();
  if (!repeat || repeat.getV1() != repeat.getV2())
    return std::nullopt;
  return UpperBound{repeat.getV1(), through(table, repeat.getMask(), lengthOf(repeat.getV1())), {}};
}

/// A comparison with constants, as sm-combine leaves it.
static std::optional<UpperBound> upperBound(const Part &part) {
  auto compare = part.condition.getDefiningOp<arith::CmpIOp>();
  if (!compare)
    return std::nullopt;
  using enum arith::CmpIPredicate;
  arith::CmpIPredicate predicate = compare.getPredicate();
  Value bound = compare.getLhs(), position = compare.getRhs();
  if (predicate == sle || predicate == slt) {
    std::swap(bound, position);
    predicate = predicate == sle ? sge : sgt;
  }
  DenseIntElementsAttr constants;
  if ((predicate != sge && predicate != sgt) || !matchPattern(position, m_Constant(&constants)) ||
      !constants.getElementType().isInteger(32))
    return std::nullopt;
  std::optional<UpperBound> result = boundOf(bound, part.table);
  auto values = llvm::to_vector(constants.getValues<int32_t>());
  if (result)
    for (int64_t i : part.table)
      result->positions.push_back(int64_t(values[i]) + (predicate == sgt));
  return result;
}

/// How much further `b`'s positions lie than `a`'s, if everywhere as much. Nothing where a bound
/// that is cut to an i32 would change an answer: at a position that is none, behind a strict bound,
/// and at the least one, which a bound that was lowered to it reaches.
static std::optional<int64_t> distance(const UpperBound &a, const UpperBound &b) {
  int64_t by = b.positions.front() - a.positions.front();
  for (auto [x, y] : llvm::zip_equal(a.positions, b.positions))
    if (y - x != by || x > INT32_MAX || (by > 0 && x == INT32_MIN))
      return std::nullopt;
  return by;
}

/// `bound` - `by`, which stays in the type's range.
static Value lower(OpBuilder &b, Location loc, Value bound, int64_t by) {
  auto constant = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  if (by == 0)
    return bound;
  bound = by > 0 ? arith::MaxSIOp::create(b, loc, bound, constant(INT32_MIN + by)).getResult()
                 : arith::MinSIOp::create(b, loc, bound, constant(INT32_MAX + by)).getResult();
  return arith::SubIOp::create(b, loc, bound, constant(by));
}

/// Both, if one has the same bound everywhere.
static Value join(OpBuilder &b, Location loc, const UpperBound &each, const UpperBound &everywhere,
                  int64_t by, VectorType type) {
  Value same = lower(b, loc, everywhere.bound, by);
  Value thread;
  if (isa<VectorType>(each.bound.getType())) {
    SmallVector<Value> elements;
    for (int64_t i = 0, end = lengthOf(each.bound); i < end; ++i) {
      Value element = vector::ExtractOp::create(b, loc, each.bound, ArrayRef<int64_t>{i});
      elements.push_back(arith::MinSIOp::create(b, loc, element, same));
    }
    Value shorter =
        vector::FromElementsOp::create(b, loc, cast<VectorType>(each.bound.getType()), elements);
    thread = vector::ShuffleOp::create(b, loc, shorter, shorter, each.which);
  } else {
    Value least = arith::MinSIOp::create(b, loc, each.bound, same);
    thread = vector::BroadcastOp::create(b, loc, type, least);
  }
  auto positions =
      llvm::map_to_vector(each.positions, [](int64_t p) { return static_cast<int32_t>(p); });
  Value constants =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, ArrayRef(positions)));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge, thread, constants);
}

namespace {
struct JoinBounds : OpRewritePattern<arith::AndIOp> {
  JoinBounds(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(arith::AndIOp op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "no mask");
    SmallVector<Part> parts;
    collect(op, llvm::to_vector(llvm::seq<int64_t>(0, type.getNumElements())), parts);
    auto bounds = llvm::map_to_vector(parts, upperBound);
    for (size_t i = 0; i < parts.size(); ++i)
      for (size_t j = 0; j < parts.size(); ++j)
        if (i != j && bounds[i] && bounds[j] && isa<IntegerType>(bounds[j]->bound.getType()))
          if (std::optional<int64_t> by = distance(*bounds[i], *bounds[j])) {
            replace(op, parts, *bounds[i], *bounds[j], i, j, *by, rewriter);
            return success();
          }
    return rewriter.notifyMatchFailure(op, "no two bounds of the same positions");
  }

private:
  void replace(arith::AndIOp op, ArrayRef<Part> parts, const UpperBound &each,
               const UpperBound &everywhere, size_t i, size_t j, int64_t by,
               PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(op.getType());
    auto wide = VectorType::get(type.getShape(), rewriter.getI32Type());
    Value joined = join(rewriter, loc, each, everywhere, by, wide);
    for (auto [number, part] : llvm::enumerate(parts)) {
      if (number == i || number == j)
        continue;
      Value other = part.condition;
      if (other.getType() != type ||
          !llvm::equal(part.table, llvm::seq<int64_t>(0, type.getNumElements())))
        other = vector::ShuffleOp::create(rewriter, loc, other, other, part.table);
      joined = arith::AndIOp::create(rewriter, loc, joined, other);
    }
    rewriter.replaceOp(op, joined);
    ++count;
  }

  Pass::Statistic &count;
};
} // namespace

void tilec::populateJoinBounds(RewritePatternSet &patterns, Pass::Statistic &count) {
  patterns.add<JoinBounds>(patterns.getContext(), count);
}
