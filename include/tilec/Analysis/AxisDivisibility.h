//===- AxisDivisibility.h - what divides offsets and extents -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Known before the launch, from constants, loop steps and the launch facts. It decides between
// 16-byte accesses and a run-time test, and whether TMA may load a window.
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_AXISDIVISIBILITY_H
#define TILEC_ANALYSIS_AXISDIVISIBILITY_H

#include "tilec/Dialect/Tile/IR/Tile.h"

#include "llvm/ADT/StringMap.h"

namespace tilec {

/// Numbers that divide values of one kernel; 0 is divided by everything.
class Divisibility {
public:
  explicit Divisibility(mlir::tile::KernelOp kernel);

  int64_t of(mlir::Value value, int depth = 0) const;
  /// Of extent `axis` of a tensor parameter.
  int64_t ofExtent(mlir::Value tensor, int64_t axis) const;
  /// True if the launcher checked that the tensor and its strides are multiples of 16 bytes.
  bool isAligned(mlir::Value tensor) const;

private:
  int64_t ofOperation(mlir::Operation *op, int depth) const;
  int64_t ofDim(llvm::StringRef name) const;
  mlir::DictionaryAttr parameter(mlir::Value tensor) const;

  mutable mlir::tile::KernelOp kernel; // accessors of operations are not const
  llvm::StringMap<int64_t> dimMultiples;
};

} // namespace tilec

#endif // TILEC_ANALYSIS_AXISDIVISIBILITY_H
