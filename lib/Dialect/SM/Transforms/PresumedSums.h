//===- PresumedSums.h - sums of weights and their reference -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_SM_TRANSFORMS_PRESUMEDSUMS_H
#define TILEC_LIB_SM_TRANSFORMS_PRESUMEDSUMS_H

#include "PresumedBlock.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace tilec {

/// The sums, for each row of the thread, of weights relative to the reference of the iteration
/// before, or to 0 where a row has none yet. What is asked for is computed at `b`; answers of one
/// bit are the same in all lanes of the warp.
class PresumedSums {
public:
  PresumedSums(const PresumedBlock &block, mlir::Value sums)
      : block(block), loc(block.follows->getLoc()), sums(sums) {}

  /// False if no sum, and so no weight, is above 2^lag and each row has a reference: all may stay
  /// as it is.
  mlir::Value needCorrection(mlir::OpBuilder &b) const;
  /// The greatest sum of each row, of all lanes that share it.
  mlir::Value greatest(mlir::OpBuilder &b) const;
  /// True if a row's weights are too large, or, relative to 0, too small for what they were
  /// computed from to show.
  mlir::Value areLost(mlir::OpBuilder &b, mlir::Value greatest) const;
  /// How far each row's reference moves, a whole number: to where its greatest sum is between 1 and
  /// 2; 0 where that need not be.
  mlir::Value movement(mlir::OpBuilder &b, mlir::Value greatest) const;

private:
  mlir::Value any(mlir::OpBuilder &b, mlir::Value ofRows) const;
  mlir::Value compare(mlir::OpBuilder &b, mlir::arith::CmpFPredicate predicate, mlir::Value value,
                      double with) const;
  mlir::Value isUnset(mlir::OpBuilder &b) const;

  const PresumedBlock &block;
  mlir::Location loc;
  mlir::Value sums;
};

/// A vector of f32 whose elements are all `value`.
mlir::Value splat(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type, double value);

} // namespace tilec

#endif // TILEC_LIB_SM_TRANSFORMS_PRESUMEDSUMS_H
