//===- SharedLayout.h - where an element of a shared tile lies --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A shared tile is row-major, its last axis cut into slabs of one swizzle width W bytes; each slab
// is stored as rows of W bytes, in which the 16-byte chunk index is xored with (row * W / 128) mod
// (W / 16). This is the pattern that TMA writes and that wgmma's descriptors read; W = 0 is plain
// row-major. Tiles start at multiples of 1024 bytes. bf16 [16, 128], W = 128:
//
//   slab 0 (columns 0..63)                       slab 1 (columns 64..127), 2048 bytes further
//   row 0: chunks 0 1 2 3 4 5 6 7                row 0: chunks 8 9 ...
//   row 1: chunks 1 0 3 2 5 4 7 6
//   row 2: chunks 2 3 0 1 6 7 4 5
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_SHAREDLAYOUT_H
#define TILEC_LAYOUT_SHAREDLAYOUT_H

#include "tilec/Layout/TilePart.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace tilec {

struct SharedLayout {
  llvm::SmallVector<int64_t> shape; // elements
  int64_t elementBytes = 2;
  int64_t swizzle = 0; // bytes: 0, 32, 64 or 128

  /// Product of all extents but the last.
  int64_t rows() const;
  /// Bytes of one row of the tile, all slabs together, without padding.
  int64_t rowBytes() const;
  /// Bytes that the tile takes; a last slab that the row does not fill counts whole.
  int64_t bytes() const;
  /// Bytes between two slabs; the whole tile without a swizzle.
  int64_t slabBytes() const;
  /// Byte offset of an element: the one function that everybody uses.
  int64_t swizzledOffset(llvm::ArrayRef<int64_t> coord) const;
  /// True if TMA (one box per slab) writes this pattern: the hardware xors address bits, so every
  /// slab has to start where the pattern does. False for several slabs of a number of rows that is
  /// not a multiple of 8, and for a plain tile whose rows are not multiples of 16 bytes.
  bool matchesTma() const;
  /// Why TMA cannot write this part by itself, one box per slab; empty if it can. The tile matches
  /// TMA.
  std::string tmaProblem(const TilePart &part) const;
};

/// The widest swizzle (128, 64, 32 or 0) whose width divides the last axis.
int64_t widestSwizzle(int64_t lastExtent, int64_t elementBytes);

/// wgmma shared-memory matrix descriptor, without the start address (bits 0..13).
/// `mnMajor`: the tile is stored with the M or N axis last ([K, N]); otherwise K is last ([M, K] or
/// [N, K]).
struct WgmmaOperand {
  uint64_t descriptor;   // layout type, leading and stride byte offsets
  int64_t kStepBytes;    // start address advance for the next k-step (32 bytes of K: k16 for 16-bit
                         // elements)
  int64_t kStepsPerSlab; // steps before the advance is slabBytes instead; all steps if `mnMajor`
};

/// The operand's descriptor, or nothing (and the reason in `why`, if given) for a tile that no
/// descriptor reaches:
///   - K-major without a swizzle (core matrices are 8 rows of 16 bytes side by side, a row-major
///     tile is not)
///   - K-major whose rows are not a multiple of 8, or whose K is not a multiple of 32 bytes
///   - MN-major of elements that are not 16-bit (wgmma transposes no others)
///   - MN-major without a swizzle, unless the tile is exactly 8 elements wide
///   - MN-major whose K is not a multiple of 16, or whose width is not a multiple of 8
/// Leading axes count as rows: wgmmaMatrix reaches the operands of a batch.
std::optional<WgmmaOperand> wgmmaOperand(const SharedLayout &tile, bool mnMajor,
                                         std::string *why = nullptr);

/// Start-address advance in bytes to k-step `step` and to row/column block `mn` (elements along M
/// or N). `mn` is a multiple of 8 rows (K-major) or of one slab's width (MN-major). The tile has an
/// operand.
int64_t wgmmaStart(const SharedLayout &tile, bool mnMajor, int64_t kStep, int64_t mn);
/// Start-address advance in bytes from one operand of a batch to the next: the tile is [G, N, K] or
/// [G, K, N]. Both the extent in the middle and the rows of the tile are multiples of 8.
int64_t wgmmaMatrix(const SharedLayout &tile);

} // namespace tilec

#endif // TILEC_LAYOUT_SHAREDLAYOUT_H
