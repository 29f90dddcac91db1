//===- Gemm.cpp - matrix products in f32 ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Both operands are brought to row-major f32, [M, K] and [K, N], so that the product itself is one
// `linalg.matmul` whose innermost loop runs over neighbours in memory. A grouped product is one
// `linalg.batch_matmul`, [G, M / G, K] by [G, K, N].
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;

namespace tilec::host {

static Value toF32(OpBuilder &b, Location loc, Value element) {
  Type f32 = b.getF32Type();
  if (element.getType() == f32)
    return element;
  return arith::ExtFOp::create(b, loc, f32, element);
}

/// The operand as an f32 tensor, its last two axes transposed if asked. A shared tile is copied
/// where `b` stands.
static Value operandMatrix(OpBuilder &b, Location loc, Value operand, bool transpose) {
  auto type = cast<ShapedType>(operand.getType());
  bool isBuffer = isa<MemRefType>(type);
  if (!isBuffer && !transpose && type.getElementType().isF32())
    return operand;
  SmallVector<int64_t> shape(type.getShape());
  auto rank = static_cast<unsigned>(shape.size());
  auto order = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  if (transpose) {
    std::swap(shape[rank - 2], shape[rank - 1]);
    std::swap(order[rank - 2], order[rank - 1]);
  }
  AffineMap read = AffineMap::getPermutationMap(order, b.getContext());
  GenericSpec spec{{operand}, {}, {read, b.getMultiDimIdentityMap(rank)}, rank};
  spec.output = isBuffer ? memref::AllocOp::create(b, loc, MemRefType::get(shape, b.getF32Type()),
                                                   b.getI64IntegerAttr(64))
                         : buildEmpty(b, loc, shape, b.getF32Type());
  Value result =
      buildGeneric(b, loc, spec, [](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        return toF32(nested, nestedLoc, elements[0]);
      });
  return isBuffer ? buildOwnedTensor(b, loc, spec.output) : result;
}

LogicalResult lower(tile::GemmOp op, OpBuilder &b, KernelState &state) {
  auto operand = [&](Value value) -> FailureOr<Value> {
    return isa<RankedTensorType>(value.getType()) ? FailureOr<Value>(value)
                                                  : state.buffer(op, value);
  };
  FailureOr<Value> a = operand(op.getA()), rhs = operand(op.getB());
  if (failed(a) || failed(rhs))
    return failure();
  Value lhsMatrix = operandMatrix(b, op.getLoc(), *a, op.getTransposeA());
  Value rhsMatrix = operandMatrix(b, op.getLoc(), *rhs, op.getTransposeB());
  Value result = op.isGrouped()
                     ? buildGroupedMatmul(b, op.getLoc(), lhsMatrix, rhsMatrix, op.getAcc())
                     : buildMatmul(b, op.getLoc(), lhsMatrix, rhsMatrix, op.getAcc());
  op.getResult().replaceAllUsesWith(result);
  return success();
}

} // namespace tilec::host
