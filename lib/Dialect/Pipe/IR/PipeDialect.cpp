//===- PipeDialect.cpp - registration and types ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::pipe;

#include "tilec/Dialect/Pipe/IR/PipeDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeTypes.cpp.inc"

void PipeDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilec/Dialect/Pipe/IR/PipeTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/Pipe/IR/PipeChannelOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Pipe/IR/PipeMatrixOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Pipe/IR/PipeRoleOps.cpp.inc"
      >();
}

LogicalResult ChannelType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  tile::SharedType slot, int64_t stages) {
  if (stages < 1)
    return emitError() << "expected one stage or more, found " << stages;
  return slot.verifyRows(emitError);
}
