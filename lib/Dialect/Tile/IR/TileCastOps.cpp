//===- TileCastOps.cpp - conversions to and from 8-bit floats -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileCastOps.cpp.inc"

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

LogicalResult CastOp::verify() {
  Type from = getElementTypeOrSelf(getSource().getType()), to = getElementTypeOrSelf(getType());
  if (!isa<FloatType>(from) || !isa<FloatType>(to) || from == to ||
      (!isFloat8(from) && !isFloat8(to)))
    return emitOpError() << "expected two float types, one of them e4m3 or e5m2, found " << from
                         << " and " << to;
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  auto result = dyn_cast<RankedTensorType>(getType());
  if (static_cast<bool>(source) != static_cast<bool>(result) ||
      (source &&
       (source.getShape() != result.getShape() || source.getEncoding() != result.getEncoding())))
    return emitOpError() << "expected the same shape and layout on both sides, found "
                         << getSource().getType() << " and " << getType();
  if (getSaturate() && !isFloat8(to))
    return emitOpError() << "only a cast to an 8-bit float saturates, found a cast to " << to;
  return success();
}
