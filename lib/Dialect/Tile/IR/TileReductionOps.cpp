//===- TileReductionOps.cpp - reductions along an axis ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileReductionOps.cpp.inc"

static LogicalResult verifyElementType(ReduceOp op, Type element) {
  bool wantsBool = op.getKind() == ReduceKind::Any || op.getKind() == ReduceKind::All;
  if (wantsBool != element.isInteger(1))
    return op.emitOpError() << stringifyReduceKind(op.getKind())
                            << (wantsBool ? " reduces i1, found " : " does not reduce ") << element;
  return success();
}

LogicalResult ReduceOp::verify() {
  RankedTensorType source = getSource().getType();
  int64_t axis = getAxis();
  if (axis < 0 || axis >= source.getRank())
    return emitOpError() << "expected an axis below " << source.getRank() << ", found " << axis;
  if (failed(verifyElementType(*this, source.getElementType())))
    return failure();
  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  auto result = dyn_cast<RankedTensorType>(getType());
  Type element = result ? result.getElementType() : getType();
  ArrayRef<int64_t> found = result ? result.getShape() : ArrayRef<int64_t>();
  if (getPartial())
    found = found.drop_back(found.empty() ? 0 : 1);
  bool isIndex = getKind() == ReduceKind::ArgMax;
  if (isIndex && getPartial())
    return emitOpError("argmax has no partial result");
  Type expected = isIndex ? Type(IntegerType::get(getContext(), 32)) : source.getElementType();
  if (element != expected || found != ArrayRef<int64_t>(shape))
    return emitOpError() << "expected the result to lack axis " << axis << " of " << source
                         << " and to have elements of " << expected << ", found " << getType();
  return success();
}

LogicalResult ScanOp::verify() {
  if (getAxis() >= static_cast<uint64_t>(getType().getRank()))
    return emitOpError() << "expected an axis below " << getType().getRank() << ", found "
                         << static_cast<int64_t>(getAxis());
  Type element = getType().getElementType();
  if (!element.isF32() && !element.isInteger(32) && !element.isInteger(64))
    return emitOpError() << "expected elements of f32, i32 or i64, found " << element;
  if (!getStart())
    return success();
  SmallVector<int64_t> shape(getType().getShape());
  shape.erase(shape.begin() + getAxis());
  RankedTensorType start = getStart().getType();
  if (start.getElementType() != element || start.getShape().drop_back() != ArrayRef<int64_t>(shape))
    return emitOpError() << "expected 'start' to lack axis " << getAxis() << " of " << getType()
                         << " and to have a last axis of warps, found " << start;
  return success();
}
