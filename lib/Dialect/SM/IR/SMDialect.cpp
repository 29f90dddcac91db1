//===- SMDialect.cpp - the `sm` dialect and its types ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::sm;

#include "tilec/Dialect/SM/IR/SMDialect.cpp.inc"
#include "tilec/Dialect/SM/IR/SMEnums.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/SM/IR/SMTypes.cpp.inc"

void SMDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilec/Dialect/SM/IR/SMTypes.cpp.inc"
      >();
}

void SMDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMAtomicOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMBarrierOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMCopyOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMDebugOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMMatrixOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMWarpOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/SM/IR/SMMathOps.cpp.inc"
      >();
}
