//===- Plan.h - what becomes of a kernel that is split into roles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H
#define TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/SetVector.h"

namespace tilec::to_pipe {

/// A copy that the producer takes over: of a window by TMA, or of rows at an index tile by its
/// threads.
struct CopyPlan {
  mlir::tile::CopyOp copy;
  mlir::tile::GatherCopyOp gather; // then `copy` is null
  mlir::tile::WindowOp window;
  mlir::tile::AllocSharedOp tile;
  unsigned param;                 // number of the tensor among the kernel's parameters
  llvm::SmallVector<int64_t> box; // elements per tensor dimension, of one TMA load
  bool threadReaders = false;     // read by loads, or not by a product in every iteration
  bool asRows = false;            // TMA cannot copy this window, threads can, row by row
  TilePart part;                  // of the tile that is filled
  /// The first and the last one of the copies that fill the tile; they follow each other.
  bool opens = true, closes = true;

  mlir::Operation *op() { return gather ? gather.getOperation() : copy.getOperation(); }
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

// Parts.cpp: tiles that several copies fill.

/// The tile that `target` is, or is a part of; null if it is none.
mlir::tile::AllocSharedOp filledTile(mlir::Value target);
/// Which part of its tile `target` is; nothing, and the reason, if the producer cannot fill it by
/// itself.
std::optional<TilePart> filledPart(mlir::Value target, std::string &reason);
/// Puts copies of one tile behind each other.
void groupByTile(llvm::SmallVectorImpl<CopyPlan> &copies);
/// The copies that fill the tile of `first`, the first one of them.
llvm::MutableArrayRef<CopyPlan> copiesOfTile(llvm::MutableArrayRef<CopyPlan> copies, size_t first);
/// What is missing if these parts are to fill `tile`, each element once; empty if nothing is.
std::string fillProblem(mlir::tile::AllocSharedOp tile, llvm::ArrayRef<CopyPlan> copies);

// Gathers.cpp: what the producer's threads need to copy rows at an index tile.

constexpr int64_t kProducerWarps = 4;

/// How the producer holds the index of `gather`, and its mask.
FragmentLayout indexLayout(mlir::tile::GatherCopyOp gather);
/// Why its threads cannot copy these rows; empty if they can.
std::string gatherProblem(mlir::tile::GatherCopyOp gather);
/// The same of all rows of a window.
std::string rowsProblem(mlir::tile::CopyOp copy);
/// Copies as the rows at 0, 1, 2, ... what is planned `asRows`.
void copyAsRows(CopyPlan &copy);

/// The index and mask of a gather.
llvm::SmallVector<mlir::Value> fragmentsOf(mlir::tile::GatherCopyOp gather);
/// What fragments are computed from.
struct FragmentSources {
  llvm::SetVector<mlir::Value> fragments; // themselves, too
  llvm::SetVector<mlir::Value> scalars;   // also windows
  mlir::Operation *problem = nullptr;     // that the producer cannot do for itself, and why
  std::string reason;
};
FragmentSources sourcesOf(mlir::ValueRange fragments);

} // namespace tilec::to_pipe

#endif // TILEC_LIB_CONVERSION_TILETOPIPE_PLAN_H
