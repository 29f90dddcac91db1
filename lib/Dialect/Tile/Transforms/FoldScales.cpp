//===- FoldScales.cpp - positive scales out of the way of maxima ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "FoldScales.h"
#include "mlir/IR/Matchers.h"
#include <cfloat>

using namespace mlir;
using namespace tilec;

/// A number that the scalar or splat `value` surely reaches, if it is surely positive: the
/// constant, or the least normal number for a parameter declared `positive` (the launcher sees to
/// it). A product counts only where it stays normal: flushed to 0, it would turn -inf into NaN.
static std::optional<double> positiveBound(Value value) {
  APFloat constant(0.0);
  if (matchPattern(value, m_ConstantFloat(&constant))) {
    double number = constant.convertToDouble();
    return number >= FLT_MIN && number <= FLT_MAX ? std::optional(number) : std::nullopt;
  }
  if (auto parameter = dyn_cast<BlockArgument>(value)) {
    auto kernel = dyn_cast<tile::KernelOp>(parameter.getOwner()->getParentOp());
    if (!kernel || !kernel.getLaunch() || !value.getType().isF32())
      return std::nullopt;
    auto params = kernel.getLaunch().getAs<ArrayAttr>("params");
    auto described = cast<DictionaryAttr>(params[parameter.getArgNumber()]);
    return described.contains("positive") ? std::optional<double>(FLT_MIN) : std::nullopt;
  }
  if (auto broadcast = value.getDefiningOp<tile::BroadcastOp>())
    return isa<RankedTensorType>(broadcast.getSource().getType())
               ? std::nullopt
               : positiveBound(broadcast.getSource());
  if (auto product = value.getDefiningOp<arith::MulFOp>()) {
    std::optional<double> left = positiveBound(product.getLhs());
    std::optional<double> right = left ? positiveBound(product.getRhs()) : std::nullopt;
    if (right && *left * *right >= FLT_MIN)
      return *left * *right;
  }
  return std::nullopt;
}

namespace {
/// x * c for a positive c, the same for all elements.
struct Scaled {
  arith::MulFOp product;
  Value x, c;
};
} // namespace

static std::optional<Scaled> matchScaled(Value value) {
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || !getElementTypeOrSelf(value.getType()).isF32())
    return std::nullopt;
  if (positiveBound(product.getRhs()))
    return Scaled{product, product.getLhs(), product.getRhs()};
  if (positiveBound(product.getLhs()))
    return Scaled{product, product.getRhs(), product.getLhs()};
  return std::nullopt;
}

/// The scale `c` for a value of `type`, a tensor or a scalar; null if it is not one scalar.
static Value scaleFor(OpBuilder &builder, Location loc, Value c, Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (auto broadcast = c.getDefiningOp<tile::BroadcastOp>()) {
    Value scalar = broadcast.getSource();
    return tensor ? tile::BroadcastOp::create(builder, loc, tensor, scalar, ArrayRef<int64_t>())
                  : scalar;
  }
  SplatElementsAttr constant;
  if (!matchPattern(c, m_Constant(&constant)))
    return {};
  TypedAttr value = constant.getSplatValue<FloatAttr>();
  if (tensor)
    value = SplatElementsAttr::get(tensor, Attribute(value));
  return arith::ConstantOp::create(builder, loc, value);
}

/// Puts `by` in the place of `op`, which used the product.
static void replace(Operation *op, Value by, arith::MulFOp product) {
  op->replaceAllUsesWith(ValueRange{by});
  op->erase();
  if (product->use_empty())
    product->erase();
}

/// select(keep, x * c, -inf) or select(drop, -inf, x * c): the new select, null if it is neither.
static Operation *foldSelect(arith::SelectOp select) {
  Value first = select.getTrueValue(), second = select.getFalseValue();
  bool keepsFirst = matchPattern(second, m_NegInfFloat());
  if (!isa<RankedTensorType>(select.getType()) ||
      (!keepsFirst && !matchPattern(first, m_NegInfFloat())))
    return nullptr;
  std::optional<Scaled> scaled = matchScaled(keepsFirst ? first : second);
  if (!scaled)
    return nullptr;
  OpBuilder builder(select);
  (keepsFirst ? first : second) = scaled->x;
  auto plain =
      arith::SelectOp::create(builder, select.getLoc(), select.getCondition(), first, second);
  replace(select, arith::MulFOp::create(builder, select.getLoc(), plain, scaled->c),
          scaled->product);
  return plain;
}

/// max(x * c) or min(x * c): the new reduction, null if it is neither.
static Operation *foldExtreme(tile::ReduceOp reduce) {
  if (reduce.getKind() != tile::ReduceKind::Max && reduce.getKind() != tile::ReduceKind::Min)
    return nullptr;
  std::optional<Scaled> scaled = matchScaled(reduce.getSource());
  if (!scaled)
    return nullptr;
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  Value scale = scaleFor(builder, loc, scaled->c, reduce.getType());
  if (!scale)
    return nullptr;
  auto plain = tile::ReduceOp::create(builder, loc, reduce.getType(), reduce.getKind(), scaled->x,
                                      reduce.getAxis(), reduce.getPartial());
  replace(reduce, arith::MulFOp::create(builder, loc, plain.getResult(), scale), scaled->product);
  return plain;
}

static Operation *foldOnce(Operation *op) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return foldSelect(select);
  return foldExtreme(cast<tile::ReduceOp>(op));
}

unsigned tilec::foldScales(tile::KernelOp kernel) {
  SmallVector<Operation *> candidates; // in program order: what one exposes comes after it
  kernel.walk([&](Operation *op) {
    if (isa<arith::SelectOp, tile::ReduceOp>(op))
      candidates.push_back(op);
  });
  unsigned folded = 0;
  for (Operation *op : candidates)
    while ((op = foldOnce(op)))
      ++folded;
  return folded;
}
