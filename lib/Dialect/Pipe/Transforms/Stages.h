//===- Stages.h - three iterations of a loop beside each other ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_STAGES_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_STAGES_H

#include "LoopParts.h"

#include "mlir/IR/IRMapping.h"

namespace tilec {

/// Replaces the loop by what `someTrips` builds and yields, under a test for at least one trip.
void replaceUnderTest(mlir::scf::ForOp loop, mlir::OpBuilder &builder,
                      llvm::function_ref<llvm::SmallVector<mlir::Value>()> someTrips);

/// A loop whose iterations are cut into three stages. A trip of its new form has the first stage of one iteration,
/// the middle stage of the one before, and the last stage of the one before that.
class Stages {
public:
  using OpSet = llvm::DenseSet<mlir::Operation *>;
  /// Writes the stages of a trip; each with the values of its iteration, null where the trip has no such stage.
  using Writer = llvm::function_ref<void(mlir::IRMapping *first, mlir::IRMapping *middle, mlir::IRMapping *last)>;

  /// What is in neither set is in the middle. Windows and integer arithmetic are made anew in each stage that needs
  /// them.
  Stages(mlir::scf::ForOp loop, OpSet first, OpSet last);

  /// Fails, with the reason in `why`, where a stage needs what a trip has not computed by then. A middle stage may
  /// need what the last stage of the iteration before gives: then `handOn` has to be called between them.
  mlir::LogicalResult check(std::string &why) const;
  /// The last stage of an iteration is done: its results are the next one's carried values.
  void handOn(const mlir::IRMapping &last, mlir::IRMapping &nextMiddle) const;
  /// Replaces the loop.
  void write(mlir::OpBuilder &builder, Writer writer);

private:
  enum Stage { First, Middle, Last };
  struct Iterations {
    mlir::IRMapping first, middle, last;
  };

  Stage stageOf(mlir::Operation *op) const;
  /// In whose values of an iteration this one is found; none if it is of no iteration.
  std::optional<Stage> homeOf(mlir::Value value) const;
  void forNeeded(mlir::Operation *op, Stage stage, llvm::function_ref<void(mlir::Value)> function) const;
  void findHanded();
  mlir::Value yielded(unsigned index) const;
  llvm::SmallVector<mlir::Value> someTrips();
  llvm::SmallVector<mlir::Value> oneTrip(mlir::IRMapping &only);
  llvm::SmallVector<mlir::Value> moreTrips(mlir::IRMapping &zero);
  mlir::scf::ForOp steadyState(mlir::Value third, mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> carriedOn(const mlir::IRMapping &first, const mlir::IRMapping &middle) const;
  void takeCarried(mlir::ValueRange carried, Iterations &to) const;

  mutable mlir::scf::ForOp loop; // a handle, whose accessors are not const
  OpSet first, last;
  llvm::SmallVector<Stage> yieldedBy; // per carried value
  llvm::SetVector<mlir::Value> toMiddle, toLast;
  mlir::OpBuilder *builder = nullptr;
  Writer *writer = nullptr;
};

/// Clones an operation of a stage, and what it needs of another one's windows and integer arithmetic.
void cloneInStage(mlir::OpBuilder &builder, mlir::Operation *op, mlir::IRMapping &mapping);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_STAGES_H
