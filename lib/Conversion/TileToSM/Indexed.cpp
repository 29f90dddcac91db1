//===- Indexed.cpp - memory whose positions an index tile gives -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Indexed.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

LogicalResult tilec::to_sm::checkIndexLayout(Operation *op, Value index, int64_t axis,
                                             const FragmentLayout &layout) {
  FragmentLayout expected = layout;
  bool isSlice = cast<RankedTensorType>(index.getType()).getRank() != layout.rank;
  for (int other = layout.rank - 1; isSlice && other >= 0; --other)
    if (other != axis)
      expected = expected.slice(other);
  if (layoutOf(index.getType()) == expected)
    return success();
  return op->emitOpError("expected an index laid out as the tile without its other axes; a "
                         "tile.convert_layout is missing");
}

//===----------------------------------------------------------------------===//
// IndexedAxis
//===----------------------------------------------------------------------===//

IndexedAxis::IndexedAxis(Emitter e, const IndexOperands &operands) : indexed(operands.axis) {
  OpBuilder &b = e.builder;
  FragmentLayout layout = layoutOf(operands.tile.getType());
  rows = layout.rank == 1;
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
    auto element = [&](Value vector) -> Value {
      return vector::ExtractOp::create(b, e.loc, vector, ArrayRef<int64_t>{reg});
    };
    Value position = element(operands.index);
    if (!position.getType().isInteger(64))
      position = arith::ExtSIOp::create(b, e.loc, b.getI64Type(), position);
    SmallVector<int64_t> key(layout.regCoords(reg));
    entries[key] = {position, operands.mask ? element(operands.mask) : Value()};
  }
}

const IndexedAxis::Entry &IndexedAxis::entry(ArrayRef<int64_t> offset) const {
  return entries.at(rows ? SmallVector<int64_t>{offset[indexed]} : SmallVector<int64_t>(offset));
}

void IndexedAxis::limit(Emitter e, Value origin, Value end) {
  // As unsigned numbers, one comparison covers both ends.
  for (auto &[offset, entry] : entries)
    entry.there = e.both(entry.there,
                         e.compare(arith::CmpIPredicate::ult, e.add(origin, entry.position), end));
}

Value IndexedAxis::allThere(Emitter e, ArrayRef<int64_t> extents,
                            ArrayRef<ThreadCoord> coords) const {
  Bounds tile = rows ? Bounds(e, extents[indexed], coords[indexed]) : Bounds(e, extents, coords);
  Value all;
  for (const auto &[offset, entry] : entries) {
    if (!entry.there)
      continue;
    Value needed = entry.there;
    if (Value within = tile.at(offset))
      needed = e.bitOr(needed, e.bitXor(within, 1));
    all = e.both(all, needed);
  }
  return all;
}

/// Both predicates, one value for each pair of them.
static Value join(Emitter e, std::map<std::pair<void *, void *>, Value> &known, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  Value &joined = known[{a.getAsOpaquePointer(), b.getAsOpaquePointer()}];
  return joined ? joined : joined = e.both(a, b);
}

/// The thread's coordinates without the part along the indexed axis.
static SmallVector<ThreadCoord> withoutAxis(Emitter e, ArrayRef<ThreadCoord> coords, int64_t axis) {
  SmallVector<ThreadCoord> result(coords);
  result[axis] = zeroCoord(e);
  return result;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// `window` with `count` positions along `axis`, all of them there.
static Window openAlong(Emitter e, Window window, int64_t axis, int64_t count) {
  window.lower[axis] = e.i32(0);
  window.upper[axis] = e.i32(count);
  return window;
}

IndexedWindow::IndexedWindow(Emitter e, const Window &whole, const WindowFacts &facts,
                             int64_t bytes, ArrayRef<int64_t> extents, IndexedAxis &index)
    : window(openAlong(e, whole, index.axis(), extents[index.axis()])), facts(facts), bytes(bytes),
      extents(extents), index(index), counted(extents) {
  index.limit(e, whole.origin[index.axis()], whole.end[index.axis()]);
  counted[index.axis()] = std::max<int64_t>(2, extents[index.axis()]);
  asked = openAlong(e, whole, index.axis(), counted[index.axis()]);
  if (facts.contiguousAxis == index.axis() || !index.isRows())
    this->facts.contiguousAxis = -1; // each element is somewhere else
}

AccessPlan IndexedWindow::plan(Emitter e, const FragmentLayout &layout,
                               ArrayRef<ThreadCoord> coords) const {
  int64_t length = vectorLength(layout, facts.contiguousAxis, bytes, extents);
  return planAccess(e, asked, facts, counted, bytes, length, layout.numRegs() / length,
                    index.allThere(e, extents, coords));
}

IndexedGlobal::IndexedGlobal(Emitter e, const IndexedWindow &from, ArrayRef<ThreadCoord> coords,
                             AccessWay way)
    : TileMemory(e, way.inside ? Bounds(e, from.extents, coords)
                               : Bounds(e, from.window, from.extents, coords)),
      from(from), where(e, from.window, from.facts.contiguousAxis, from.bytes,
                        withoutAxis(e, coords, from.index.axis())),
      way(way) {}

Value IndexedGlobal::address(ArrayRef<int64_t> offset) {
  const int64_t axis = from.index.axis(), contiguous = from.facts.contiguousAxis;
  SmallVector<int64_t> key(offset);
  int64_t immediate = contiguous < 0 ? 0 : std::exchange(key[contiguous], 0) * from.bytes;
  Value &row = rows[key];
  if (!row) {
    Value distance = e.mul(from.index.position(offset), from.window.strides[axis]);
    key[axis] = 0;
    row = e.add(where.at(key), distance);
  }
  return e.add(row, immediate);
}

Value IndexedGlobal::isThere(ArrayRef<int64_t> offset) {
  Value inTile = bounds.at(offset);
  return way.inside ? inTile : join(e, predicates, inTile, from.index.isThere(offset));
}

Value IndexedGlobal::load(Type type, Value address) {
  return sm::LoadGlobalOp::create(e.builder, e.loc, type, address);
}

void IndexedGlobal::store(Value value, Value address) {
  sm::StoreGlobalOp::create(e.builder, e.loc, value, address);
}

//===----------------------------------------------------------------------===//
// Shared tiles
//===----------------------------------------------------------------------===//

IndexedShared::IndexedShared(Emitter e, const SharedView &view, ArrayRef<int64_t> extents,
                             const IndexedAxis &index, ArrayRef<ThreadCoord> coords, bool inside)
    : TileMemory(e, Bounds(e, extents, coords)), view(view), index(index),
      coords(withoutAxis(e, coords, index.axis())), inside(inside) {}

Value IndexedShared::address(ArrayRef<int64_t> offset) {
  const int64_t axis = index.axis();
  SmallVector<int64_t> key =
      index.isRows() ? SmallVector<int64_t>{offset[axis]} : SmallVector<int64_t>(offset);
  auto known = rows.find(key);
  if (known == rows.end()) {
    SmallVector<ThreadCoord> here(coords);
    here[axis] = anyCoord(e.narrow(index.position(offset)), view.extents[axis] - 1);
    known = rows.try_emplace(key, SharedAddress(e, view, here)).first;
  }
  SmallVector<int64_t> rest(offset);
  rest[axis] = 0;
  return known->second.at(rest);
}

Value IndexedShared::isThere(ArrayRef<int64_t> offset) {
  Value inTile = bounds.at(offset);
  return inside ? inTile : join(e, predicates, inTile, index.isThere(offset));
}

Value IndexedShared::load(Type type, Value address) {
  return sm::LoadSharedOp::create(e.builder, e.loc, type, address);
}

void IndexedShared::store(Value value, Value address) {
  sm::StoreSharedOp::create(e.builder, e.loc, value, address);
}
