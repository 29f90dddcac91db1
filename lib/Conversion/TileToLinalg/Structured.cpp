//===- Structured.cpp - builders for linalg and bufferization ops ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilec::host {

Value buildGeneric(OpBuilder &b, Location loc, const GenericSpec &spec,
                   function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<utils::IteratorType> iterators(spec.numLoops, utils::IteratorType::parallel);
  for (unsigned loop : spec.reductions)
    iterators[loop] = utils::IteratorType::reduction;
  SmallVector<Type> results;
  if (isa<RankedTensorType>(spec.output.getType()))
    results.push_back(spec.output.getType());
  auto generic = linalg::GenericOp::create(
      b, loc, results, spec.inputs, spec.output, spec.maps, iterators,
      [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        linalg::YieldOp::create(nested, nestedLoc, body(nested, nestedLoc, elements));
      });
  return results.empty() ? Value() : generic.getResult(0);
}

Value buildPosition(OpBuilder &b, Location loc, int64_t dim) {
  Value index = linalg::IndexOp::create(b, loc, dim);
  return arith::IndexCastOp::create(b, loc, b.getI32Type(), index);
}

Value buildEmpty(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(b, loc, shape, element);
}

Value buildSplat(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Value scalar) {
  Value empty = buildEmpty(b, loc, shape, scalar.getType());
  return linalg::FillOp::create(b, loc, scalar, empty).getResult(0);
}

void buildFill(OpBuilder &b, Location loc, Value scalar, Value target) {
  linalg::FillOp::create(b, loc, scalar, target);
}

Value buildMatmul(OpBuilder &b, Location loc, Value lhs, Value rhs, Value acc) {
  return linalg::MatmulOp::create(b, loc, TypeRange{acc.getType()}, ValueRange{lhs, rhs},
                                  ValueRange{acc})
      .getResult(0);
}

Value buildGroupedMatmul(OpBuilder &b, Location loc, Value lhs, Value rhs, Value acc) {
  SmallVector<ReassociationIndices> runs{{0, 1}, {2}};
  int64_t groups = cast<RankedTensorType>(rhs.getType()).getDimSize(0);
  auto byRuns = [&](Value matrix) -> Value {
    auto type = cast<RankedTensorType>(matrix.getType());
    int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
    auto split = RankedTensorType::get({groups, rows / groups, columns}, type.getElementType());
    return tensor::ExpandShapeOp::create(b, loc, split, matrix, runs);
  };
  Value sums = byRuns(acc);
  Value result = linalg::BatchMatmulOp::create(b, loc, TypeRange{sums.getType()},
                                               ValueRange{byRuns(lhs), rhs}, ValueRange{sums})
                     .getResult(0);
  return tensor::CollapseShapeOp::create(b, loc, cast<RankedTensorType>(acc.getType()), result,
                                         runs);
}

Value buildOwnedTensor(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  return bufferization::ToTensorOp::create(
      b, loc, RankedTensorType::get(type.getShape(), type.getElementType()), buffer,
      /*restrict=*/true, /*writable=*/true);
}

} // namespace tilec::host
