//===- Reshape.cpp - axes taken apart, joined, reordered; parts of tiles --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilec::host {

/// Each axis of the joined tile as those of the other one: two for `axis`.
static SmallVector<ReassociationIndices> groupsOfAxes(int64_t joinedRank, int64_t axis) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0, next = 0; i < joinedRank; ++i) {
    ReassociationIndices &group = groups.emplace_back(1, next++);
    if (i == axis)
      group.push_back(next++);
  }
  return groups;
}

LogicalResult lower(tile::SplitOp op, OpBuilder &b, KernelState &state) {
  auto groups = groupsOfAxes(op.getSource().getType().getRank(), op.getAxis());
  op.getResult().replaceAllUsesWith(
      tensor::ExpandShapeOp::create(b, op.getLoc(), op.getType(), op.getSource(), groups));
  return success();
}

LogicalResult lower(tile::JoinOp op, OpBuilder &b, KernelState &state) {
  auto groups = groupsOfAxes(op.getType().getRank(), op.getAxis());
  op.getResult().replaceAllUsesWith(
      tensor::CollapseShapeOp::create(b, op.getLoc(), op.getType(), op.getSource(), groups));
  return success();
}

LogicalResult lower(tile::PermuteOp op, OpBuilder &b, KernelState &state) {
  RankedTensorType type = op.getType();
  unsigned rank = type.getRank();
  SmallVector<unsigned> loops(rank); // axis dims[k] of the source runs with loop k
  for (auto [axis, dim] : llvm::enumerate(op.getDims()))
    loops[dim] = axis;
  GenericSpec spec{
      {op.getSource()},
      buildEmpty(b, op.getLoc(), type.getShape(), type.getElementType()),
      {AffineMap::getPermutationMap(loops, b.getContext()), b.getMultiDimIdentityMap(rank)},
      rank};
  op.getResult().replaceAllUsesWith(
      buildGeneric(b, op.getLoc(), spec,
                   [](OpBuilder &, Location, ValueRange elements) { return elements[0]; }));
  return success();
}

namespace {
/// The rectangle of a tile at one position of an axis.
struct Plane {
  SmallVector<OpFoldResult> offsets, sizes, strides;

  Plane(OpBuilder &b, ArrayRef<int64_t> shape, int64_t axis, int64_t position)
      : strides(shape.size(), b.getIndexAttr(1)) {
    for (auto [dim, extent] : llvm::enumerate(shape)) {
      bool fixed = static_cast<int64_t>(dim) == axis;
      offsets.push_back(b.getIndexAttr(fixed ? position : 0));
      sizes.push_back(b.getIndexAttr(fixed ? 1 : extent));
    }
  }
};
} // namespace

LogicalResult lower(tile::TakeOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  int64_t position = op.getPosition();
  Value result;
  if (auto type = dyn_cast<RankedTensorType>(op.getType())) {
    Plane plane(b, op.getSource().getType().getShape(), op.getAxis(), position);
    result = tensor::ExtractSliceOp::create(b, loc, type, op.getSource(), plane.offsets,
                                            plane.sizes, plane.strides);
  } else {
    result = tensor::ExtractOp::create(b, loc, op.getSource(), indexConstant(b, loc, position));
  }
  op.getResult().replaceAllUsesWith(result);
  return success();
}

LogicalResult lower(tile::StackOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getType();
  Value result = buildEmpty(b, loc, type.getShape(), type.getElementType());
  for (auto [position, source] : llvm::enumerate(op.getSources())) {
    Plane plane(b, type.getShape(), op.getAxis(), position);
    result = tensor::InsertSliceOp::create(b, loc, source, result, plane.offsets, plane.sizes,
                                           plane.strides);
  }
  op.getResult().replaceAllUsesWith(result);
  return success();
}

LogicalResult lower(tile::SliceOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  FailureOr<Value> source = state.buffer(op, op.getSource());
  if (failed(source))
    return failure();
  SmallVector<OpFoldResult> offsets, sizes;
  for (auto [offset, extent] : llvm::zip(op.getOffsets(), op.getSizes())) {
    offsets.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), offset).getResult());
    sizes.push_back(b.getIndexAttr(extent));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  auto type = cast<MemRefType>(memref::SubViewOp::inferRankReducedResultType(
      op.getType().getShape(), cast<MemRefType>(source->getType()), offsets, sizes, strides));
  state.buffers[op.getResult()] =
      memref::SubViewOp::create(b, loc, type, *source, offsets, sizes, strides);
  return success();
}

Value splitRows(OpBuilder &b, Location loc, Value shared, ArrayRef<int64_t> shape) {
  auto type = cast<MemRefType>(shared.getType());
  if (type.getShape() == shape)
    return shared;
  SmallVector<ReassociationIndices> groups;
  size_t next = 0;
  for (int64_t extent : type.getShape()) {
    ReassociationIndices &group = groups.emplace_back(1, next);
    int64_t covered = shape[next++];
    bool last = groups.size() == type.getShape().size();
    while (last ? next < shape.size() : covered < extent) {
      covered *= shape[next];
      group.push_back(next++);
    }
  }
  return memref::ExpandShapeOp::create(b, loc, shape, shared, groups);
}

} // namespace tilec::host
