//===- TileMemoryOps.cpp - windows, shared tiles, and moving data -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Shaped.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileMemoryOps.cpp.inc"

Shaped tile::shapedOf(Type type) {
  if (auto window = dyn_cast<WindowType>(type))
    return {window.getShape(), window.getElementType()};
  if (auto shared = dyn_cast<SharedType>(type))
    return {shared.getShape(), shared.getElementType()};
  auto tensor = cast<RankedTensorType>(type);
  return {tensor.getShape(), tensor.getElementType()};
}

LogicalResult tile::verifySameTile(Operation *op, Type memory, Type tile,
                                   std::optional<int64_t> indexed) {
  Shaped there = shapedOf(memory), here = shapedOf(tile);
  bool same = there.element == here.element && there.shape.size() == here.shape.size();
  for (int64_t axis = 0; same && axis < static_cast<int64_t>(here.shape.size()); ++axis)
    same = there.shape[axis] == here.shape[axis] || (axis == indexed && isa<SharedType>(memory));
  if (!same)
    return op->emitOpError() << "expected the same shape and element type on both sides, found "
                             << memory << " and " << tile;
  return success();
}

/// True if `rows` are the leading axes of `apart` put together, and the last axis is the same.
static bool joinsRows(ArrayRef<int64_t> rows, ArrayRef<int64_t> apart) {
  if (rows.empty() || apart.empty() || rows.back() != apart.back())
    return false;
  rows = rows.drop_back();
  apart = apart.drop_back();
  while (!rows.empty() && !apart.empty()) {
    int64_t product = apart.front();
    apart = apart.drop_front();
    while (product < rows.front() && !apart.empty()) {
      product *= apart.front();
      apart = apart.drop_front();
    }
    if (product != rows.front())
      return false;
    rows = rows.drop_front();
  }
  return rows.empty() && llvm::all_of(apart, [](int64_t extent) { return extent == 1; });
}

/// A shared tile may count the rows of a window along one axis: both are row-major.
static LogicalResult verifyCopiedTile(CopyOp op) {
  Type source = op.getSource().getType(), target = op.getTarget().getType();
  bool fromWindow = isa<WindowType>(source);
  if (isa<SharedType>(source) && isa<SharedType>(target))
    return verifySameTile(op, source, target);
  Shaped window = shapedOf(fromWindow ? source : target);
  Shaped shared = shapedOf(fromWindow ? target : source);
  if (window.element == shared.element && joinsRows(shared.shape, window.shape))
    return success();
  return verifySameTile(op, source, target);
}

LogicalResult tile::verifyPad(Operation *op, std::optional<TypedAttr> pad, Type element) {
  if (pad && pad->getType() != element)
    return op->emitOpError() << "expected a pad value of type " << element << ", found "
                             << pad->getType();
  return success();
}

LogicalResult WindowOp::verify() {
  int64_t rank = getSource().getType().getShape().size();
  ArrayRef<int64_t> shape = getResult().getType().getShape();
  if (static_cast<int64_t>(getOffsets().size()) != rank)
    return emitOpError() << "expected one offset per dimension of the tensor (" << rank
                         << "), found " << getOffsets().size();
  if (getDims().size() != shape.size())
    return emitOpError() << "expected one entry of 'dims' per axis of the window (" << shape.size()
                         << "), found " << getDims().size();
  if (!getLimits().empty() && getLimits().size() != shape.size())
    return emitOpError() << "expected one limit per axis of the window (" << shape.size()
                         << ") or none, found " << getLimits().size();
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t dim : getDims())
    if (dim < 0 || dim >= rank || !seen.insert(dim).second)
      return emitOpError() << "expected 'dims' to name distinct dimensions below " << rank
                           << ", found " << dim;
  if (getSource().getType().getElementType() != getResult().getType().getElementType())
    return emitOpError() << "expected a window of " << getSource().getType().getElementType()
                         << ", found " << getResult().getType().getElementType();
  return success();
}

LogicalResult CopyOp::verify() {
  Type source = getSource().getType(), target = getTarget().getType();
  if (isa<WindowType>(source) && isa<WindowType>(target))
    return emitOpError("expected a shared tile on one side; load and store move between windows");
  if (failed(verifyCopiedTile(*this)))
    return failure();
  return verifyPad(*this, getPad(), shapedOf(source).element);
}

LogicalResult LoadOp::verify() {
  if (failed(verifySameTile(*this, getSource().getType(), getType())))
    return failure();
  return verifyPad(*this, getPad(), shapedOf(getType()).element);
}

LogicalResult StoreOp::verify() {
  return verifySameTile(*this, getValue().getType(), getTarget().getType());
}

SmallVector<int64_t> SliceOp::getSizes() {
  ArrayRef<int64_t> part = getType().getShape();
  SmallVector<int64_t> sizes(getOffsets().size() - part.size(), 1);
  llvm::append_range(sizes, part);
  return sizes;
}

LogicalResult AllocSharedOp::verify() {
  return getType().verifyRows([&] { return emitOpError(); });
}

LogicalResult SliceOp::verify() {
  SharedType source = getSource().getType(), result = getType();
  size_t rank = source.getShape().size();
  if (result.getShape().size() > rank || getOffsets().size() != rank)
    return emitOpError() << "expected offsets for the " << rank
                         << " axes of the tile and a result of no more axes, found "
                         << result.getShape().size() << " axes and " << getOffsets().size()
                         << " offsets";
  if (source.getElementType() != result.getElementType())
    return emitOpError() << "expected elements of " << source.getElementType() << ", found "
                         << result.getElementType();
  if (source.getLayout().swizzle != result.getLayout().swizzle)
    return emitOpError() << "expected a slice with the swizzle of its tile " << source << ", found "
                         << result;
  for (auto [axis, whole, part] : llvm::enumerate(source.getShape(), getSizes()))
    if (part > whole)
      return emitOpError() << "axis " << axis << " of the tile has " << whole
                           << " elements, the slice " << part;
  return success();
}

static LogicalResult verifyElementAccess(Operation *op, Type memory, OperandRange indices,
                                         Type element) {
  auto global = dyn_cast<GlobalType>(memory);
  size_t rank = global ? global.getShape().size() : cast<SharedType>(memory).getShape().size();
  Type stored = global ? global.getElementType() : cast<SharedType>(memory).getElementType();
  if (indices.size() != rank)
    return op->emitOpError() << "expected one index per dimension of the tensor (" << rank
                             << "), found " << indices.size();
  if (stored != element)
    return op->emitOpError() << "expected an element of type " << stored << ", found " << element;
  return success();
}

LogicalResult LoadScalarOp::verify() {
  if (failed(verifyElementAccess(*this, getSource().getType(), getIndices(), getType())))
    return failure();
  return verifyPad(*this, getPad(), getType());
}

LogicalResult StoreScalarOp::verify() {
  return verifyElementAccess(*this, getTarget().getType(), getIndices(), getValue().getType());
}
