//===- CarryWords.cpp - packed elements around a loop -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CarryWords.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// The same bits as 32-bit words; null for what stays as it is.
static VectorType wordsOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  if (!vector || vector.getRank() != 1 || !isa<FloatType>(vector.getElementType()))
    return nullptr;
  int64_t bits = vector.getElementTypeBitWidth(), total = bits * vector.getNumElements();
  if (bits >= 32 || total % 32 != 0)
    return nullptr;
  return VectorType::get({total / 32}, IntegerType::get(type.getContext(), 32));
}

/// `value` with other words, or as it is.
static Value castTo(RewriterBase &rewriter, Location loc, Type type, Value value) {
  return value.getType() == type ? value : vector::BitCastOp::create(rewriter, loc, type, value);
}

namespace {
struct CarryWords : OpRewritePattern<scf::ForOp> {
  CarryWords(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    for (Type type : loop.getResultTypes())
      types.push_back(wordsOf(type) ? wordsOf(type) : type);
    if (TypeRange(types) == loop.getResultTypes())
      return rewriter.notifyMatchFailure(loop, "carries no packed elements");
    Location loc = loop.getLoc();
    SmallVector<Value> start;
    for (auto [type, init] : llvm::zip(types, loop.getInitArgs()))
      start.push_back(castTo(rewriter, loc, type, init));
    auto carrying = scf::ForOp::create(rewriter, loc, loop.getLowerBound(), loop.getUpperBound(),
                                       loop.getStep(), start);
    carrying->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    moveBody(loop, carrying, rewriter);
    rewriter.setInsertionPointAfter(carrying);
    SmallVector<Value> results;
    for (auto [type, result] : llvm::zip(loop.getResultTypes(), carrying.getResults()))
      results.push_back(castTo(rewriter, loc, type, result));
    rewriter.replaceOp(loop, results);
    ++count;
    return success();
  }

private:
  static void moveBody(scf::ForOp loop, scf::ForOp carrying, PatternRewriter &rewriter) {
    Location loc = loop.getLoc();
    Block *body = carrying.getBody();
    rewriter.setInsertionPointToStart(body);
    SmallVector<Value> arguments{carrying.getInductionVar()};
    for (auto [old, carried] : llvm::zip(loop.getRegionIterArgs(), carrying.getRegionIterArgs()))
      arguments.push_back(castTo(rewriter, loc, old.getType(), carried));
    rewriter.mergeBlocks(loop.getBody(), body, arguments);
    auto yield = cast<scf::YieldOp>(body->getTerminator());
    rewriter.setInsertionPoint(yield);
    SmallVector<Value> next;
    for (auto [type, value] : llvm::zip(carrying.getResultTypes(), yield.getOperands()))
      next.push_back(castTo(rewriter, loc, type, value));
    rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, next);
  }

  Pass::Statistic &count;
};
} // namespace

void tilec::populateCarryWords(RewritePatternSet &patterns, Pass::Statistic &count) {
  patterns.add<CarryWords>(patterns.getContext(), count);
}
