//===- SM.h - the `sm` dialect -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_SM_IR_SM_H
#define TILEC_DIALECT_SM_IR_SM_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tilec/Dialect/SM/IR/SMDialect.h.inc"
#include "tilec/Dialect/SM/IR/SMEnums.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/SM/IR/SMTypes.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMAtomicOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMBarrierOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMCopyOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMDebugOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMMatrixOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMWarpOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMMathOps.h.inc"

#endif // TILEC_DIALECT_SM_IR_SM_H
