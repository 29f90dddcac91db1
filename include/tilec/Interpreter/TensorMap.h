//===- TensorMap.h - what a TMA descriptor says -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_INTERPRETER_TENSORMAP_H
#define TILEC_INTERPRETER_TENSORMAP_H

#include <cstdint>
#include <vector>

namespace tilec {

/// The content of a CUtensorMap in plain words. Vectors are per dimension, outermost first, as in
/// the kernel's tables (the instruction's coordinates come innermost first).
struct TensorMap {
  /// Address of the element at coordinates 0, in this process.
  char *data = nullptr;
  int64_t elementBytes = 2;
  std::vector<int64_t> extents, strides; // in elements
  /// Elements of one copy; the innermost row is at most `swizzle` bytes where that is not 0.
  std::vector<int64_t> box;
  int64_t swizzle = 0; // 0, 32, 64 or 128 bytes

  /// Bytes that one copy writes to shared memory, those outside the tensor included.
  int64_t boxBytes() const {
    int64_t bytes = elementBytes;
    for (int64_t extent : box)
      bytes *= extent;
    return bytes;
  }
};

} // namespace tilec

#endif // TILEC_INTERPRETER_TENSORMAP_H
