//===- Cast.cpp - conversions to and from 8-bit floats --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Fp8.h"
#include "Lowering.h"

using namespace mlir;

namespace tilec::host {

static bool isFp8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Through f32, which holds every value of the narrower types: the one rounding is the last.
static Value castElement(OpBuilder &b, Location loc, Value x, Type type, bool saturate) {
  Type f32 = b.getF32Type();
  Value wide = x;
  if (isFp8(x.getType()))
    wide = widenFp8(b, loc, x);
  else if (x.getType() != f32)
    wide = arith::ExtFOp::create(b, loc, f32, x);
  if (isFp8(type))
    return narrowToFp8(b, loc, wide, type, saturate);
  return type == f32 ? wide : arith::TruncFOp::create(b, loc, type, wide);
}

LogicalResult lower(tile::CastOp op, OpBuilder &b, KernelState &) {
  Location loc = op.getLoc();
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type) {
    op.getResult().replaceAllUsesWith(
        castElement(b, loc, op.getSource(), op.getType(), op.getSaturate()));
    return success();
  }
  unsigned rank = type.getRank();
  AffineMap identity = b.getMultiDimIdentityMap(rank);
  GenericSpec spec{{op.getSource()},
                   buildEmpty(b, loc, type.getShape(), type.getElementType()),
                   {identity, identity},
                   rank};
  Value result =
      buildGeneric(b, loc, spec, [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        return castElement(nested, nestedLoc, elements[0], type.getElementType(), op.getSaturate());
      });
  op.getResult().replaceAllUsesWith(result);
  return success();
}

} // namespace tilec::host
