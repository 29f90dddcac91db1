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

PartialLayout tilec::partialLayout(const FragmentLayout &source, int axis, bool perThread) {
  PartialLayout partial{source.slice(axis), 1};
  FragmentLayout &layout = partial.layout;
  int last = layout.rank++;
  for (auto *basis : {&layout.reg, &layout.lane, &layout.warp})
    for (Coord &vector : *basis)
      vector.push_back(0);
  auto count = [&](auto &basis, const auto &originals) {
    for (auto [vector, original] : llvm::zip(basis, originals))
      if (original[axis] != 0) {
        vector[last] = partial.count;
        partial.count *= 2;
      }
  };
  if (perThread)
    count(layout.lane, source.lane);
  count(layout.warp, source.warp);
  layout.warps.clear();
  for (const Digit &digit : source.warps) {
    bool splitsAxis = digit.dim == axis;
    if (splitsAxis)
      partial.count *= digit.count;
    appendDigit(layout.warps, {splitsAxis         ? last
                               : digit.dim > axis ? digit.dim - 1
                                                  : digit.dim,
                               digit.count});
  }
  return partial;
}

tile::SharedType tilec::withSwizzle(tile::SharedType type, int64_t limit) {
  int64_t bytes = std::max<int64_t>(type.getElementType().getIntOrFloatBitWidth() / 8, 1);
  // A single row has no others that its chunks could be in the way of.
  bool hasRows = ShapedType::getNumElements(type.getShape().drop_back()) > 1;
  int64_t swizzle = hasRows ? widestSwizzle(type.getShape().back(), bytes) : 0;
  if (swizzle > limit)
    swizzle = limit;
  return tile::SharedType::get(type.getContext(), type.getShape(), type.getElementType(),
                               tile::SwizzleAttr::get(type.getContext(), swizzle));
}
