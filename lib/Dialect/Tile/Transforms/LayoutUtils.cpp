//===- LayoutUtils.cpp - types and constants with layouts -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"

using namespace mlir;
using namespace tilec;

bool tilec::isFreeInAnyLayout(Operation *op) {
  if (auto broadcast = dyn_cast_or_null<tile::BroadcastOp>(op))
    return !isa<RankedTensorType>(broadcast.getSource().getType());
  return isa_and_nonnull<arith::ConstantOp, tile::IotaOp>(op);
}

RankedTensorType tilec::withLayout(Type type, tile::FragAttr layout) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(), layout);
}

tile::FragAttr tilec::layoutOf(Value fragment) {
  return dyn_cast_or_null<tile::FragAttr>(cast<RankedTensorType>(fragment.getType()).getEncoding());
}

void tilec::setConstantType(arith::ConstantOp constant) {
  auto type = dyn_cast<RankedTensorType>(constant.getType());
  if (!type)
    return;
  auto value = cast<DenseElementsAttr>(constant.getValue());
  constant.setValueAttr(value.isSplat()
                            ? value.resizeSplat(type)
                            : DenseElementsAttr::getFromRawBuffer(type, value.getRawData()));
}

Value tilec::cloneInLayout(Operation *op, RankedTensorType type) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  copy->getResult(0).setType(type);
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    setConstantType(constant);
  return copy->getResult(0);
}

tile::SharedType tilec::withSwizzle(tile::SharedType type, int64_t limit) {
  int64_t bytes = std::max<int64_t>(type.getElementType().getIntOrFloatBitWidth() / 8, 1);
  int64_t swizzle = type.getShape().size() > 1 ? widestSwizzle(type.getShape().back(), bytes) : 0;
  if (swizzle > limit)
    swizzle = limit;
  return tile::SharedType::get(type.getContext(), type.getShape(), type.getElementType(),
                               tile::SwizzleAttr::get(type.getContext(), swizzle));
}
