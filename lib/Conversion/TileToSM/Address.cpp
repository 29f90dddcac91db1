//===- Address.cpp - addresses in shared tiles and windows ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kChunkBytes = 16; // what a swizzle moves
static constexpr int64_t kPhaseRows = 8;   // period of every swizzle in rows

//===----------------------------------------------------------------------===//
// SharedAddress
//===----------------------------------------------------------------------===//

/// Row of `coord` when all axes but the last are one.
static int64_t rowOf(ArrayRef<int64_t> extents, ArrayRef<int64_t> coord) {
  int64_t row = 0;
  for (size_t axis = 0; axis + 1 < coord.size(); ++axis)
    row = row * extents[axis] + coord[axis];
  return row;
}

static ThreadCoord scaled(Emitter e, const ThreadCoord &coord, int64_t factor) {
  ThreadCoord result = anyCoord(e.mul(coord.value, factor), coord.max * factor);
  if (llvm::isPowerOf2_64(factor))
    result.mask = coord.mask * factor;
  return result;
}

SharedAddress::SharedAddress(Emitter e, const SharedView &view, ArrayRef<ThreadCoord> coords)
    : e(e), tile(view.base), layout(view.layout), rowExtents(view.rowExtents), row(view.row),
      column(sum(e, view.column, scaled(e, coords.back(), layout.elementBytes))) {
  int64_t rowStride = 1;
  for (size_t axis = coords.size() - 1; axis-- > 0;) {
    row = sum(e, row, scaled(e, coords[axis], rowStride));
    rowStride *= rowExtents[axis];
  }
}

/// Bytes that the swizzle turns the columns of `row` by.
Value SharedAddress::phase(Value row) const {
  Value line = e.shiftRight(row, llvm::Log2_64(128 / layout.swizzle));
  return e.shiftLeft(e.bitAnd(line, layout.swizzle / kChunkBytes - 1), 4);
}

Value SharedAddress::general(int64_t rowOffset, int64_t columnBytes) const {
  const int64_t width = layout.swizzle;
  Value r = e.add(row.value, rowOffset), c = e.add(column.value, columnBytes);
  Value inSlab = e.bitXor(e.bitAnd(c, width - 1), phase(r));
  Value slab = e.mul(e.div(c, width), layout.slabBytes());
  return e.add(e.add(tile, slab), e.add(e.mul(r, width), inSlab));
}

/// Address of the thread's own part in a row whose phase is that of `rowPhase` rows further down,
/// with `chunkBits` of the column already xored in.
Value SharedAddress::threadPart(int64_t rowPhase, int64_t chunkBits) {
  Value &cached = cache[{rowPhase, chunkBits}];
  if (cached)
    return cached;
  if (chunkBits != 0) {
    Value base = threadPart(rowPhase, 0);
    return cache[{rowPhase, chunkBits}] = e.bitXor(base, chunkBits);
  }
  const int64_t width = layout.swizzle;
  Value inSlab = e.bitXor(e.bitAnd(column.value, width - 1), phase(e.add(row.value, rowPhase)));
  Value slab =
      column.max < width ? e.i32(0) : e.mul(e.div(column.value, width), layout.slabBytes());
  return cached = e.add(e.add(e.add(tile, slab), e.mul(row.value, width)), inSlab);
}

Value SharedAddress::at(ArrayRef<int64_t> offset) {
  const int64_t rowOffset = rowOf(rowExtents, offset),
                columnBytes = offset.back() * layout.elementBytes;
  const int64_t width = layout.swizzle;
  if (width == 0) {
    Value &base = cache[{0, 0}];
    if (!base)
      base = e.add(tile, e.add(e.mul(row.value, layout.rowBytes()), column.value));
    return e.add(base, rowOffset * layout.rowBytes() + columnBytes);
  }
  if ((column.mask & columnBytes) != 0)
    return general(rowOffset, columnBytes);
  // No carries between the two parts of the column, so chunk numbers are combined by xor. The tile
  // starts at a multiple of the width: an xor of bits below it leaves the row and the slab alone.
  Value base = threadPart(rowOffset % kPhaseRows, columnBytes % width / kChunkBytes * kChunkBytes);
  return e.add(base, rowOffset * width + columnBytes % kChunkBytes +
                         columnBytes / width * layout.slabBytes());
}

//===----------------------------------------------------------------------===//
// WindowAddress
//===----------------------------------------------------------------------===//

Window Window::unpack(ValueRange values) {
  size_t rank = (values.size() - 1) / 5;
  Window window;
  window.base = values[0];
  llvm::append_range(window.strides, values.slice(1, rank));
  llvm::append_range(window.lower, values.slice(1 + rank, rank));
  llvm::append_range(window.upper, values.slice(1 + 2 * rank, rank));
  llvm::append_range(window.origin, values.slice(1 + 3 * rank, rank));
  llvm::append_range(window.end, values.slice(1 + 4 * rank, rank));
  return window;
}

SmallVector<Value> Window::pack() const {
  SmallVector<Value> values{base};
  for (const auto *part : {&strides, &lower, &upper, &origin, &end})
    llvm::append_range(values, *part);
  return values;
}

WindowAddress::WindowAddress(Emitter e, const Window &window, int64_t contiguousAxis,
                             int64_t elementBytes, ArrayRef<ThreadCoord> coords)
    : e(e), window(window), contiguousAxis(contiguousAxis), elementBytes(elementBytes),
      last(coords.size(), 0) {
  Value base = window.base;
  for (auto [axis, coord] : llvm::enumerate(coords)) {
    Value wide = e.widen(coord.value);
    bool contiguous = static_cast<int64_t>(axis) == contiguousAxis;
    Value bytes = contiguous ? e.mul(wide, elementBytes) : e.mul(wide, window.strides[axis]);
    base = e.add(base, bytes);
  }
  cache[last] = base;
}

Value WindowAddress::at(ArrayRef<int64_t> offset) {
  SmallVector<int64_t> key(offset);
  int64_t immediate = 0;
  if (contiguousAxis >= 0)
    immediate = std::exchange(key[contiguousAxis], 0) * elementBytes;
  Value &base = cache[key];
  if (!base) {
    // From the row before: equal steps share one product, and few addresses live at a time.
    base = cache[last];
    for (auto [axis, x] : llvm::enumerate(key))
      if (x != last[axis])
        base = e.add(base, e.mul(window.strides[axis], x - last[axis]));
    last = key;
  }
  return e.add(base, immediate);
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

Bounds::Bounds(Emitter e, const Window &window, ArrayRef<int64_t> extents,
               ArrayRef<ThreadCoord> coords)
    : e(e), extents(extents), coords(coords), lower(window.lower), upper(window.upper) {}

Bounds::Bounds(Emitter e, ArrayRef<int64_t> extents, ArrayRef<ThreadCoord> coords)
    : e(e), extents(extents), coords(coords) {
  for (int64_t extent : extents) {
    lower.push_back(e.i32(0));
    upper.push_back(e.i32(extent));
  }
}

Value Bounds::axis(int64_t axis, int64_t offset) {
  auto [entry, isNew] = axisCache.try_emplace({axis, offset});
  if (!isNew)
    return entry->second;
  bool fromZero = matchPattern(lower[axis], m_Zero());
  std::optional<int64_t> end = getConstantIntValue(upper[axis]);
  if (fromZero && end && offset + coords[axis].max < *end)
    return Value();
  // The thread's part stands on one side, the constant on the other: a compare per offset and no
  // sum per offset that would have to stay in a register.
  Value constant = e.i32(offset), thread = coords[axis].value;
  Value result = end ? e.compare(arith::CmpIPredicate::slt, thread, e.i32(*end - offset))
                     : e.compare(arith::CmpIPredicate::slt, constant, e.sub(upper[axis], thread));
  if (!fromZero)
    result =
        e.both(result, e.compare(arith::CmpIPredicate::sge, constant, e.sub(lower[axis], thread)));
  return entry->second = result;
}

Value Bounds::cuts(int64_t axis, int64_t offset, int64_t length) {
  Value first = this->axis(axis, offset), last = this->axis(axis, offset + length - 1);
  if (!last && !first)
    return Value();
  if (matchPattern(lower[axis], m_Zero())) // the last one is there only if the first one is
    return first ? e.bitXor(first, last) : e.bitXor(last, 1);
  Value thread = coords[axis].value;
  Value reaches = e.both(
      e.compare(arith::CmpIPredicate::slt, e.sub(lower[axis], thread), e.i32(offset + length)),
      e.compare(arith::CmpIPredicate::slt, e.i32(offset), e.sub(upper[axis], thread)));
  return e.both(reaches, e.bitXor(e.both(first, last), 1));
}

Value Bounds::remaining(int64_t axis, int64_t offset) const {
  return e.sub(upper[axis], e.add(coords[axis].value, offset));
}

Value Bounds::at(ArrayRef<int64_t> offset) {
  SmallVector<int64_t> key(offset);
  SmallVector<Value> parts;
  for (auto [index, x] : llvm::enumerate(key)) {
    Value part = axis(index, x);
    if (!part)
      x = -1; // holds for every offset that gets here: same predicate, same key
    else
      parts.push_back(part);
  }
  auto [entry, isNew] = cache.try_emplace(key);
  if (isNew)
    for (Value part : parts)
      entry->second = e.both(entry->second, part);
  return entry->second;
}

Value tilec::to_sm::isInside(Emitter e, const Window &window, ArrayRef<int64_t> extents) {
  Value result;
  for (auto [lower, upper, extent] : llvm::zip(window.lower, window.upper, extents)) {
    if (!matchPattern(lower, m_Zero()))
      result = e.both(result, e.compare(arith::CmpIPredicate::eq, lower, e.i32(0)));
    if (getConstantIntValue(upper) != std::optional<int64_t>(extent))
      result = e.both(result, e.compare(arith::CmpIPredicate::eq, upper, e.i32(extent)));
  }
  return result;
}

Value tilec::to_sm::isAlignedTo(Emitter e, const Window &window, ArrayRef<int64_t> extents,
                                int64_t contiguousAxis, int64_t bytes) {
  Value bits = window.base;
  for (auto [axis, stride] : llvm::enumerate(window.strides))
    if (static_cast<int64_t>(axis) != contiguousAxis && extents[axis] > 1)
      bits = e.bitOr(bits, stride);
  return e.compare(arith::CmpIPredicate::eq, e.bitAnd(bits, bytes - 1), e.i64(0));
}
