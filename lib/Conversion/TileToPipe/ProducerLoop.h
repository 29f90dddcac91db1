//===- ProducerLoop.h - what the producer computes in its loop ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOPIPE_PRODUCERLOOP_H
#define TILEC_LIB_CONVERSION_TILETOPIPE_PRODUCERLOOP_H

#include "Plan.h"

#include "mlir/IR/IRMapping.h"

#include <vector>

namespace tilec::to_pipe {

/// Fragments that the producer has computed for itself in one layout, by the author's.
struct ProducerFragments {
  FragmentLayout layout;
  llvm::DenseMap<mlir::Value, mlir::Value> known;

  /// `fragment`, computed where `at` stands if it is not known yet, from what `mapping` knows of
  /// scalars and windows.
  mlir::Value get(mlir::Value fragment, const mlir::IRMapping &mapping, mlir::OpBuilder &at);
};

/// The same for each layout that is needed.
class Fragments {
public:
  ProducerFragments &in(const FragmentLayout &layout);
  /// The scalars and windows that the fragments of `gather` need where they are not known.
  llvm::SmallVector<mlir::Value> missingScalars(mlir::tile::GatherCopyOp gather);

private:
  std::vector<ProducerFragments> sets;
};

/// Fragments of the consumers that come from what gathers read lay as the copies wanted them. Now
/// that nobody copies there, conversions give way to the same work in the layout that is asked for.
/// Call it before the copies are gone.
void layOutForConsumers(mlir::tile::KernelOp kernel, LoopPlan &step);

/// Windows and scalars of an iteration, and the indices of rows. Indices are read one iteration
/// ahead, so that nobody waits for them, if nothing that the loop carries has a part in them.
class ProducerLoop {
public:
  /// `before`: in front of the loop.
  ProducerLoop(LoopPlan &step, mlir::OpBuilder &before);
  /// What the loop carries beside the cursor.
  llvm::SmallVector<mlir::Value> start();
  /// At the start of an iteration.
  void enter(mlir::OpBuilder &body, mlir::Value iv, mlir::ValueRange carried);
  /// At its end: what it yields for `start`.
  llvm::SmallVector<mlir::Value> next(mlir::OpBuilder &body);

  mlir::IRMapping mapping; // of the iteration
  Fragments fragments;

private:
  struct Read {
    mlir::Value fragment;
    FragmentLayout layout;
  };
  void findReads();
  llvm::SmallVector<mlir::Value> read(mlir::OpBuilder &at, mlir::Value iv);

  LoopPlan &step;
  mlir::scf::ForOp loop;
  std::vector<Read> ahead; // what is read ahead
  llvm::SmallVector<mlir::Value> first, following;
};

} // namespace tilec::to_pipe

#endif // TILEC_LIB_CONVERSION_TILETOPIPE_PRODUCERLOOP_H
