//===- Memory.cpp - shared tiles, loads, stores, copies --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A load copies into a buffer of its own. Handing the shared tile itself to `to_tensor` would let
// bufferization read the tile after a later copy into it, without a diagnostic.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilec::host {

Type memoryType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

FailureOr<Value> KernelState::buffer(Operation *user, Value handle) const {
  if (Value memref = buffers.lookup(handle))
    return memref;
  user->emitError("the host target expected a kernel argument or a 'tile.alloc_shared', found a ")
      << handle.getType() << " that control flow chose; choose the offsets instead";
  return failure();
}

/// An element read from global memory, as the kernel computes with it.
Value fromMemory(OpBuilder &b, Location loc, Value element, Type type) {
  if (element.getType() == type)
    return element;
  Value zero = arith::ConstantOp::create(b, loc, b.getZeroAttr(element.getType()));
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, element, zero);
}

static Value toMemory(OpBuilder &b, Location loc, Value element, Type type) {
  return element.getType() == type ? element : arith::ExtUIOp::create(b, loc, type, element);
}

Value loadElement(OpBuilder &b, Location loc, Value memref, ValueRange indices, Type type) {
  return fromMemory(b, loc, memref::LoadOp::create(b, loc, memref, indices), type);
}

void storeElement(OpBuilder &b, Location loc, Value element, Value memref, ValueRange indices) {
  Value converted = toMemory(b, loc, element, cast<MemRefType>(memref.getType()).getElementType());
  memref::StoreOp::create(b, loc, converted, memref, indices);
}

Value padConstant(OpBuilder &b, Location loc, std::optional<TypedAttr> pad, Type type) {
  return arith::ConstantOp::create(b, loc, pad ? *pad : cast<TypedAttr>(b.getZeroAttr(type)));
}

/// Fills `buffer` with what the window reads as: its elements, and the pad where none is.
static void readWindow(const WindowBox &box, Value pad, Value buffer, OpBuilder &b, Location loc) {
  Value partial = arith::XOrIOp::create(b, loc, box.whole,
                                        arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
  scf::IfOp::create(b, loc, partial, [&](OpBuilder &nested, Location nestedLoc) {
    buildFill(nested, nestedLoc, pad, buffer);
    scf::YieldOp::create(nested, nestedLoc);
  });
  forEachIndex(b, loc, box.begin, box.end, [&](OpBuilder &nested, ValueRange indices) {
    SmallVector<Value> source = tensorIndices(box, indices, nested, loc);
    Value element = loadElement(nested, loc, box.tensor, source, pad.getType());
    memref::StoreOp::create(nested, loc, element, buffer, indices);
  });
}

static void writeWindow(const WindowBox &box, OpBuilder &b, Location loc,
                        function_ref<Value(OpBuilder &, ValueRange)> element) {
  forEachIndex(b, loc, box.begin, box.end, [&](OpBuilder &nested, ValueRange indices) {
    SmallVector<Value> target = tensorIndices(box, indices, nested, loc);
    storeElement(nested, loc, element(nested, indices), box.tensor, target);
  });
}

LogicalResult lower(tile::AllocSharedOp op, OpBuilder &b, KernelState &state) {
  tile::SharedType type = op.getResult().getType();
  state.buffers[op.getResult()] = memref::AllocOp::create(
      b, op.getLoc(), MemRefType::get(type.getShape(), type.getElementType()),
      b.getI64IntegerAttr(64));
  return success();
}

LogicalResult lower(tile::LoadOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  auto memory = MemRefType::get(type.getShape(), type.getElementType());
  Value fresh = memref::AllocOp::create(b, loc, memory, b.getI64IntegerAttr(64));
  if (isa<tile::SharedType>(op.getSource().getType())) {
    FailureOr<Value> source = state.buffer(op, op.getSource());
    if (failed(source))
      return failure();
    memref::CopyOp::create(b, loc, *source, fresh);
  } else {
    FailureOr<WindowBox> box = resolveWindow(op, op.getSource(), b, state);
    if (failed(box))
      return failure();
    readWindow(*box, padConstant(b, loc, op.getPad(), type.getElementType()), fresh, b, loc);
  }
  op.getResult().replaceAllUsesWith(buildOwnedTensor(b, loc, fresh));
  return success();
}

LogicalResult lower(tile::StoreOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  auto element = [&](OpBuilder &nested, ValueRange indices) -> Value {
    return tensor::ExtractOp::create(nested, loc, op.getValue(), indices);
  };
  if (isa<tile::WindowType>(op.getTarget().getType())) {
    FailureOr<WindowBox> box = resolveWindow(op, op.getTarget(), b, state);
    if (failed(box))
      return failure();
    writeWindow(*box, b, loc, element);
    return success();
  }
  FailureOr<Value> target = state.buffer(op, op.getTarget());
  if (failed(target))
    return failure();
  SmallVector<Value> begin, end;
  for (int64_t size : op.getValue().getType().getShape()) {
    begin.push_back(indexConstant(b, loc, 0));
    end.push_back(indexConstant(b, loc, size));
  }
  forEachIndex(b, loc, begin, end, [&](OpBuilder &nested, ValueRange indices) {
    memref::StoreOp::create(nested, loc, element(nested, indices), *target, indices);
  });
  return success();
}

/// One end of a copy is a window, `shared` the memref of the other.
static LogicalResult copyWithWindow(tile::CopyOp op, bool read, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  FailureOr<Value> shared = state.buffer(op, read ? op.getTarget() : op.getSource());
  FailureOr<WindowBox> box = resolveWindow(op, read ? op.getSource() : op.getTarget(), b, state);
  if (failed(shared) || failed(box))
    return failure();
  auto window = cast<tile::WindowType>((read ? op.getSource() : op.getTarget()).getType());
  *shared = splitRows(b, loc, *shared, window.getShape());
  if (read) {
    Type element = cast<MemRefType>((*shared).getType()).getElementType();
    readWindow(*box, padConstant(b, loc, op.getPad(), element), *shared, b, loc);
    return success();
  }
  writeWindow(*box, b, loc, [&](OpBuilder &nested, ValueRange indices) -> Value {
    return memref::LoadOp::create(nested, loc, *shared, indices);
  });
  return success();
}

LogicalResult lower(tile::CopyOp op, OpBuilder &b, KernelState &state) {
  bool fromWindow = isa<tile::WindowType>(op.getSource().getType());
  if (fromWindow || isa<tile::WindowType>(op.getTarget().getType()))
    return copyWithWindow(op, fromWindow, b, state);
  FailureOr<Value> source = state.buffer(op, op.getSource()),
                   target = state.buffer(op, op.getTarget());
  if (failed(source) || failed(target))
    return failure();
  memref::CopyOp::create(b, op.getLoc(), *source, *target);
  return success();
}

} // namespace tilec::host
