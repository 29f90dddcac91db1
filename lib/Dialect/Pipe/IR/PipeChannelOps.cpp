//===- PipeChannelOps.cpp - rings of slots between the roles -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeChannelOps.cpp.inc"

LogicalResult LoadOp::verify() {
  tile::WindowType window = getWindow().getType();
  tile::SharedType slot = getChannel().getType().getSlot();
  if (window.getShape() != slot.getShape() || window.getElementType() != slot.getElementType())
    return emitOpError() << "expected a window of the slot's shape and element type, found "
                         << window << " and " << slot;
  return success();
}

LogicalResult WaitOp::verify() {
  if (getSlot().getType() != getChannel().getType().getSlot())
    return emitOpError() << "expected the channel's slot type " << getChannel().getType().getSlot()
                         << ", found " << getSlot().getType();
  return success();
}
