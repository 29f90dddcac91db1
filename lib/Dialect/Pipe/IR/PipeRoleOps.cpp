//===- PipeRoleOps.cpp - producer and consumers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeRoleOps.cpp.inc"

/// The barriers of all channels are made in front of the one split.
static LogicalResult verifyPlace(SpecializeOp op) {
  auto kernel = dyn_cast_or_null<tile::KernelOp>(op->getParentOp());
  if (!kernel)
    return op.emitOpError("expected to stand directly in a 'tile.kernel'");
  for (SpecializeOp other : kernel.getBody().front().getOps<SpecializeOp>())
    if (other != op && other->isBeforeInBlock(op))
      return (op.emitOpError("is the second of its kernel, expected one").attachNote(other.getLoc())
              << "the first one is here");
  return success();
}

LogicalResult SpecializeOp::verify() {
  if (failed(verifyPlace(*this)))
    return failure();
  auto misplaced = [](Region &region, bool producer) {
    return region.walk([&](Operation *op) {
      bool producerOp = isa<AcquireOp, LoadOp, GatherOp, PostOp, CommitOp, DrawItemOp>(op);
      bool consumerOp = isa<WaitOp, ReleaseOp, MmaOp, MmaDrainOp, MmaWaitOp, RoleBarrierOp,
                            TurnWaitOp, TurnPassOp>(op);
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

static LogicalResult verifyInItemLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp());
  if (!loop || !loop->hasAttr(tile::TileDialect::tileLoopAttrName))
    return op->emitOpError(
        "expected to stand directly in a loop over work items, an 'scf.for' with "
        "'tile.tile_loop'");
  int64_t found = llvm::range_size(loop.getOps<GoToItemOp>());
  if (found != 1)
    return op->emitOpError("expected one 'pipe.go_to_item' in its loop, found ") << found;
  return success();
}

LogicalResult DrawItemOp::verify() { return verifyInItemLoop(*this); }
LogicalResult GoToItemOp::verify() { return verifyInItemLoop(*this); }
