//===- FragmentLayout.cpp - coordinates, holders and slices ----------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/FragmentLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace tilec;
using llvm::ArrayRef;
using llvm::MutableArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// The axis that a basis vector moves along, -1 for a zero vector.
static int axisOf(const Coord &vector) {
  for (auto [axis, step] : llvm::enumerate(vector))
    if (step != 0)
      return static_cast<int>(axis);
  return -1;
}

static int64_t countProduct(ArrayRef<Digit> digits) {
  int64_t product = 1;
  for (const Digit &digit : digits)
    product *= digit.count;
  return product;
}

/// Adds the vectors that the low bits of `index` select to `c`; returns the bits above them.
static int64_t addBits(ArrayRef<Coord> basis, int64_t index, MutableArrayRef<int64_t> c) {
  for (const Coord &vector : basis) {
    if (index & 1)
      for (auto [axis, step] : llvm::enumerate(vector))
        c[axis] += step;
    index >>= 1;
  }
  return index;
}

/// Adds what the digits of `index` say to `c`. `steps[d]` is the step of the next digit along axis
/// d.
static void addDigits(ArrayRef<Digit> digits, int64_t index, MutableArrayRef<int64_t> steps,
                      MutableArrayRef<int64_t> c) {
  for (const Digit &digit : digits) {
    if (digit.dim >= 0) {
      c[digit.dim] += index % digit.count * steps[digit.dim];
      steps[digit.dim] *= digit.count;
    }
    index /= digit.count;
  }
}

/// The index bits of `basis` that `c` asks for; zero vectors give 0.
static int64_t bitsOf(ArrayRef<Coord> basis, ArrayRef<int64_t> c) {
  int64_t index = 0;
  for (auto [bit, vector] : llvm::enumerate(basis))
    for (auto [axis, step] : llvm::enumerate(vector))
      if (c[axis] & step)
        index |= int64_t(1) << bit;
  return index;
}

/// The index that the digits need to reach `rest`, in units of the next digit; takes them off
/// `rest`.
static int64_t digitsOf(ArrayRef<Digit> digits, MutableArrayRef<int64_t> rest) {
  int64_t index = 0, weight = 1;
  for (const Digit &digit : digits) {
    if (digit.dim >= 0) {
      index += rest[digit.dim] % digit.count * weight;
      rest[digit.dim] /= digit.count;
    }
    weight *= digit.count;
  }
  return index;
}

int64_t FragmentLayout::numRegs() const { return countProduct(repeat) << reg.size(); }

int64_t FragmentLayout::numWarps() const { return countProduct(warps) << warp.size(); }

Coord FragmentLayout::atomExtents() const {
  Coord extents(rank, 1);
  for (const auto *basis : {&reg, &lane, &warp})
    for (const Coord &vector : *basis)
      for (auto [extent, step] : llvm::zip(extents, vector))
        extent = std::max(extent, 2 * step);
  return extents;
}

Coord FragmentLayout::coverage() const {
  Coord extents = atomExtents();
  for (const auto *digits : {&repeat, &warps})
    for (const Digit &digit : *digits)
      if (digit.dim >= 0)
        extents[digit.dim] *= digit.count;
  return extents;
}

Coord FragmentLayout::coords(int64_t warpIndex, int64_t laneIndex, int64_t regIndex) const {
  Coord c(rank, 0);
  Coord steps = atomExtents();
  addDigits(repeat, addBits(reg, regIndex, c), steps, c);
  addBits(lane, laneIndex, c);
  addDigits(warps, addBits(warp, warpIndex, c), steps, c);
  return c;
}

Coord FragmentLayout::regCoords(int64_t regIndex) const {
  Coord c(rank, 0);
  Coord steps = atomExtents();
  addDigits(repeat, addBits(reg, regIndex, c), steps, c);
  return c;
}

std::optional<Holder> FragmentLayout::holder(ArrayRef<int64_t> c) const {
  assert(static_cast<int>(c.size()) == rank && "one coordinate per axis");
  const Coord extents = atomExtents();
  Coord rest(rank, 0);
  for (int axis = 0; axis < rank; ++axis) {
    if (c[axis] < 0)
      return std::nullopt;
    rest[axis] = c[axis] / extents[axis];
  }
  // Steps are below the atom's extents, so the digits' part of `c` does not disturb the bits.
  Holder h{bitsOf(warp, c), bitsOf(lane, c), bitsOf(reg, c)};
  h.reg |= digitsOf(repeat, rest) << reg.size();
  h.warp |= digitsOf(warps, rest) << warp.size();
  if (llvm::any_of(rest, [](int64_t beyond) { return beyond != 0; }))
    return std::nullopt;
  return h;
}

std::pair<int64_t, int64_t> FragmentLayout::firstCopy(int64_t warpIndex, int64_t laneIndex) const {
  for (auto [bit, vector] : llvm::enumerate(lane))
    if (axisOf(vector) < 0)
      laneIndex &= ~(int64_t(1) << bit);
  for (auto [bit, vector] : llvm::enumerate(warp))
    if (axisOf(vector) < 0)
      warpIndex &= ~(int64_t(1) << bit);
  int64_t weight = int64_t(1) << warp.size();
  for (const Digit &digit : warps) {
    if (digit.dim < 0)
      warpIndex -= warpIndex / weight % digit.count * weight;
    weight *= digit.count;
  }
  return {warpIndex, laneIndex};
}

bool FragmentLayout::isFirstCopy(int64_t warpIndex, int64_t laneIndex) const {
  return firstCopy(warpIndex, laneIndex) == std::pair(warpIndex, laneIndex);
}

/// `basis` without the coordinate `axis`; vectors that become zero are kept if `keepZero`.
static SmallVector<Coord> dropAxis(ArrayRef<Coord> basis, int axis, bool keepZero) {
  SmallVector<Coord> result;
  for (Coord vector : basis) {
    vector.erase(vector.begin() + axis);
    if (keepZero || axisOf(vector) >= 0)
      result.push_back(std::move(vector));
  }
  return result;
}

FragmentLayout FragmentLayout::slice(int axis) const {
  assert(axis >= 0 && axis < rank && "no such axis");
  auto renumber = [axis](int dim) { return dim > axis ? dim - 1 : dim; };
  FragmentLayout result;
  result.rank = rank - 1;
  result.reg = dropAxis(reg, axis, /*keepZero=*/false);
  result.lane = dropAxis(lane, axis, /*keepZero=*/true);
  result.warp = dropAxis(warp, axis, /*keepZero=*/true);
  for (const Digit &digit : repeat)
    if (digit.dim != axis)
      appendDigit(result.repeat, {renumber(digit.dim), digit.count});
  for (const Digit &digit : warps)
    appendDigit(result.warps, {digit.dim == axis ? -1 : renumber(digit.dim), digit.count});
  return result;
}

int64_t FragmentLayout::sliceRegister(int axis, int64_t regIndex) const {
  int64_t result = 0, weight = 1;
  auto take = [&](bool along, int64_t count) {
    if (!along) {
      result += regIndex % count * weight;
      weight *= count;
    }
    regIndex /= count;
  };
  for (const Coord &vector : reg)
    take(vector[axis] != 0, 2);
  for (const Digit &digit : repeat)
    take(digit.dim == axis, digit.count);
  return result;
}

SmallVector<int> FragmentLayout::laneBitsAlong(int axis) const {
  SmallVector<int> bits;
  for (auto [bit, vector] : llvm::enumerate(lane))
    if (vector[axis] != 0)
      bits.push_back(static_cast<int>(bit));
  return bits;
}

bool FragmentLayout::warpsSplit(int axis) const {
  return llvm::any_of(warp, [&](const Coord &vector) { return vector[axis] != 0; }) ||
         llvm::any_of(warps, [&](const Digit &digit) { return digit.dim == axis; });
}

int64_t FragmentLayout::contiguous(int axis) const {
  int64_t run = 1;
  for (const Coord &vector : reg) {
    if (vector[axis] != run)
      return run;
    run *= 2;
  }
  // All register bits run along the axis: so does the first digit, unless lanes or warps come
  // between.
  if (atomExtents()[axis] == run && !repeat.empty() && repeat.front().dim == axis)
    run *= repeat.front().count;
  return run;
}

void tilec::appendDigit(SmallVectorImpl<Digit> &digits, Digit digit) {
  if (digit.count == 1)
    return;
  if (!digits.empty() && digits.back().dim == digit.dim)
    digits.back().count *= digit.count;
  else
    digits.push_back(digit);
}
