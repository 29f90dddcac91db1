//===- SMWarpOps.cpp - who a thread is, and exchange within a warp --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMWarpOps.cpp.inc"

LogicalResult ShuffleOp::verify() {
  Type type = getType();
  int64_t bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  auto vector = dyn_cast<VectorType>(type);
  if (vector)
    bits *= vector.getNumElements();
  if (bits % 32 && (vector || bits > 32))
    return emitOpError("expected a scalar of at most 32 bits or a multiple of 32 bits, found ")
           << type << " of " << bits << " bits";
  return success();
}

LogicalResult SetRegistersOp::verify() {
  if (getCount() < 24 || getCount() > 256 || getCount() % 8)
    return emitOpError("expected a multiple of 8 registers from 24 to 256, found ") << getCount();
  return success();
}

/// `sm-draw-items` rewrites the loop and all that stands in it.
static LogicalResult verifyInItemLoop(Operation *op) {
  auto loop = dyn_cast_or_null<scf::ForOp>(op->getParentOp());
  if (!loop || !loop->hasAttr("tile.tile_loop"))
    return op->emitOpError(
        "expected to stand directly in a loop over work items, an 'scf.for' with "
        "'tile.tile_loop'");
  int64_t found = llvm::range_size(loop.getOps<GoToItemOp>());
  if (found != 1)
    return op->emitOpError("expected one 'sm.go_to_item' in its loop, found ") << found;
  return success();
}

LogicalResult DrawItemOp::verify() { return verifyInItemLoop(*this); }
LogicalResult GoToItemOp::verify() { return verifyInItemLoop(*this); }
