//===- SharedLayout.cpp - swizzled offsets and wgmma descriptors ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/SharedLayout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>

using namespace tilec;
using llvm::ArrayRef;
using llvm::Twine;

static constexpr int64_t kChunkBytes = 16; // what a swizzle moves, a row of a core matrix
static constexpr int64_t kLineBytes = 128; // all 32 banks
static constexpr int64_t kCoreRows = 8;    // rows of a core matrix, period of every swizzle in rows
static constexpr int64_t kKStepBytes = 32; // K of one wgmma: 16 elements of 16 bits, 32 of 8
static constexpr int64_t kKStepRows =
    16; // the same counted in rows of an MN-major tile (16-bit elements)

int64_t SharedLayout::rows() const {
  int64_t product = 1;
  for (int64_t extent : ArrayRef<int64_t>(shape).drop_back())
    product *= extent;
  return product;
}

int64_t SharedLayout::rowBytes() const { return shape.back() * elementBytes; }

int64_t SharedLayout::slabBytes() const { return rows() * (swizzle == 0 ? rowBytes() : swizzle); }

int64_t SharedLayout::bytes() const {
  return swizzle == 0 ? slabBytes() : llvm::divideCeilSigned(rowBytes(), swizzle) * slabBytes();
}

int64_t SharedLayout::swizzledOffset(ArrayRef<int64_t> coord) const {
  assert(coord.size() == shape.size() && "one coordinate per axis");
  int64_t row = 0;
  for (auto [extent, x] : llvm::zip(ArrayRef<int64_t>(shape).drop_back(), coord.drop_back()))
    row = row * extent + x;
  const int64_t column = coord.back() * elementBytes;
  if (swizzle == 0)
    return row * rowBytes() + column;
  const int64_t turn = row * swizzle / kLineBytes % (swizzle / kChunkBytes);
  return column / swizzle * slabBytes() + row * swizzle + (column % swizzle ^ turn * kChunkBytes);
}

bool SharedLayout::matchesTma() const {
  if (swizzle == 0)
    return rowBytes() % kChunkBytes == 0;
  return rowBytes() <= swizzle || rows() % kCoreRows == 0;
}

std::string SharedLayout::tmaProblem(const TilePart &part) const {
  constexpr int64_t targetBytes = 128; // what TMA's target in shared memory is a multiple of
  if (swizzle == 0) {
    if (part.columns != shape.back())
      return "it covers parts of rows, and the tile has no swizzle that cuts rows in slabs";
    if (int64_t start = part.row * rowBytes(); start % targetBytes != 0)
      return ("it starts at byte " + Twine(start) +
              " of the tile, TMA writes from multiples of 128 on")
          .str();
    return "";
  }
  if (part.row % kCoreRows != 0)
    return ("it starts at row " + Twine(part.row) + ", and the swizzle of " + Twine(swizzle) +
            " bytes repeats every 8 rows (" + Twine(kCoreRows * swizzle) + " bytes)")
        .str();
  int64_t first = part.column * elementBytes, last = part.endColumn() * elementBytes;
  if (first % swizzle != 0 || (last % swizzle != 0 && last != rowBytes()))
    return ("it covers bytes " + Twine(first) + " to " + Twine(last) +
            " of rows, TMA whole slabs of " + Twine(swizzle) + " bytes")
        .str();
  return "";
}

int64_t tilec::widestSwizzle(int64_t lastExtent, int64_t elementBytes) {
  for (int64_t width : {128, 64, 32})
    if (lastExtent * elementBytes % width == 0)
      return width;
  return 0;
}

/// Why no descriptor reaches the tile; empty if one does.
static std::string operandProblem(const SharedLayout &tile, bool mnMajor) {
  if (!mnMajor) {
    if (tile.swizzle == 0)
      return "a K-major wgmma operand needs a swizzle of 32, 64 or 128 bytes, found none";
    if (tile.rows() % kCoreRows != 0)
      return ("a K-major wgmma operand needs a multiple of 8 rows, found " + Twine(tile.rows()))
          .str();
    if (tile.rowBytes() % kKStepBytes != 0)
      return ("a K-major wgmma operand needs a K of a multiple of 32 bytes, found " +
              Twine(tile.rowBytes()))
          .str();
    return "";
  }
  if (tile.elementBytes != 2)
    return ("wgmma transposes only 16-bit operands, found " + Twine(8 * tile.elementBytes) +
            "-bit elements; store the tile with K last")
        .str();
  if (tile.rows() % kKStepRows != 0)
    return ("an MN-major wgmma operand needs a K of a multiple of 16, found " + Twine(tile.rows()))
        .str();
  if (tile.rowBytes() % kChunkBytes != 0)
    return ("an MN-major wgmma operand needs a width of a multiple of 8, found " +
            Twine(tile.shape.back()))
        .str();
  if (tile.swizzle == 0 && tile.rowBytes() != kChunkBytes)
    return ("an MN-major wgmma operand without a swizzle is 8 elements wide, found " +
            Twine(tile.shape.back()))
        .str();
  return "";
}

/// Bits 62..63 of a descriptor.
static uint64_t layoutType(int64_t swizzle) {
  switch (swizzle) {
  case 128:
    return 1;
  case 64:
    return 2;
  case 32:
    return 3;
  default:
    return 0;
  }
}

/// Leading and stride offsets in bytes; both fields hold 14 bits of 16-byte units.
static uint64_t descriptorBits(int64_t swizzle, int64_t leading, int64_t stride) {
  assert(leading / kChunkBytes < 1 << 14 && stride / kChunkBytes < 1 << 14 && "past shared memory");
  return layoutType(swizzle) << 62 | static_cast<uint64_t>(stride / kChunkBytes) << 32 |
         static_cast<uint64_t>(leading / kChunkBytes) << 16;
}

std::optional<WgmmaOperand> tilec::wgmmaOperand(const SharedLayout &tile, bool mnMajor,
                                                std::string *why) {
  if (std::string problem = operandProblem(tile, mnMajor); !problem.empty()) {
    if (why)
      *why = std::move(problem);
    return std::nullopt;
  }
  const int64_t width = tile.swizzle == 0 ? kChunkBytes : tile.swizzle;
  const int64_t group = kCoreRows * width; // eight rows of a slab
  if (!mnMajor) // stride: to the next eight rows; the leading offset is not read
    return WgmmaOperand{descriptorBits(tile.swizzle, kChunkBytes, group), kKStepBytes,
                        width / kKStepBytes};
  const int64_t steps = tile.rows() / kKStepRows;
  if (tile.swizzle == 0) // the roles change: leading to the next eight k, stride (not read) to the
                         // next eight columns
    return WgmmaOperand{descriptorBits(0, group, group), 2 * group, steps};
  return WgmmaOperand{descriptorBits(tile.swizzle, tile.slabBytes(), group), 2 * group, steps};
}

int64_t tilec::wgmmaStart(const SharedLayout &tile, bool mnMajor, int64_t kStep, int64_t mn) {
  const int64_t width = tile.swizzle == 0 ? kChunkBytes : tile.swizzle;
  if (mnMajor) {
    assert(mn * tile.elementBytes % width == 0 &&
           "a block of an MN-major operand starts with a slab");
    return mn * tile.elementBytes / width * tile.slabBytes() + kStep * kKStepRows * width;
  }
  assert(mn % kCoreRows == 0 && "a block of a K-major operand starts with a core matrix");
  const int64_t k = kStep * kKStepBytes;
  return k / width * tile.slabBytes() + mn * width + k % width;
}

int64_t tilec::wgmmaMatrix(const SharedLayout &tile) {
  const int64_t rows = tile.shape[tile.shape.size() - 2];
  assert(rows % kCoreRows == 0 && "an operand of a batch starts where the pattern does");
  return rows * (tile.swizzle == 0 ? tile.rowBytes() : tile.swizzle);
}
