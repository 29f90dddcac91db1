//===- LegalizeMath.cpp - powers of 2 and reciprocals ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExpandArgMax.h"
#include "FoldScales.h"
#include "MathExpansions.h"
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

/// exp2(x * factor)
static Value exp2Scaled(OpBuilder &builder, Location loc, Value x, double factor) {
  Value scale = floatConstant(builder, loc, x.getType(), factor);
  return math::Exp2Op::create(builder, loc, arith::MulFOp::create(builder, loc, x, scale));
}

static Value legalizeExp(OpBuilder &builder, math::ExpOp exp) {
  return exp2Scaled(builder, exp.getLoc(), exp.getOperand(), llvm::numbers::log2e);
}

static Value legalizeLog(OpBuilder &builder, math::LogOp log) {
  Location loc = log.getLoc();
  Value log2 = math::Log2Op::create(builder, loc, log.getOperand());
  return arith::MulFOp::create(builder, loc, log2,
                               floatConstant(builder, loc, log.getType(), llvm::numbers::ln2));
}

/// `expand` in f32: narrower types are widened and rounded once more.
static Value inF32(OpBuilder &builder, Operation *op,
                   function_ref<Value(OpBuilder &, Location, Value)> expand) {
  Location loc = op->getLoc();
  Value x = op->getOperand(0);
  Type type = x.getType(), wide = builder.getF32Type();
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    wide = tensor.clone(wide);
  if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 32)
    return {};
  if (type == wide)
    return expand(builder, loc, x);
  Value result = expand(builder, loc, arith::ExtFOp::create(builder, loc, wide, x));
  return arith::TruncFOp::create(builder, loc, type, result);
}

static Value legalizeTanh(OpBuilder &builder, math::TanhOp tanh) {
  return inF32(builder, tanh, expandTanh);
}

static Value legalizeSine(OpBuilder &builder, Operation *op) {
  return inF32(builder, op, [&](OpBuilder &b, Location loc, Value x) {
    return expandSine(b, loc, x, isa<math::CosOp>(op));
  });
}

/// x * broadcast(1 / r) for x / broadcast(r), if the author allows reciprocals and r is smaller.
static Value legalizeDivision(OpBuilder &builder, arith::DivFOp division) {
  auto broadcast = division.getRhs().getDefiningOp<tile::BroadcastOp>();
  if (!broadcast || !bitEnumContainsAny(division.getFastmath(), arith::FastMathFlags::arcp))
    return {};
  Location loc = division.getLoc();
  Value row = broadcast.getSource();
  Value reciprocal =
      arith::DivFOp::create(builder, loc, floatConstant(builder, loc, row.getType(), 1.0), row);
  Value factors =
      tile::BroadcastOp::create(builder, loc, broadcast.getType(), reciprocal, broadcast.getDims());
  return arith::MulFOp::create(builder, loc, division.getLhs(), factors);
}

void LegalizeMath::runOnOperation() {
  expandArgMax(getOperation());
  SmallVector<Operation *> candidates;
  getOperation().walk([&](Operation *op) {
    if (isa<math::ExpOp, math::LogOp, math::TanhOp, math::SinOp, math::CosOp, arith::DivFOp>(op))
      candidates.push_back(op);
  });
  for (Operation *op : candidates) {
    OpBuilder builder(op);
    Value legal =
        TypeSwitch<Operation *, Value>(op)
            .Case([&](math::ExpOp exp) { return legalizeExp(builder, exp); })
            .Case([&](math::LogOp log) { return legalizeLog(builder, log); })
            .Case([&](math::TanhOp tanh) { return legalizeTanh(builder, tanh); })
            .Case<math::SinOp, math::CosOp>([&](auto sine) { return legalizeSine(builder, sine); })
            .Case([&](arith::DivFOp division) { return legalizeDivision(builder, division); })
            .Default(Value());
    if (!legal)
      continue;
    reciprocals += isa<arith::DivFOp>(op);
    op->getResult(0).replaceAllUsesWith(legal);
    Operation *divisor = isa<arith::DivFOp>(op) ? op->getOperand(1).getDefiningOp() : nullptr;
    op->erase();
    // Dead, it would still get a layout, and a conversion through shared memory to it.
    if (divisor && isOpTriviallyDead(divisor))
      divisor->erase();
  }
  scales += foldScales(getOperation());
}
