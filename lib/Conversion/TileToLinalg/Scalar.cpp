//===- Scalar.cpp - single elements of global tensors and shared tiles ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;

namespace tilec::host {

Value isInside(OpBuilder &b, Location loc, Value memref, ValueRange indices,
               SmallVectorImpl<Value> &converted) {
  Value inside = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value position = arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
    Value extent = memref::DimOp::create(b, loc, memref, dim);
    // As unsigned numbers, one comparison covers both ends.
    Value here = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, position, extent);
    inside = arith::AndIOp::create(b, loc, inside, here);
    converted.push_back(position);
  }
  return inside;
}

LogicalResult lower(tile::LoadScalarOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  FailureOr<Value> tensor = state.buffer(op, op.getSource());
  if (failed(tensor))
    return failure();
  Type type = op.getResult().getType();
  SmallVector<Value> indices;
  Value inside = isInside(b, loc, *tensor, op.getIndices(), indices);
  auto choice = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &nested, Location nestedLoc) {
        scf::YieldOp::create(nested, nestedLoc,
                             loadElement(nested, nestedLoc, *tensor, indices, type));
      },
      [&](OpBuilder &nested, Location nestedLoc) {
        scf::YieldOp::create(nested, nestedLoc, padConstant(nested, nestedLoc, op.getPad(), type));
      });
  op.getResult().replaceAllUsesWith(choice.getResult(0));
  return success();
}

LogicalResult lower(tile::StoreScalarOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  FailureOr<Value> tensor = state.buffer(op, op.getTarget());
  if (failed(tensor))
    return failure();
  SmallVector<Value> indices;
  Value inside = isInside(b, loc, *tensor, op.getIndices(), indices);
  scf::IfOp::create(b, loc, inside, [&](OpBuilder &nested, Location nestedLoc) {
    storeElement(nested, nestedLoc, op.getValue(), *tensor, indices);
    scf::YieldOp::create(nested, nestedLoc);
  });
  return success();
}

} // namespace tilec::host
