//===- PipeRoleOps.cpp - producer and consumers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeRoleOps.cpp.inc"

LogicalResult SpecializeOp::verify() {
  auto misplaced = [](Region &region, bool producer) {
    return region.walk([&](Operation *op) {
      bool producerOp = isa<AcquireOp, LoadOp, CommitOp>(op);
      bool consumerOp = isa<WaitOp, ReleaseOp, MmaOp, MmaDrainOp, MmaWaitOp, RoleBarrierOp, TurnWaitOp,
                            TurnPassOp>(op);
      if (!(producer ? consumerOp : producerOp))
        return WalkResult::advance();
      op->emitOpError() << "stands in the " << (producer ? "producer" : "consumer")
                        << "'s region, expected the " << (producer ? "consumer" : "producer")
                        << "'s";
      return WalkResult::interrupt();
    });
  };
  return failure(misplaced(getProducer(), true).wasInterrupted() ||
                 misplaced(getConsumer(), false).wasInterrupted());
}
