//===- Shape.cpp - positions and repetitions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;

namespace tilec::host {

LogicalResult lower(tile::IotaOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  GenericSpec spec{{},
                   buildEmpty(b, loc, type.getShape(), type.getElementType()),
                   {b.getMultiDimIdentityMap(1)},
                   1};
  Value result = buildGeneric(b, loc, spec, [](OpBuilder &nested, Location nestedLoc, ValueRange) {
    return buildPosition(nested, nestedLoc, 0);
  });
  op.getResult().replaceAllUsesWith(result);
  return success();
}

/// The source's axes among the result's, as a map from the result's loops.
static AffineMap projection(OpBuilder &b, unsigned rank, ArrayRef<int64_t> dims) {
  SmallVector<AffineExpr> exprs;
  for (int64_t dim : dims)
    exprs.push_back(b.getAffineDimExpr(dim));
  return AffineMap::get(rank, 0, exprs, b.getContext());
}

LogicalResult lower(tile::BroadcastOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  if (!isa<RankedTensorType>(op.getSource().getType())) {
    op.getResult().replaceAllUsesWith(buildSplat(b, loc, type.getShape(), op.getSource()));
    return success();
  }
  unsigned rank = type.getRank();
  GenericSpec spec{{op.getSource()},
                   buildEmpty(b, loc, type.getShape(), type.getElementType()),
                   {projection(b, rank, op.getDims()), b.getMultiDimIdentityMap(rank)},
                   rank};
  Value result = buildGeneric(
      b, loc, spec, [](OpBuilder &, Location, ValueRange elements) { return elements[0]; });
  op.getResult().replaceAllUsesWith(result);
  return success();
}

LogicalResult lower(tile::ConvertLayoutOp op, OpBuilder &b, KernelState &state) {
  op.getResult().replaceAllUsesWith(op.getSource());
  return success();
}

void lowerScalarSelect(arith::SelectOp op, OpBuilder &b) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || isa<RankedTensorType>(op.getCondition().getType()))
    return;
  op.getConditionMutable().set(buildSplat(b, op.getLoc(), type.getShape(), op.getCondition()));
}

} // namespace tilec::host
