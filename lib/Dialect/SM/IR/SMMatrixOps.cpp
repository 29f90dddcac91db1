//===- SMMatrixOps.cpp - matrix instructions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMMatrixOps.cpp.inc"

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

static LogicalResult verifyOperandTypes(Operation *op, Type a, Type b) {
  if (!isa<BFloat16Type, Float16Type>(a) && !isFloat8(a))
    return op->emitOpError("expected operands of bf16, f16, f8E4M3FN or f8E5M2, found ") << a;
  if (a != b && !(isFloat8(a) && isFloat8(b)))
    return op->emitOpError("expected operands of one type, or both of 8 bits, found ")
           << a << " and " << b;
  return success();
}

LogicalResult WgmmaOp::verify() {
  if (failed(verifyOperandTypes(*this, getType(), getElementB())))
    return failure();
  if (getN() % 8 || getN() > 256)
    return emitOpError(
               "expected an accumulator of 4, 8, ... 128 elements (n = 8, 16, ... 256), found ")
           << getAcc().getType().getNumElements() << " (n = " << getN() << ")";
  if (getTransposeA() && hasRegisterA())
    return emitOpError("expected a descriptor for a transposed a, found registers");
  if ((getTransposeA() || getTransposeB()) && getType().getIntOrFloatBitWidth() == 8)
    return emitOpError("expected K-major operands for ")
           << getType() << ", found a transposed one; only 16-bit types have transposed forms";
  return success();
}

static LogicalResult tiedTypes(ValueRange operands, SmallVectorImpl<Type> &types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

LogicalResult WgmmaFenceOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                             ValueRange operands, DictionaryAttr, OpaqueProperties,
                                             RegionRange, SmallVectorImpl<Type> &types) {
  return tiedTypes(operands, types);
}

LogicalResult WgmmaWaitOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                            ValueRange operands, DictionaryAttr, OpaqueProperties,
                                            RegionRange, SmallVectorImpl<Type> &types) {
  return tiedTypes(operands, types);
}

LogicalResult WgmmaWaitOp::verify() {
  if (getPending() < 0 || getPending() > 7)
    return emitOpError("expected pending from 0 to 7, found ") << getPending();
  return success();
}

LogicalResult MmaOp::verify() { return verifyOperandTypes(*this, getType(), getElementB()); }

static LogicalResult verifyMatrixCount(Operation *op, Type type) {
  int64_t count = cast<VectorType>(type).getNumElements();
  if (count != 1 && count != 2 && count != 4)
    return op->emitOpError("expected 1, 2 or 4 matrices (one i32 each), found ") << count;
  return success();
}

LogicalResult LdmatrixOp::verify() { return verifyMatrixCount(*this, getType()); }
LogicalResult StmatrixOp::verify() { return verifyMatrixCount(*this, getValue().getType()); }

LogicalResult AgainOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!yield || getBody().getNumArguments() != 0)
    return emitOpError("expected a body without arguments that ends in sm.yield");
  if (yield.getValue().getType() != getType())
    return emitOpError() << "expected a body that yields " << getType() << ", found "
                         << yield.getValue().getType();
  return success();
}
