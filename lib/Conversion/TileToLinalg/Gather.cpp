//===- Gather.cpp - rows and elements at an index tile --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows at an index of rank 1 are walked with the index outermost, so that each row is looked up
// once and then moved in the order of memory.
//
//===----------------------------------------------------------------------===//
#include "Indexed.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilec::host {

FailureOr<Indexed> indexedTile(Operation *op, Value memory, ArrayRef<int64_t> shape, Value index,
                               Value mask, int64_t axis, OpBuilder &b, KernelState &state) {
  Indexed tile{op->getLoc(), shape, {}, {}, index, mask, axis};
  if (isa<tile::WindowType>(memory.getType())) {
    FailureOr<WindowBox> box = resolveWindow(op, memory, b, state);
    if (failed(box))
      return failure();
    tile.box = *box;
    tile.memory = box->tensor;
    return tile;
  }
  FailureOr<Value> buffer = state.buffer(op, memory);
  if (failed(buffer))
    return failure();
  tile.memory = *buffer;
  return tile;
}

/// The same of an operation's index and mask.
template <typename Op>
static FailureOr<Indexed> indexedTile(Op op, Value memory, ArrayRef<int64_t> shape, OpBuilder &b,
                                      KernelState &state) {
  return indexedTile(op, memory, shape, op.getIndex(), op.getMask(),
                     static_cast<int64_t>(op.getAxis()), b, state);
}

/// The first coordinate past what is there along the axis (i64).
Value Indexed::bound(OpBuilder &b) const {
  if (box)
    return box->bound[axis];
  int64_t extent = cast<MemRefType>(memory.getType()).getDimSize(axis);
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(extent));
}

/// Whether the element at `position` (i64, relative to the window) is there.
Value Indexed::isThere(OpBuilder &b, Value position, ValueRange indices) const {
  Value coordinate = position;
  if (box)
    coordinate = arith::AddIOp::create(b, loc, box->origin[box->dims[axis]], position);
  // As unsigned numbers, one comparison covers both ends.
  Value there = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, coordinate, bound(b));
  if (box && box->fixedInside)
    there = arith::AndIOp::create(b, loc, there, box->fixedInside);
  if (mask)
    there = arith::AndIOp::create(b, loc, there, tensor::ExtractOp::create(b, loc, mask, indices));
  return there;
}

/// Looks up the index at `lookup` and calls `body` under the test that it is there.
void Indexed::visit(OpBuilder &b, ValueRange lookup,
                    function_ref<void(OpBuilder &, Value position)> body) const {
  Value position = tensor::ExtractOp::create(b, loc, index, lookup);
  if (!position.getType().isInteger(64))
    position = arith::ExtSIOp::create(b, loc, b.getI64Type(), position);
  scf::IfOp::create(b, loc, isThere(b, position, lookup), [&](OpBuilder &nested, Location) {
    body(nested, arith::IndexCastOp::create(nested, loc, nested.getIndexType(), position));
    scf::YieldOp::create(nested, loc);
  });
}

SmallVector<Value> Indexed::memoryIndices(OpBuilder &b, ValueRange indices, Value position) const {
  SmallVector<Value> moved(indices);
  moved[axis] = position;
  return box ? tensorIndices(*box, moved, b, loc) : moved;
}

void Indexed::forEachThere(OpBuilder &b,
                           function_ref<void(OpBuilder &, ValueRange, ValueRange)> body) const {
  SmallVector<Value> begin, end;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool isInner = box && static_cast<int64_t>(dim) != axis;
    begin.push_back(isInner ? box->begin[dim] : indexConstant(b, loc, 0));
    end.push_back(isInner ? box->end[dim] : indexConstant(b, loc, size));
  }
  if (!isRows()) {
    forEachIndex(b, loc, begin, end, [&](OpBuilder &nested, ValueRange indices) {
      visit(nested, indices, [&](OpBuilder &inner, Value position) {
        body(inner, indices, memoryIndices(inner, indices, position));
      });
    });
    return;
  }
  auto without = [&](SmallVector<Value> list) {
    list.erase(list.begin() + axis);
    return list;
  };
  forEachIndex(b, loc, begin[axis], end[axis], [&](OpBuilder &nested, ValueRange row) {
    visit(nested, row, [&](OpBuilder &inner, Value position) {
      forEachIndex(inner, loc, without(begin), without(end),
                   [&](OpBuilder &innermost, ValueRange others) {
                     SmallVector<Value> indices(others);
                     indices.insert(indices.begin() + axis, row.front());
                     body(innermost, indices, memoryIndices(innermost, indices, position));
                   });
    });
  });
}

/// Fills `buffer` with the pad and then with what is there.
static void readIndexed(const Indexed &tile, Value pad, Value buffer, OpBuilder &b) {
  buildFill(b, tile.loc, pad, buffer);
  tile.forEachThere(b, [&](OpBuilder &nested, ValueRange indices, ValueRange source) {
    Value element = loadElement(nested, tile.loc, tile.memory, source, pad.getType());
    memref::StoreOp::create(nested, tile.loc, element, buffer, indices);
  });
}

LogicalResult lower(tile::GatherOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  FailureOr<Indexed> tile = indexedTile(op, op.getSource(), type.getShape(), b, state);
  if (failed(tile))
    return failure();
  auto memory = MemRefType::get(type.getShape(), type.getElementType());
  Value fresh = memref::AllocOp::create(b, loc, memory, b.getI64IntegerAttr(64));
  readIndexed(*tile, padConstant(b, loc, op.getPad(), type.getElementType()), fresh, b);
  op.getResult().replaceAllUsesWith(buildOwnedTensor(b, loc, fresh));
  return success();
}

LogicalResult lower(tile::GatherCopyOp op, OpBuilder &b, KernelState &state) {
  tile::SharedType type = op.getTarget().getType();
  FailureOr<Value> target = state.buffer(op, op.getTarget());
  FailureOr<Indexed> tile = indexedTile(op, op.getSource(), type.getShape(), b, state);
  if (failed(target) || failed(tile))
    return failure();
  readIndexed(*tile, padConstant(b, op.getLoc(), op.getPad(), type.getElementType()), *target, b);
  return success();
}

LogicalResult lower(tile::ScatterOp op, OpBuilder &b, KernelState &state) {
  ArrayRef<int64_t> shape = op.getValue().getType().getShape();
  FailureOr<Indexed> tile = indexedTile(op, op.getTarget(), shape, b, state);
  if (failed(tile))
    return failure();
  tile->forEachThere(b, [&](OpBuilder &nested, ValueRange indices, ValueRange target) {
    Value element = tensor::ExtractOp::create(nested, tile->loc, op.getValue(), indices);
    storeElement(nested, tile->loc, element, tile->memory, target);
  });
  return success();
}

} // namespace tilec::host
