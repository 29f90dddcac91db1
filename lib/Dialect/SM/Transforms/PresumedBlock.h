//===- PresumedBlock.h - an iteration whose reference may stay ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_SM_TRANSFORMS_PRESUMEDBLOCK_H
#define TILEC_LIB_SM_TRANSFORMS_PRESUMEDBLOCK_H

#include "tilec/Dialect/SM/IR/SM.h"

#include "llvm/ADT/SetVector.h"

namespace tilec {

/// The online softmax of one tile of scores that no mask changes, in one block: the reference
/// follows the rows' maximum, exponentials of the scores are the weights, they are summed up and
/// cast for the next product.
struct PresumedBlock {
  using Operations = llvm::SetVector<mlir::Operation *>;

  mlir::sm::AgainOp again;       // the scores
  mlir::arith::SelectOp follows; // the reference from here on
  mlir::Value reference;         // the one before, which the loop carries
  double lag = 0;
  mlir::Value shift; // what the scores lose: `follows`, or 0 where that is -inf
  mlir::sm::Exp2Op weights;
  /// Of each weight, as the shuffle counts that repeats the reference.
  llvm::SmallVector<int64_t> rowOf;
  mlir::vector::FromElementsOp sums;         // of the thread's weights of each row
  mlir::arith::TruncFOp narrowed;            // the weights in the operand's type
  llvm::SmallVector<mlir::Value> lanesOfRow; // distances of lanes that share a row
  /// All that depends on the scores or on `follows`, in order; of these, what depends on `follows`.
  Operations fromScores, dependents;
  /// Of the dependents, what makes the weights and only takes them apart.
  llvm::DenseSet<mlir::Operation *> ofWeights;
  llvm::SmallVector<mlir::sm::OrderOp> orders; // that name `follows`

  int64_t rows() const {
    mlir::Value value = reference;
    return mlir::cast<mlir::VectorType>(value.getType()).getNumElements();
  }
};

/// The block of `select`, if it is such a softmax's `follows`.
std::optional<PresumedBlock> findPresumedBlock(mlir::arith::SelectOp select);

} // namespace tilec

#endif // TILEC_LIB_SM_TRANSFORMS_PRESUMEDBLOCK_H
