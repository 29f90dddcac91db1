//===- PipeChannelOps.cpp - rings of slots between the roles -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeChannelOps.cpp.inc"

/// Offsets as swizzles and mbarriers need them; the pass that sets one sets the other.
LogicalResult ChannelOp::verify() {
  constexpr int64_t swizzlePeriod = 1024, barrierBytes = 8;
  if (getOffset().has_value() != getBarriers().has_value())
    return emitOpError("expected 'offset' and 'barriers' together");
  if (!getOffset())
    return success();
  auto offset = static_cast<int64_t>(*getOffset()), barriers = static_cast<int64_t>(*getBarriers());
  if (offset < 0 || offset % swizzlePeriod != 0)
    return emitOpError() << "expected an offset that is a multiple of " << swizzlePeriod
                         << " bytes, found " << offset;
  if (barriers < 0 || barriers % barrierBytes != 0)
    return emitOpError() << "expected barriers at a multiple of " << barrierBytes
                         << " bytes, found " << barriers;
  return success();
}

/// Which role it is that an operation stands in, SpecializeOp checks.
static LogicalResult verifyInRole(Operation *op) {
  if (op->getParentOfType<SpecializeOp>())
    return success();
  return op->emitOpError("expected to stand in a role, inside of 'pipe.specialize'");
}

LogicalResult AcquireOp::verify() {
  auto bytes = static_cast<int64_t>(getBytes());
  int64_t slotBytes = getChannel().getType().getSlot().getLayout().bytes();
  if (bytes < 1 || bytes > slotBytes)
    return emitOpError() << "expected 1 to " << slotBytes << " bytes, which a slot has, found "
                         << bytes;
  return verifyInRole(*this);
}

LogicalResult CommitOp::verify() { return verifyInRole(*this); }
LogicalResult ReleaseOp::verify() { return verifyInRole(*this); }

LogicalResult LoadOp::verify() {
  tile::WindowType window = getWindow().getType();
  tile::SharedType slot = getChannel().getType().getSlot();
  if (window.getShape() != slot.getShape() || window.getElementType() != slot.getElementType())
    return emitOpError() << "expected a window of the slot's shape and element type, found "
                         << window << " and " << slot;
  if (static_cast<int64_t>(getMap()) < 0)
    return emitOpError() << "expected the number of a tensor map, found "
                         << static_cast<int64_t>(getMap());
  return verifyInRole(*this);
}

LogicalResult WaitOp::verify() {
  if (getSlot().getType() != getChannel().getType().getSlot())
    return emitOpError() << "expected the channel's slot type " << getChannel().getType().getSlot()
                         << ", found " << getSlot().getType();
  return verifyInRole(*this);
}
