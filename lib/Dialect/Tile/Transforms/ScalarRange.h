//===- ScalarRange.h - what values a scalar integer can have ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_SCALARRANGE_H
#define TILEC_LIB_TILE_TRANSFORMS_SCALARRANGE_H

#include "mlir/IR/Value.h"

namespace tilec {

/// Both ends belong to the range.
struct ScalarRange {
  int64_t min, max;
  bool within(const ScalarRange &other) const { return min >= other.min && max <= other.max; }
};

/// All values of a signed integer of `width` bits.
ScalarRange rangeOfWidth(unsigned width);

/// A range that holds `value`, an integer of at most 64 bits read as signed, whatever the launch
/// brings.
ScalarRange rangeOf(mlir::Value value);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_SCALARRANGE_H
