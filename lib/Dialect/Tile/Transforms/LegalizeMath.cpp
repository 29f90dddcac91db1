//===- LegalizeMath.cpp - powers of 2 and reciprocals ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FoldScales.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

#define DEBUG_TYPE "tile-legalize-math"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_LEGALIZEMATHPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
struct LegalizeMath : tilec::impl::LegalizeMathPassBase<LegalizeMath> {
  void runOnOperation() override;
};
} // namespace

/// `value` in every element of `type`, a float or a tensor of floats.
static Value constant(OpBuilder &builder, Location loc, Type type, double value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// exp2(x * factor)
static Value exp2Scaled(OpBuilder &builder, Location loc, Value x, double factor) {
  Value scale = constant(builder, loc, x.getType(), factor);
  return math::Exp2Op::create(builder, loc, arith::MulFOp::create(builder, loc, x, scale));
}

static Value legalizeExp(OpBuilder &builder, math::ExpOp exp) {
  return exp2Scaled(builder, exp.getLoc(), exp.getOperand(), llvm::numbers::log2e);
}

static Value legalizeLog(OpBuilder &builder, math::LogOp log) {
  Location loc = log.getLoc();
  Value log2 = math::Log2Op::create(builder, loc, log.getOperand());
  return arith::MulFOp::create(builder, loc, log2,
                               constant(builder, loc, log.getType(), llvm::numbers::ln2));
}

/// 1 - 2 / (1 + exp2(2 * log2(e) * x)): 1 for large x, -1 for small, without overflow to NaN.
static Value legalizeTanh(OpBuilder &builder, math::TanhOp tanh) {
  Location loc = tanh.getLoc();
  Type type = tanh.getType();
  Value one = constant(builder, loc, type, 1.0);
  Value power = exp2Scaled(builder, loc, tanh.getOperand(), 2 * llvm::numbers::log2e);
  Value sum = arith::AddFOp::create(builder, loc, power, one);
  Value quotient = arith::DivFOp::create(builder, loc, constant(builder, loc, type, 2.0), sum);
  return arith::SubFOp::create(builder, loc, one, quotient);
}

/// x * broadcast(1 / r) for x / broadcast(r), if the author allows reciprocals and r is smaller.
static Value legalizeDivision(OpBuilder &builder, arith::DivFOp division) {
  auto broadcast = division.getRhs().getDefiningOp<tile::BroadcastOp>();
  if (!broadcast || !bitEnumContainsAny(division.getFastmath(), arith::FastMathFlags::arcp))
    return {};
  Location loc = division.getLoc();
  Value row = broadcast.getSource();
  Value reciprocal =
      arith::DivFOp::create(builder, loc, constant(builder, loc, row.getType(), 1.0), row);
  Value factors =
      tile::BroadcastOp::create(builder, loc, broadcast.getType(), reciprocal, broadcast.getDims());
  return arith::MulFOp::create(builder, loc, division.getLhs(), factors);
}

void LegalizeMath::runOnOperation() {
  SmallVector<Operation *> candidates;
  getOperation().walk([&](Operation *op) {
    if (isa<math::ExpOp, math::LogOp, math::TanhOp, arith::DivFOp>(op))
      candidates.push_back(op);
  });
  for (Operation *op : candidates) {
    OpBuilder builder(op);
    Value legal =
        TypeSwitch<Operation *, Value>(op)
            .Case([&](math::ExpOp exp) { return legalizeExp(builder, exp); })
            .Case([&](math::LogOp log) { return legalizeLog(builder, log); })
            .Case([&](math::TanhOp tanh) { return legalizeTanh(builder, tanh); })
            .Case([&](arith::DivFOp division) { return legalizeDivision(builder, division); })
            .Default(Value());
    if (!legal)
      continue;
    reciprocals += isa<arith::DivFOp>(op);
    op->getResult(0).replaceAllUsesWith(legal);
    op->erase();
  }
  scales += foldScales(getOperation());
}
