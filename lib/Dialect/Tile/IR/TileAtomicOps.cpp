//===- TileAtomicOps.cpp - atomic operations and fences -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Shaped.h"

#include "tilec/Dialect/Tile/IR/Indexed.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileAtomicOps.cpp.inc"

static LogicalResult verifyKind(Operation *op, AtomicKind kind, Type element, bool hasCompare) {
  bool floats = kind == AtomicKind::Add || kind == AtomicKind::Max || kind == AtomicKind::Min ||
                kind == AtomicKind::Exch;
  if (!element.isInteger(32) && !element.isInteger(64) && !(element.isF32() && floats))
    return op->emitOpError() << "atomic " << stringifyAtomicKind(kind) << " works on i32"
                             << (floats ? ", i64 and f32" : " and i64") << ", found " << element;
  if (hasCompare != (kind == AtomicKind::Cas))
    return op->emitOpError() << (hasCompare ? "only cas takes a 'compare' operand, found "
                                            : "expected a 'compare' operand for ")
                             << stringifyAtomicKind(kind);
  return success();
}

LogicalResult AtomicOp::verify() {
  RankedTensorType value = getValue().getType();
  if (failed(verifyKind(*this, getKind(), value.getElementType(), static_cast<bool>(getCompare()))))
    return failure();
  for (Value other : {Value(getCompare()), Value(getOld())})
    if (other && other.getType() != value)
      return emitOpError() << "expected 'compare' and the old value to be " << value << ", found "
                           << other.getType();
  if (static_cast<bool>(getIndex()) != getAxis().has_value())
    return emitOpError("expected an index and its axis together");
  if (failed(verifySameTile(*this, getTarget().getType(), value, getAxis())))
    return failure();
  if (getIndex())
    return verifyIndexed(*this, value, getIndex().getType(), getMask(), *getAxis(), false);
  if (!getMask())
    return success();
  RankedTensorType mask = getMask().getType();
  if (mask.getShape() != value.getShape() || !mask.getElementType().isInteger(1))
    return emitOpError() << "expected a mask of i1 with the tile's shape, found " << mask;
  return success();
}

LogicalResult AtomicScalarOp::verify() {
  Type value = getValue().getType(), target = getTarget().getType();
  if (failed(verifyKind(*this, getKind(), value, static_cast<bool>(getCompare()))))
    return failure();
  for (Value other : {Value(getCompare()), Value(getOld())})
    if (other && other.getType() != value)
      return emitOpError() << "expected 'compare' and the old value to be " << value << ", found "
                           << other.getType();
  auto global = dyn_cast<GlobalType>(target);
  Type element = global ? global.getElementType() : cast<SharedType>(target).getElementType();
  size_t rank = global ? global.getShape().size() : cast<SharedType>(target).getShape().size();
  if (element != value)
    return emitOpError() << "expected memory of " << value << ", found " << element;
  if (getIndices().size() != rank)
    return emitOpError() << "expected one index per dimension of the memory (" << rank
                         << "), found " << getIndices().size();
  return success();
}

LogicalResult FenceOp::verify() {
  if (getOrder() == MemoryOrder::Relaxed)
    return emitOpError("a relaxed fence orders nothing; expected acquire, release or acq_rel");
  return success();
}
