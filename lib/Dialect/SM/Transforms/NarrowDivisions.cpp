//===- NarrowDivisions.cpp - 64-bit divisions of small numbers ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "NarrowDivisions.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

/// CTAs of a launch; the grid is one-dimensional.
static constexpr uint64_t kMostCtas = (uint64_t(1) << 31) - 1;
static constexpr int kMaxDepth = 6;

/// True if a running CTA implies that this dimension is at most kMostCtas: it is a factor of the
/// grid, whose other factors are at least 1.
static bool isGridFactor(BlockArgument argument) {
  auto function = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto launch =
      function ? function->getAttrOfType<DictionaryAttr>("tile.launch") : DictionaryAttr();
  auto dims = launch ? launch.getAs<ArrayAttr>("dims") : ArrayAttr();
  auto grid = launch ? launch.getAs<ArrayAttr>("grid") : ArrayAttr();
  if (!dims || !grid || !argument.getOwner()->isEntryBlock())
    return false;
  int64_t behind = dims.size();
  for (StringRef further : {"derived", "maps"})
    if (auto list = launch.getAs<ArrayAttr>(further))
      behind += list.size();
  int64_t number = static_cast<int64_t>(argument.getArgNumber()) -
                   (static_cast<int64_t>(function.getNumArguments()) - behind);
  return number >= 0 && number < static_cast<int64_t>(dims.size()) &&
         llvm::is_contained(grid, dims[number]);
}

/// The largest value, unsigned, that an integer may have.
static uint64_t maxOf(Value value, int depth = 0) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() > 64)
    return UINT64_MAX;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return constant.getZExtValue();
  uint64_t all = llvm::maskTrailingOnes<uint64_t>(type.getWidth());
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isGridFactor(argument) ? kMostCtas : all;
  if (depth == kMaxDepth)
    return all;
  auto of = [&](Value operand) { return maxOf(operand, depth + 1); };
  uint64_t most =
      TypeSwitch<Operation *, uint64_t>(value.getDefiningOp())
          .Case([&](sm::CtaIdOp) { return kMostCtas; })
          .Case<arith::ExtUIOp, arith::TruncIOp>([&](auto cast) { return of(cast.getIn()); })
          .Case([&](arith::DivUIOp div) { return of(div.getLhs()); })
          .Case([&](arith::RemUIOp rem) { return of(rem.getLhs()); })
          .Case([&](arith::SelectOp select) {
            return std::max(of(select.getTrueValue()), of(select.getFalseValue()));
          })
          .Case<arith::AndIOp, arith::MinUIOp>(
              [&](auto op) { return std::min(of(op.getLhs()), of(op.getRhs())); })
          .Default([&](Operation *) { return all; });
  return std::min(most, all);
}

namespace {
template <typename Op> struct NarrowDivision : OpRewritePattern<Op> {
  NarrowDivision(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern<Op>(context), count(count) {}

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getType().isInteger(64))
      return rewriter.notifyMatchFailure(op, "not 64 bits wide");
    // Below UINT32_MAX, a divisor from there on gives 0 and the dividend, also cut to UINT32_MAX.
    if (maxOf(op.getLhs()) >= UINT32_MAX)
      return rewriter.notifyMatchFailure(op, "the dividend may need 64 bits");
    Location loc = op.getLoc();
    Type narrow = rewriter.getI32Type();
    Value divisor = op.getRhs();
    if (maxOf(divisor) > UINT32_MAX) {
      Value limit =
          arith::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(UINT32_MAX));
      divisor = arith::MinUIOp::create(rewriter, loc, divisor, limit);
    }
    Value dividend = arith::TruncIOp::create(rewriter, loc, narrow, op.getLhs());
    divisor = arith::TruncIOp::create(rewriter, loc, narrow, divisor);
    Value result = Op::create(rewriter, loc, dividend, divisor);
    rewriter.replaceOpWithNewOp<arith::ExtUIOp>(op, op.getType(), result);
    ++count;
    return success();
  }

  Pass::Statistic &count;
};
} // namespace

uint64_t tilec::maxUnsigned(Value value) { return maxOf(value); }

void tilec::populateNarrowDivisions(RewritePatternSet &patterns, Pass::Statistic &count) {
  patterns.add<NarrowDivision<arith::DivUIOp>, NarrowDivision<arith::RemUIOp>>(
      patterns.getContext(), count);
}
