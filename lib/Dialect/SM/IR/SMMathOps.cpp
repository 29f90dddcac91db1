//===- SMMathOps.cpp - approximate functions and packed conversions -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMMathOps.cpp.inc"

/// Packed conversions keep the length, and take their elements in pairs.
static LogicalResult verifyPairs(Operation *op, Type source, Type result) {
  int64_t from = cast<VectorType>(source).getNumElements();
  int64_t to = cast<VectorType>(result).getNumElements();
  if (from != to)
    return op->emitOpError("expected as many elements in the result as in the operand, found ")
           << to << " from " << from;
  if (from % 2)
    return op->emitOpError("expected an even number of elements, found ")
           << from << "; convert a single one by arith.truncf or arith.extf";
  return success();
}

LogicalResult CvtPackOp::verify() { return verifyPairs(*this, getValue().getType(), getType()); }
LogicalResult CvtUnpackOp::verify() { return verifyPairs(*this, getValue().getType(), getType()); }
