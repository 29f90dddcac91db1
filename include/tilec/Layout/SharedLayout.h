//===- SharedLayout.h - where an element of a shared tile lies --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A shared tile is row-major, its last axis cut into slabs of one swizzle width W bytes; each slab is
// stored as rows of W bytes, in which the 16-byte chunk index is xored with (row * W / 128) mod (W / 16).
// This is the pattern that TMA writes and that wgmma's descriptors read; W = 0 is plain row-major.
// Tiles start at multiples of 1024 bytes.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_SHAREDLAYOUT_H
#define TILEC_LAYOUT_SHAREDLAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace tilec {

struct SharedLayout {
  llvm::SmallVector<int64_t> shape; // elements
  int64_t elementBytes = 2;
  int64_t swizzle = 0; // bytes: 0, 32, 64 or 128

  /// Product of all extents but the last.
  int64_t rows() const;
  int64_t bytes() const;
  /// Bytes between two slabs.
  int64_t slabBytes() const;
  /// Byte offset of an element: the one function that everybody uses.
  int64_t swizzledOffset(llvm::ArrayRef<int64_t> coord) const;
};

/// The widest swizzle (128, 64, 32 or 0) whose width divides the last axis.
int64_t widestSwizzle(int64_t lastExtent, int64_t elementBytes);

/// wgmma shared-memory matrix descriptor, without the start address (bits 0..13).
/// `mnMajor`: the tile is stored with the M or N axis last ([K, N]); otherwise K is last ([M, K] or [N, K]).
struct WgmmaOperand {
  uint64_t descriptor;    // layout type, leading and stride byte offsets
  int64_t kStepBytes;     // start address advance for the next 16-bit k16 (8-bit k32) step inside a slab
  int64_t kStepsPerSlab;  // steps before the advance is slabBytes instead (K-major only)
};
WgmmaOperand wgmmaOperand(const SharedLayout &tile, bool mnMajor);
/// Start-address advance in bytes to k-step `step` and to row/column block `mn` (elements along M or N).
int64_t wgmmaStart(const SharedLayout &tile, bool mnMajor, int64_t kStep, int64_t mn);

} // namespace tilec

#endif // TILEC_LAYOUT_SHAREDLAYOUT_H
