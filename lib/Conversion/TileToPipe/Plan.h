//===- Plan.h - what becomes of a kernel that is split into roles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H
#define TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/SetVector.h"

namespace tilec::to_pipe {

/// A copy that the producer takes over.
struct CopyPlan {
  mlir::tile::CopyOp copy;
  mlir::tile::WindowOp window;
  mlir::tile::AllocSharedOp tile;
  unsigned param;                     // number of the tensor among the kernel's parameters
  llvm::SmallVector<int64_t> box;     // elements per tensor dimension, of one TMA load
  bool threadReaders = false;         // read by loads, or not by a product in every iteration
};

/// The copies of one pipelined loop, or (loop null) those that stand outside of loops.
struct LoopPlan {
  mlir::scf::ForOp loop;
  int64_t stages = 1;
  llvm::SmallVector<CopyPlan> copies;
  /// Scalars that the loop carries and addresses depend on: the producer carries them, too.
  llvm::SetVector<mlir::BlockArgument> carried;
};

struct Plan {
  /// In program order; copies outside of loops are single entries of their own.
  llvm::SmallVector<LoopPlan> steps;
  /// Operations of the kernel's block that both roles may compute: scalars and windows.
  llvm::SetVector<mlir::Operation *> common;
};

/// Why a kernel keeps to the simple path, and where.
struct Refusal {
  mlir::Location where;
  std::string reason;
};

/// A kernel with at least one pipelined loop, planned; or the first fact that forbids it.
mlir::FailureOr<Plan> planRoles(mlir::tile::KernelOp kernel, std::optional<Refusal> &refusal);
/// Rewrites the kernel by its plan.
void splitRoles(mlir::tile::KernelOp kernel, Plan &plan);

} // namespace tilec::to_pipe

#endif // TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H
