//===- SMCopyOps.cpp - memory accesses and asynchronous copies ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMCopyOps.cpp.inc"

/// One access moves a power of two of bytes, at most 16; an i1 travels as one byte.
static LogicalResult verifyAccess(Operation *op, Type type) {
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type))
    count = vector.getNumElements();
  Type element = getElementTypeOrSelf(type);
  unsigned width = element.getIntOrFloatBitWidth();
  if (width == 1)
    return op->emitOpError("expected elements of whole bytes, found ")
           << type << "; extend i1 to i8 first";
  int64_t bits = count * width;
  if (!llvm::isPowerOf2_64(bits) || bits < 8 || bits > 128)
    return op->emitOpError("expected a value of 1, 2, 4, 8 or 16 bytes, found ")
           << type << " of " << bits << " bits; split it";
  return success();
}

LogicalResult LoadGlobalOp::verify() { return verifyAccess(*this, getType()); }
LogicalResult LoadSharedOp::verify() { return verifyAccess(*this, getType()); }
LogicalResult StoreGlobalOp::verify() { return verifyAccess(*this, getValue().getType()); }
LogicalResult StoreSharedOp::verify() { return verifyAccess(*this, getValue().getType()); }

LogicalResult CpAsyncOp::verify() {
  if (!llvm::is_contained({4, 8, 16}, getBytes()))
    return emitOpError("expected 4, 8 or 16 bytes, found ") << getBytes();
  APInt source;
  if (matchPattern(getSourceBytes(), m_ConstantInt(&source)) &&
      (source.isNegative() || source.sgt(getBytes())))
    return emitOpError("expected 0 to ")
           << getBytes() << " source bytes, found " << source.getSExtValue();
  return success();
}

static LogicalResult verifyPending(Operation *op, int64_t pending) {
  if (pending < 0)
    return op->emitOpError("expected pending of at least 0, found ") << pending;
  return success();
}

LogicalResult CpAsyncWaitOp::verify() { return verifyPending(*this, getPending()); }
LogicalResult TmaWaitOp::verify() { return verifyPending(*this, getPending()); }

static LogicalResult verifyCoordinates(Operation *op, size_t count) {
  if (count < 1 || count > 5)
    return op->emitOpError("expected 1 to 5 coordinates, found ") << count;
  return success();
}

LogicalResult TmaLoadOp::verify() { return verifyCoordinates(*this, getCoordinates().size()); }
LogicalResult TmaStoreOp::verify() { return verifyCoordinates(*this, getCoordinates().size()); }

LogicalResult BulkLoadOp::verify() {
  APInt bytes;
  if (matchPattern(getBytes(), m_ConstantInt(&bytes)) && (bytes.isNegative() || bytes.urem(16)))
    return emitOpError("expected a multiple of 16 bytes, found ") << bytes.getSExtValue();
  return success();
}
