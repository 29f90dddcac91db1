//===- FragmentLayout.h - which thread holds which element of a tile ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A register tile ("fragment") is spread over the warps of a CTA. Where each element lives is
// an F2-linear *atom* (register, lane and warp-of-a-warpgroup bits -> coordinates) repeated an
// arbitrary integer number of times in registers and over warps. The wgmma accumulator of a
// 128x24 tile on two warpgroups, for example:
//
//   reg    = [[0,1],[8,0]]                  bit 0: next column, bit 1: eight rows down
//   lane   = [[0,2],[0,4],[1,0],[2,0],[4,0]] four lanes along a row, eight rows
//   warp   = [[16,0],[32,0]]                the four warps of a warpgroup, 16 rows each
//   repeat = [{dim 1, count 3}]             24 columns = 3 atoms of 8, in registers
//   warps  = [{dim 0, count 2}]             two warpgroups, 64 rows each
//
// Each vector of the atom moves one bit of one coordinate, or nothing (zero: a copy; lanes and
// warps only), and each bit of the box that the atom covers is moved by exactly one vector, so an
// inverse needs no search. Coordinate d of an element is
//   atom_d + atomExtent_d * (repeatIndex_d + repeatCount_d * warpIndex_d).
// A *slice* (what a reduction along an axis leaves) is the same structure with the axis removed,
// so two slices are compared with ==, whichever tile they came from.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_FRAGMENTLAYOUT_H
#define TILEC_LAYOUT_FRAGMENTLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tilec {

/// Coordinates of an element of a tile, one per axis.
using Coord = llvm::SmallVector<int64_t, 4>;

/// One mixed-radix digit of a register or warp index: `count` steps along axis `dim`,
/// or `count` equal copies where `dim` is -1.
struct Digit {
  int dim;
  int64_t count;
  bool operator==(const Digit &) const = default;
};

/// Where a thread's register stands: warp of the CTA, lane of the warp, register of the thread.
struct Holder {
  int64_t warp, lane, reg;
  bool operator==(const Holder &) const = default;
};

struct FragmentLayout {
  int rank = 0;
  llvm::SmallVector<Coord> reg, lane, warp; // basis vectors; lane has 5, warp 0 or 2
  llvm::SmallVector<Digit> repeat;          // register digits above the atom, first fastest
  llvm::SmallVector<Digit> warps;           // warp (or warpgroup) digits, first fastest

  bool operator==(const FragmentLayout &) const = default;

  /// Registers of one thread.
  int64_t numRegs() const;
  /// Warps that take part: product of `warps` times 4 where `warp` is not empty.
  int64_t numWarps() const;
  /// Extents of the atom's box, powers of two.
  Coord atomExtents() const;
  /// Extents that the layout covers; at least the tile's.
  Coord coverage() const;
  /// Coordinates of what (warp, lane, reg) holds; may lie past the tile (padding).
  Coord coords(int64_t warpIndex, int64_t laneIndex, int64_t regIndex) const;
  /// The part of coords() that depends on the register alone: coords(w, l, r) == base(w, l) +
  /// regCoords(r).
  Coord regCoords(int64_t regIndex) const;
  /// The first (smallest warp, lane, reg) holder of `c`, nothing if `c` is not covered.
  std::optional<Holder> holder(llvm::ArrayRef<int64_t> c) const;
  /// The first (warp, lane) that holds the same elements as this one.
  std::pair<int64_t, int64_t> firstCopy(int64_t warpIndex, int64_t laneIndex) const;
  /// True if (warp, lane) is the first of all threads that hold the same elements: the one that
  /// stores.
  bool isFirstCopy(int64_t warpIndex, int64_t laneIndex) const;
  /// The layout of a tile that lacks `axis`.
  FragmentLayout slice(int axis) const;
  /// The register of slice(axis) that stands for register `regIndex`: where a reduction along
  /// `axis` puts it, and what a broadcast along `axis` reads.
  int64_t sliceRegister(int axis, int64_t regIndex) const;
  /// Lane bits (0..4) whose vector moves along `axis`: what a reduction shuffles over.
  llvm::SmallVector<int> laneBitsAlong(int axis) const;
  /// True if the warps split `axis`: a reduction along it has to cross warps.
  bool warpsSplit(int axis) const;
  /// Length of the runs of consecutive registers, counted from register 0, that hold consecutive
  /// elements along `axis` (1 if none): the vector length of an access. Each run starts at a
  /// multiple of its length along `axis`; the length need not be a power of two.
  int64_t contiguous(int axis) const;
  /// Nothing if well formed, otherwise what is wrong (for the attribute's verifier).
  std::optional<std::string> verify() const;
};

/// Adds a slower digit and keeps the normal form: a count of 1 is left out, neighbours along one
/// axis are one digit.
void appendDigit(llvm::SmallVectorImpl<Digit> &digits, Digit digit);

/// wgmma m64nNk16 accumulator (and the 16-bit register A operand): [M, N] tile, `warpgroups` digits
/// as given. M is padded up to 64 * the product of the dim 0 counts, N to 8 * the product of the
/// dim 1 counts.
FragmentLayout wgmmaAccumulator(int64_t m, int64_t n, llvm::ArrayRef<Digit> warpgroups);
/// mma.sync m16n8 accumulator (and the 16-bit A operand): [M, N] tile, `warps` digits as given.
/// M is padded up to 16 * the product of the dim 0 counts, N to 8 * the product of the dim 1
/// counts.
FragmentLayout mmaAccumulator(int64_t m, int64_t n, llvm::ArrayRef<Digit> warps);
/// Operand A in registers of 8-bit elements, m64nNk32: lane l holds four neighbouring columns from
/// 4 * (l % 4) of row l / 4, those of the row 8 below, and the same 16 columns further. [M, K]
/// tile, K padded up to a multiple of 32.
FragmentLayout wgmmaOperand8(int64_t m, int64_t k, llvm::ArrayRef<Digit> warpgroups);
/// The same of mma.sync m16n8k32.
FragmentLayout mmaOperand8(int64_t m, int64_t k, llvm::ArrayRef<Digit> warps);
/// Coalesced: `vector` consecutive elements of the last axis per thread (rounded down to a power of
/// two, cut to the axis), lanes along the last axis first, then the axis before; warps along the
/// slowest axis that has room. Covers `shape` (rank 1 or more) with exactly `numWarps` warps; lanes
/// and warps that a small tile leaves over hold copies.
FragmentLayout blocked(llvm::ArrayRef<int64_t> shape, int64_t vector, int64_t numWarps);
/// Every thread of `numWarps` warps holds the whole tile.
FragmentLayout replicated(llvm::ArrayRef<int64_t> shape, int64_t numWarps);
/// `inner` with one more last axis of `count` elements held in registers (the partial axis of a
/// cross-warp reduction).
FragmentLayout withRegisterAxis(const FragmentLayout &inner, int64_t count);

/// How far the elements of a tile travel from one layout to another.
enum class ConversionKind {
  None,                ///< same registers of the same threads: the values are used as they are
  RegisterPermutation, ///< each stays in its thread: registerPermutation() gives the table
  QuadShuffle,         ///< each is in the same four lanes, in a register that may differ by lane
  WarpShuffle,         ///< each is in the same warp
  Shared               ///< through shared memory (always right, also for the two shuffles)
};
/// The cheapest way that is always right for a tile of `shape`.
ConversionKind planConversion(const FragmentLayout &from, const FragmentLayout &to,
                              llvm::ArrayRef<int64_t> shape);
/// The register of `from` that each register of `to` takes, the same in every thread; -1 for
/// registers that hold only padding. Nothing unless planConversion() is None or
/// RegisterPermutation.
std::optional<llvm::SmallVector<int64_t>> registerPermutation(const FragmentLayout &from,
                                                              const FragmentLayout &to,
                                                              llvm::ArrayRef<int64_t> shape);

} // namespace tilec

#endif // TILEC_LAYOUT_FRAGMENTLAYOUT_H
