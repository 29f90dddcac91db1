//===- TileGatherOps.cpp - rows and elements at computed indices ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Shaped.h"

#include "tilec/Dialect/Tile/IR/Indexed.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileGatherOps.cpp.inc"

LogicalResult tile::verifyIndexed(Operation *op, Type tile, RankedTensorType index, Value mask,
                                  int64_t axis, bool rowsOnly) {
  ArrayRef<int64_t> shape = shapedOf(tile).shape;
  int64_t rank = shape.size();
  if (axis < 0 || axis >= rank)
    return op->emitOpError() << "expected an axis below " << rank << ", found " << axis;
  if (!index.getElementType().isInteger(32) && !index.getElementType().isInteger(64))
    return op->emitOpError() << "expected an index of i32 or i64, found " << index;
  bool isRows = index.getRank() == 1 && index.getDimSize(0) == shape[axis];
  if (!isRows && (rowsOnly || index.getShape() != shape))
    return op->emitOpError() << "expected an index of rank 1 with the " << shape[axis]
                             << " positions of axis " << axis
                             << (rowsOnly ? "" : ", or of the tile's shape") << ", found " << index;
  if (!mask)
    return success();
  auto maskType = cast<RankedTensorType>(mask.getType());
  if (!maskType.getElementType().isInteger(1) || maskType.getShape() != index.getShape())
    return op->emitOpError() << "expected a mask of i1 with the shape of the index " << index
                             << ", found " << maskType;
  return success();
}

LogicalResult GatherOp::verify() {
  if (failed(verifyIndexed(*this, getType(), getIndex().getType(), getMask(), getAxis(), false)) ||
      failed(verifySameTile(*this, getSource().getType(), getType(), getAxis())))
    return failure();
  return verifyPad(*this, getPad(), getType().getElementType());
}

LogicalResult GatherCopyOp::verify() {
  SharedType target = getTarget().getType();
  if (failed(verifyIndexed(*this, target, getIndex().getType(), getMask(), getAxis(), true)))
    return failure();
  if (failed(verifySameTile(*this, getSource().getType(), target)))
    return failure();
  return verifyPad(*this, getPad(), target.getElementType());
}

LogicalResult ScatterOp::verify() {
  if (failed(verifyIndexed(*this, getValue().getType(), getIndex().getType(), getMask(), getAxis(),
                           false)))
    return failure();
  return verifySameTile(*this, getTarget().getType(), getValue().getType(), getAxis());
}
