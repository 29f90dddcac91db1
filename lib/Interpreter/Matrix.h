//===- Matrix.h - operands of matrix instructions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_MATRIX_H
#define TILEC_LIB_INTERPRETER_MATRIX_H

#include "Values.h"

namespace tilec::interp {

/// The 16 rows of operand A in four registers of a warp, 32 bytes of k each, as floats.
void unpackRows(Warp &warp, uint32_t offset, Kind kind, float *rows);

/// The fields of a matrix descriptor, in bytes, and the addresses that it stands for.
struct Descriptor {
  explicit Descriptor(uint64_t bits);

  /// Address of 16 bytes: of K-major operands row or column `mn` and byte `k` of the instruction's
  /// k; of MN-major ones byte `mn` and row `k`.
  uint32_t address(bool mnMajor, uint32_t mn, uint32_t k) const;

  uint32_t start, leading, stride, baseOffset, swizzle;
};

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_MATRIX_H
