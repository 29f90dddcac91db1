//===- SMAtomicOps.cpp - atomic operations and memory fences --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMAtomicOps.cpp.inc"

template <class Op> static LogicalResult verifyAtomic(Op op) {
  Type type = op.getValue().getType();
  AtomicKind kind = op.getKind();
  if (type.isF32() && kind != AtomicKind::Add && kind != AtomicKind::Exch)
    return op.emitOpError() << stringifyAtomicKind(kind)
                            << " has no instruction for f32; expected i32 or i64";
  if (kind == AtomicKind::Inc && !type.isInteger(32))
    return op.emitOpError() << "inc has an instruction for i32 only, found " << type;
  if (static_cast<bool>(op.getCompare()) != (kind == AtomicKind::Cas))
    return op.emitOpError() << "expected 'compare' with cas and only there, found "
                            << stringifyAtomicKind(kind);
  for (Value other : {op.getCompare(), op.getOld()})
    if (other && other.getType() != type)
      return op.emitOpError() << "expected 'compare' and the old value to be " << type << ", found "
                              << other.getType();
  return success();
}

LogicalResult AtomicGlobalOp::verify() { return verifyAtomic(*this); }
LogicalResult AtomicSharedOp::verify() { return verifyAtomic(*this); }

LogicalResult FenceOp::verify() {
  if (getOrder() == MemoryOrder::Relaxed)
    return emitOpError("a relaxed fence orders nothing; expected acquire, release or acq_rel");
  return success();
}
