//===- TileShapeOps.cpp - positions, broadcasts, layout changes -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileShapeOps.cpp.inc"

LogicalResult IotaOp::verify() {
  if (getType().getRank() != 1 || !getType().getElementType().isInteger(32))
    return emitOpError() << "expected a result of rank 1 and type i32, found " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  Type element = source ? source.getElementType() : getSource().getType();
  if (element != getType().getElementType())
    return emitOpError() << "expected a result of " << element << ", found "
                         << getType().getElementType();
  int64_t rank = source ? source.getRank() : 0;
  if (static_cast<int64_t>(getDims().size()) != rank)
    return emitOpError() << "expected one entry of 'dims' per axis of the source (" << rank
                         << "), found " << getDims().size();
  int64_t previous = -1;
  for (auto [axis, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= getType().getRank())
      return emitOpError() << "expected 'dims' to ascend and stay below " << getType().getRank()
                           << ", found " << dim;
    if (source.getDimSize(axis) != getType().getDimSize(dim))
      return emitOpError() << "axis " << axis << " of the source has extent "
                           << source.getDimSize(axis) << ", axis " << dim << " of the result "
                           << getType().getDimSize(dim);
    previous = dim;
  }
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  if (isa_and_nonnull<FloatAttr, IntegerAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), adaptor.getSource());
  return {};
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  if (auto producer = getSource().getDefiningOp<ConvertLayoutOp>())
    if (producer.getSource().getType() == getType())
      return producer.getSource();
  return {};
}
