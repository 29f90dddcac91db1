//===- LoopEnds.h - what a loop's numbers lie between -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LOOPENDS_H
#define TILEC_LIB_TILE_TRANSFORMS_LOOPENDS_H

#include "BeforeLoop.h"
#include "llvm/ADT/MapVector.h"

namespace tilec {

/// Solves comparisons for the numbers that change in a loop: from `number * 64 + 63 <= end` follows
/// `number <= (end - 63) >> 6`, whose right side stands in front of the loop. Each step is an
/// equivalence for all values, so what is found together is equivalent to what was demanded.
class LoopEnds {
public:
  /// What a number has to lie between, ends included. The ends are i64 in front of the loop.
  struct Ends {
    mlir::SmallVector<mlir::Value> least, most;
  };

  LoopEnds(mlir::scf::ForOp loop, mlir::Location loc) : before(loop, loc) {}

  /// Integers of at most 64 bits against an i64 in front of the loop.
  void demandAtMost(mlir::Value number, mlir::Value end);
  void demandAtLeast(mlir::Value number, mlir::Value end);
  /// What does not change in the loop.
  void demandOutside(mlir::Value condition);

  const llvm::MapVector<mlir::Value, Ends> &getNumbers() const { return numbers; }
  /// All that is demanded and does not change in the loop; null for nothing. Null from then on.
  mlir::Value takeOutside() { return std::exchange(fixed, {}); }

  BeforeLoop before;

private:
  bool demandRest(mlir::arith::SelectOp select, mlir::Value end);

  llvm::MapVector<mlir::Value, Ends> numbers;
  mlir::Value fixed;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LOOPENDS_H
