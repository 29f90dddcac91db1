//===- Window.cpp - which part of a window is there -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What is there of a window is a box: along every axis the coordinates that are inside the tensor
// and below the limit form one interval, and a fixed dimension is inside or it is not.
//
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;

namespace tilec::host {

Value indexConstant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

namespace {
/// Integer arithmetic at one place.
struct Arith {
  OpBuilder &b;
  Location loc;

  Value constant(int64_t value) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  }
  Value max(Value x, Value y) { return arith::MaxSIOp::create(b, loc, x, y); }
  Value min(Value x, Value y) { return arith::MinSIOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value all(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value is(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  Value toIndex(Value x) { return arith::IndexCastOp::create(b, loc, b.getIndexType(), x); }
  Value extent(Value memref, int64_t dim) {
    auto type = cast<MemRefType>(memref.getType());
    if (!type.isDynamicDim(dim))
      return constant(type.getDimSize(dim));
    Value size = memref::DimOp::create(b, loc, memref, dim);
    return arith::IndexCastOp::create(b, loc, b.getI64Type(), size);
  }
};
} // namespace

/// Appends the interval of an axis of `size` elements that starts at `offset` and ends before
/// `bound`. No step overflows, whatever the offset and the bound.
static void appendInterval(WindowBox &box, Arith &a, Value offset, Value bound, int64_t size) {
  Value zero = a.constant(0), full = a.constant(size);
  Value start = a.max(offset, a.constant(-size));
  Value begin = a.sub(zero, a.min(start, zero));
  box.bound.push_back(a.max(bound, zero));
  Value left = a.sub(box.bound.back(), start);
  Value end = a.min(a.max(left, zero), full);
  Value whole =
      a.all(a.is(arith::CmpIPredicate::eq, begin, zero), a.is(arith::CmpIPredicate::eq, end, full));
  box.begin.push_back(a.toIndex(begin));
  box.end.push_back(a.toIndex(end));
  box.whole = box.whole ? a.all(box.whole, whole) : whole;
}

/// Empties the box unless the fixed dimensions are inside the tensor.
static void requireFixedDims(WindowBox &box, Arith &a) {
  Value inside;
  for (auto [dim, offset] : llvm::enumerate(box.origin)) {
    if (llvm::is_contained(box.dims, static_cast<int64_t>(dim)))
      continue;
    // As unsigned numbers, one comparison covers both ends.
    Value here = a.is(arith::CmpIPredicate::ult, offset, a.extent(box.tensor, dim));
    inside = inside ? a.all(inside, here) : here;
  }
  if (!inside)
    return;
  box.fixedInside = inside;
  box.whole = a.all(box.whole, inside);
  box.end[0] =
      arith::SelectOp::create(a.b, a.loc, inside, box.end[0], indexConstant(a.b, a.loc, 0));
}

FailureOr<WindowBox> resolveWindow(Operation *user, Value window, OpBuilder &b,
                                   KernelState &state) {
  auto op = window.getDefiningOp<tile::WindowOp>();
  if (!op) {
    user->emitError(
        "the host target expected a window made by 'tile.window', found one that control flow "
        "chose; choose the offsets instead");
    return failure();
  }
  FailureOr<Value> tensor = state.buffer(op, op.getSource());
  if (failed(tensor))
    return failure();
  WindowBox box;
  box.tensor = *tensor;
  box.origin.assign(op.getOffsets().begin(), op.getOffsets().end());
  box.dims.assign(op.getDims().begin(), op.getDims().end());
  Arith a{b, user->getLoc()};
  for (auto [axis, size] : llvm::enumerate(op.getResult().getType().getShape())) {
    Value bound = a.extent(box.tensor, box.dims[axis]);
    if (!op.getLimits().empty())
      bound = a.min(bound, op.getLimits()[axis]);
    appendInterval(box, a, box.origin[box.dims[axis]], bound, size);
  }
  requireFixedDims(box, a);
  return box;
}

SmallVector<Value> tensorIndices(const WindowBox &box, ValueRange indices, OpBuilder &b,
                                 Location loc) {
  SmallVector<Value> result;
  for (Value offset : box.origin)
    result.push_back(arith::IndexCastOp::create(b, loc, b.getIndexType(), offset));
  for (auto [axis, dim] : llvm::enumerate(box.dims))
    result[dim] = arith::AddIOp::create(b, loc, result[dim], indices[axis]);
  return result;
}

void forEachIndex(OpBuilder &b, Location loc, ValueRange begin, ValueRange end,
                  function_ref<void(OpBuilder &, ValueRange)> body) {
  Value one = indexConstant(b, loc, 1);
  SmallVector<Value> indices;
  OpBuilder::InsertionGuard guard(b);
  for (auto [from, to] : llvm::zip_equal(begin, end)) {
    auto loop = scf::ForOp::create(b, loc, from, to, one);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  body(b, indices);
}

} // namespace tilec::host
