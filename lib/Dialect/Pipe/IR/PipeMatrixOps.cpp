//===- PipeMatrixOps.cpp - matrix products in flight -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeMatrixOps.cpp.inc"

LogicalResult MmaOp::verify() {
  Type acc = getAcc().getType();
  if (auto inflight = dyn_cast<InflightType>(acc))
    acc = inflight.getTensor();
  if (acc != getResult().getType().getTensor())
    return emitOpError() << "expected a result in flight of the accumulator's type " << acc
                         << ", found " << getResult().getType().getTensor();
  return success();
}

LogicalResult MmaWaitOp::verify() {
  if (getResult().getType() != getInflight().getType().getTensor())
    return emitOpError() << "expected the finished accumulator's type "
                         << getInflight().getType().getTensor() << ", found "
                         << getResult().getType();
  if (static_cast<int64_t>(getPending()) < 0)
    return emitOpError() << "expected a number of pending groups of 0 or more, found "
                         << static_cast<int64_t>(getPending());
  return success();
}
