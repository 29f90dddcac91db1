//===- Constructors.cpp - the layouts that instructions and accesses want ---===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/Coalesced.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Repeats an instruction's atom of rows x columns over an [M, N] tile.
static FragmentLayout tiled(FragmentLayout layout, int64_t rows, int64_t columns, int64_t m,
                            int64_t n, ArrayRef<Digit> warps) {
  layout.rank = 2;
  for (const Digit &digit : warps) {
    appendDigit(layout.warps, digit);
    if (digit.dim >= 0)
      (digit.dim == 0 ? rows : columns) *= digit.count;
  }
  appendDigit(layout.repeat, {1, llvm::divideCeilSigned(n, columns)});
  appendDigit(layout.repeat, {0, llvm::divideCeilSigned(m, rows)});
  return layout;
}

/// Lanes and registers of an 8-column accumulator of 16 rows, the same for mma.sync and wgmma:
/// lane l holds row l/4 (and 8 below), columns 2*(l%4) and the next.
static FragmentLayout accumulatorAtom() {
  FragmentLayout atom;
  atom.reg = {{0, 1}, {8, 0}};
  atom.lane = {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}};
  return atom;
}

/// The same of a 32-column operand A of 8-bit elements: a register is four neighbouring columns.
static FragmentLayout operand8Atom() {
  FragmentLayout atom;
  atom.reg = {{0, 1}, {0, 2}, {8, 0}, {0, 16}};
  atom.lane = {{0, 4}, {0, 8}, {1, 0}, {2, 0}, {4, 0}};
  return atom;
}

/// A warpgroup's four warps have 16 rows each.
static FragmentLayout overWarpgroup(FragmentLayout atom) {
  atom.warp = {{16, 0}, {32, 0}};
  return atom;
}

FragmentLayout tilec::wgmmaAccumulator(int64_t m, int64_t n, ArrayRef<Digit> warpgroups) {
  return tiled(overWarpgroup(accumulatorAtom()), 64, 8, m, n, warpgroups);
}

FragmentLayout tilec::mmaAccumulator(int64_t m, int64_t n, ArrayRef<Digit> warps) {
  return tiled(accumulatorAtom(), 16, 8, m, n, warps);
}

FragmentLayout tilec::wgmmaOperand8(int64_t m, int64_t k, ArrayRef<Digit> warpgroups) {
  return tiled(overWarpgroup(operand8Atom()), 64, 32, m, k, warpgroups);
}

FragmentLayout tilec::mmaOperand8(int64_t m, int64_t k, ArrayRef<Digit> warps) {
  return tiled(operand8Atom(), 16, 32, m, k, warps);
}

/// `value` along `axis`, zero elsewhere (everywhere if `axis` is -1).
static Coord unit(int rank, int axis, int64_t value) {
  Coord vector(rank, 0);
  if (axis >= 0)
    vector[axis] = value;
  return vector;
}

/// The divisor of `warps` that leaves the fewest of `extent` steps to a warp; the smallest of
/// those.
static int64_t warpsAlong(int64_t extent, int64_t warps) {
  int64_t best = 1;
  for (int64_t count = 2; count <= warps && count < 2 * extent; ++count)
    if (warps % count == 0 && llvm::divideCeil(extent, count) < llvm::divideCeil(extent, best))
      best = count;
  return best;
}

FragmentLayout tilec::blocked(ArrayRef<int64_t> shape, int64_t vector, int64_t numWarps) {
  assert(!shape.empty() && vector >= 1 && numWarps >= 1 && "a tile, a vector and a warp at least");
  const int rank = static_cast<int>(shape.size());
  FragmentLayout layout;
  layout.rank = rank;
  Coord atom(rank, 1);

  const int64_t perThread =
      std::min<int64_t>(llvm::bit_floor<uint64_t>(vector), llvm::PowerOf2Ceil(shape.back()));
  for (; atom.back() < perThread; atom.back() *= 2)
    layout.reg.push_back(unit(rank, rank - 1, atom.back()));
  for (int axis = rank - 1; axis >= 0; --axis)
    for (; atom[axis] < shape[axis] && layout.lane.size() < 5; atom[axis] *= 2)
      layout.lane.push_back(unit(rank, axis, atom[axis]));
  layout.lane.resize(5, unit(rank, -1, 0));

  Coord atoms(rank, 1);
  int64_t left = numWarps;
  for (int axis = 0; axis < rank; ++axis) {
    atoms[axis] = llvm::divideCeilSigned(shape[axis], atom[axis]);
    const int64_t count = warpsAlong(atoms[axis], left);
    appendDigit(layout.warps, {axis, count});
    atoms[axis] = llvm::divideCeilSigned(atoms[axis], count);
    left /= count;
  }
  appendDigit(layout.warps, {-1, left});
  for (int axis = rank - 1; axis >= 0; --axis)
    appendDigit(layout.repeat, {axis, atoms[axis]});
  return layout;
}

FragmentLayout tilec::gatherLayout(ArrayRef<int64_t> shape, int64_t elementBytes,
                                   int64_t numWarps) {
  constexpr int64_t lineBytes = 128, vectorBytes = 16;
  const int rank = static_cast<int>(shape.size()), rows = rank - 2, columns = rank - 1;
  assert(rank >= 2 && numWarps == 4 && "rows, and a warpgroup");
  FragmentLayout layout;
  layout.rank = rank;
  Coord atom(rank, 1);
  for (; atom[columns] < vectorBytes / elementBytes; atom[columns] *= 2)
    layout.reg.push_back(unit(rank, columns, atom[columns]));
  for (; atom[columns] < std::min(shape.back(), lineBytes / elementBytes); atom[columns] *= 2)
    layout.lane.push_back(unit(rank, columns, atom[columns]));
  for (; layout.lane.size() < 5; atom[rows] *= 2)
    layout.lane.push_back(unit(rank, rows, atom[rows]));
  for (; layout.warp.size() < 2; atom[rows] *= 2)
    layout.warp.push_back(unit(rank, rows, atom[rows]));
  for (int axis = columns; axis >= 0; --axis)
    appendDigit(layout.repeat, {axis, llvm::divideCeilSigned(shape[axis], atom[axis])});
  return layout;
}

FragmentLayout tilec::replicated(ArrayRef<int64_t> shape, int64_t numWarps) {
  FragmentLayout layout;
  layout.rank = static_cast<int>(shape.size());
  layout.lane.resize(5, unit(layout.rank, -1, 0));
  for (int axis = layout.rank - 1; axis >= 0; --axis)
    appendDigit(layout.repeat, {axis, shape[axis]});
  appendDigit(layout.warps, {-1, numWarps});
  return layout;
}

FragmentLayout tilec::coalesced(ArrayRef<int64_t> shape, int64_t elementBytes, int64_t numWarps) {
  constexpr int64_t accessBytes = 16;
  int64_t vector = accessBytes / elementBytes;
  while (shape.back() % vector != 0)
    vector /= 2;
  return blocked(shape, vector, numWarps);
}

FragmentLayout tilec::withRegisterAxis(const FragmentLayout &inner, int64_t count) {
  FragmentLayout layout = inner;
  layout.rank = inner.rank + 1;
  for (auto *basis : {&layout.reg, &layout.lane, &layout.warp})
    for (Coord &step : *basis)
      step.push_back(0);
  layout.repeat.clear();
  appendDigit(layout.repeat, {inner.rank, count});
  for (const Digit &digit : inner.repeat)
    appendDigit(layout.repeat, digit);
  return layout;
}
