//===- ThreadCoord.cpp - coordinates from warp and lane ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr size_t kLaneBits = 5;

ThreadCoord tilec::to_sm::zeroCoord(Emitter e) { return {e.i32(0), 0, 0}; }

ThreadCoord tilec::to_sm::anyCoord(Value value, int64_t max) {
  return {value, max, static_cast<int64_t>(llvm::NextPowerOf2(max)) - 1};
}

ThreadCoord tilec::to_sm::sum(Emitter e, const ThreadCoord &a, const ThreadCoord &b) {
  ThreadCoord result = anyCoord(e.add(a.value, b.value), a.max + b.max);
  if ((a.mask & b.mask) == 0) // no carries
    result.mask = a.mask | b.mask;
  return result;
}

/// Bits shift .. shift + bits - 1 of `index`, the lowest counting `unit`. `isTop`: there are no
/// bits above them.
static ThreadCoord bitField(Emitter e, Value index, int64_t shift, int64_t bits, int64_t unit,
                            bool isTop) {
  int64_t mask = (int64_t(1) << bits) - 1;
  Value field = e.shiftRight(index, shift);
  if (!isTop)
    field = e.bitAnd(field, mask);
  ThreadCoord result = anyCoord(e.mul(field, unit), mask * unit);
  if (llvm::isPowerOf2_64(unit))
    result.mask = mask * unit;
  return result;
}

ThreadCoord tilec::to_sm::laneField(Emitter e, const KernelState &state, int64_t shift,
                                    int64_t bits, int64_t unit) {
  return bitField(e, state.lane, shift, bits, unit,
                  shift + bits == static_cast<int64_t>(kLaneBits));
}

/// What the low bits of `index` add along `axis`: runs of vectors that double become one field.
static ThreadCoord basisCoord(Emitter e, Value index, ArrayRef<Coord> basis, int axis) {
  ThreadCoord total = zeroCoord(e);
  for (size_t bit = 0; bit < basis.size();) {
    int64_t unit = basis[bit][axis];
    size_t end = bit + 1;
    if (unit != 0) {
      while (end < basis.size() && basis[end][axis] == unit << (end - bit))
        ++end;
      total = sum(e, total, bitField(e, index, bit, end - bit, unit, end == kLaneBits));
    }
    bit = end;
  }
  return total;
}

ThreadCoord tilec::to_sm::digitCoord(Emitter e, const KernelState &state,
                                     const FragmentLayout &layout, int axis) {
  int64_t unit = layout.atomExtents()[axis];
  for (const Digit &digit : layout.repeat)
    if (digit.dim == axis)
      unit *= digit.count;
  ThreadCoord total = zeroCoord(e);
  Value rest = e.shiftRight(state.warp, layout.warp.size());
  for (auto [index, digit] : llvm::enumerate(layout.warps)) {
    bool last = index + 1 == layout.warps.size();
    if (digit.dim == axis) {
      Value value = last ? rest : e.rem(rest, digit.count);
      total = sum(e, total, anyCoord(e.mul(value, unit), (digit.count - 1) * unit));
      if (llvm::isPowerOf2_64(unit))
        total.mask &= ~(unit - 1);
      unit *= digit.count;
    }
    if (!last)
      rest = e.div(rest, digit.count);
  }
  return total;
}

SmallVector<ThreadCoord> tilec::to_sm::threadCoords(Emitter e, const KernelState &state,
                                                    const FragmentLayout &layout) {
  SmallVector<ThreadCoord> coords;
  for (int axis = 0; axis < layout.rank; ++axis) {
    ThreadCoord coord = basisCoord(e, state.lane, layout.lane, axis);
    coord = sum(e, coord, basisCoord(e, state.warp, layout.warp, axis));
    coords.push_back(sum(e, coord, digitCoord(e, state, layout, axis)));
  }
  return coords;
}

/// Bits of an index whose vectors are zero.
static int64_t zeroBits(ArrayRef<Coord> basis) {
  int64_t bits = 0;
  for (auto [bit, vector] : llvm::enumerate(basis))
    if (llvm::all_of(vector, [](int64_t step) { return step == 0; }))
      bits |= int64_t(1) << bit;
  return bits;
}

Value tilec::to_sm::isFirstCopy(Emitter e, const KernelState &state, const FragmentLayout &layout) {
  // Everything that has to be 0 in the first copy, collected in one value.
  Value copies = e.i32(0);
  if (int64_t bits = zeroBits(layout.lane))
    copies = e.bitOr(copies, e.bitAnd(state.lane, bits));
  if (int64_t bits = zeroBits(layout.warp))
    copies = e.bitOr(copies, e.bitAnd(state.warp, bits));
  Value rest = e.shiftRight(state.warp, layout.warp.size());
  for (const Digit &digit : layout.warps) {
    if (digit.dim < 0)
      copies = e.bitOr(copies, e.rem(rest, digit.count));
    rest = e.div(rest, digit.count);
  }
  if (matchPattern(copies, m_Zero()))
    return {};
  return e.compare(arith::CmpIPredicate::eq, copies, e.i32(0));
}
