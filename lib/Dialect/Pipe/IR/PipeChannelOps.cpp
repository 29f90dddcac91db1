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
  auto channel = getChannel().getDefiningOp<ChannelOp>();
  bool byThreads = channel && (channel.getCopiers() || channel.getPosted());
  int64_t least = byThreads ? 0 : 1; // what threads write is not announced
  if (bytes < least || bytes > slotBytes)
    return emitOpError() << "expected " << least << " to " << slotBytes
                         << " bytes, which a slot has, found " << bytes;
  return verifyInRole(*this);
}

LogicalResult CommitOp::verify() { return verifyInRole(*this); }
LogicalResult ReleaseOp::verify() { return verifyInRole(*this); }

tilec::TilePart LoadOp::getPart() {
  ArrayRef<int64_t> shape = getWindow().getType().getShape();
  int64_t row = getAt() ? (*getAt())[0] : 0, column = getAt() ? (*getAt())[1] : 0;
  return {row, ShapedType::getNumElements(shape.drop_back()), column, shape.back()};
}

/// Of a load that says `at`.
static LogicalResult verifyPart(LoadOp op) {
  if (op.getAt()->size() != 2)
    return op.emitOpError() << "expected a row and a column in 'at', found " << op.getAt()->size()
                            << " numbers";
  tilec::TilePart part = op.getPart();
  tilec::SharedLayout slot = op.getChannel().getType().getSlot().getLayout();
  if (part.row < 0 || part.column < 0 || part.endRow() > slot.rows() ||
      part.endColumn() > slot.shape.back())
    return op.emitOpError() << "expected a part of the slot's " << slot.rows() << " rows of "
                            << slot.shape.back() << " elements, found rows " << part.row << " to "
                            << part.endRow() << ", elements " << part.column << " to "
                            << part.endColumn();
  if (std::string problem = slot.tmaProblem(part); !problem.empty())
    return op.emitOpError() << "expected a part that TMA can write; " << problem;
  return success();
}

LogicalResult LoadOp::verify() {
  tile::WindowType window = getWindow().getType();
  tile::SharedType slot = getChannel().getType().getSlot();
  if (window.getShape().empty() || window.getElementType() != slot.getElementType() ||
      (!getAt() && window.getShape() != slot.getShape()))
    return emitOpError() << "expected a window of the slot's shape and element type, found "
                         << window << " and " << slot;
  if (getAt() && failed(verifyPart(*this)))
    return failure();
  if (static_cast<int64_t>(getMap()) < 0)
    return emitOpError() << "expected the number of a tensor map, found "
                         << static_cast<int64_t>(getMap());
  return verifyInRole(*this);
}

LogicalResult GatherOp::verify() {
  tile::WindowType window = getWindow().getType();
  tile::SharedType slot = getChannel().getType().getSlot();
  auto index = cast<RankedTensorType>(getIndex().getType());
  if (window.getShape() != slot.getShape() || window.getElementType() != slot.getElementType())
    return emitOpError() << "expected a window of the slot's shape and element type, found "
                         << window << " and " << slot;
  auto rank = static_cast<int64_t>(slot.getShape().size());
  if (static_cast<int64_t>(getAxis()) < 0 || static_cast<int64_t>(getAxis()) >= rank - 1)
    return emitOpError() << "expected an axis of rows, 0 to " << rank - 2 << ", found "
                         << static_cast<int64_t>(getAxis());
  if (index.getRank() != 1 || index.getDimSize(0) != slot.getShape()[getAxis()] ||
      !index.getElementType().isInteger())
    return emitOpError() << "expected " << slot.getShape()[getAxis()]
                         << " whole numbers as the index, found " << index;
  if (auto channel = getChannel().getDefiningOp<ChannelOp>(); channel && !channel.getCopiers())
    return emitOpError("fills a channel that has no 'copiers', whose arrivals make a slot full");
  return verifyInRole(*this);
}

LogicalResult PostOp::verify() {
  tile::SharedType slot = getChannel().getType().getSlot();
  if (slot.getShape() != ArrayRef<int64_t>{1} || !slot.getElementType().isInteger(64))
    return emitOpError() << "expected a slot of one i64, found " << slot;
  if (auto channel = getChannel().getDefiningOp<ChannelOp>(); channel && !channel.getPosted())
    return emitOpError("fills a channel that is not 'posted', whose arrivals make a slot full");
  return verifyInRole(*this);
}

/// True if both are the same bytes, with rows counted along other axes.
static bool sameBytes(tile::SharedType a, tile::SharedType b) {
  return a == b || (a.getElementType() == b.getElementType() && a.getSwizzle() == b.getSwizzle() &&
                    a.getShape().back() == b.getShape().back() &&
                    a.getLayout().rows() == b.getLayout().rows());
}

LogicalResult WaitOp::verify() {
  if (!sameBytes(getSlot().getType(), getChannel().getType().getSlot()))
    return emitOpError() << "expected the channel's slot type " << getChannel().getType().getSlot()
                         << " or one with its rows along other axes, found " << getSlot().getType();
  return verifyInRole(*this);
}
