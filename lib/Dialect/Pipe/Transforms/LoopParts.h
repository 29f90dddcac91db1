//===- LoopParts.h - the early and the late part of an iteration -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPPARTS_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPPARTS_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"

#include "llvm/ADT/SetVector.h"

namespace tilec {

/// On a product: it is issued one iteration late. On a loop: its warpgroups issue in turns.
inline constexpr llvm::StringLiteral lateAttrName = "pipe.late", turnsAttrName = "pipe.turns";

using OpList = llvm::SmallVector<mlir::Operation *>;

/// An iteration of a consumer's loop, taken apart. Each list is in program order.
struct LoopParts {
  mlir::scf::ForOp loop;
  OpList issue;     // early products and what they need
  OpList addresses; // other address work: its loads start early, but no product waits for them
  OpList rest;      // elementwise work on early results
  OpList casts;     // last step of a late product's register operand
  OpList prepare;   // needs late results of the iteration before (the rescaled accumulator)
  OpList late;      // late products, the waits for their slots, and what was long to prepare
  OpList after;     // needs late results of this iteration
  /// Control flow that gives the next iteration's scalars: it would cut other work in two.
  OpList ends;
  OpList earlyReleases, lateReleases;  // slots of early and of late products
  bool wideLate = false;               // a late accumulator takes over 64 registers of a thread
  llvm::SmallVector<bool> lateCarried; // per carried value: yielded by the late part

  /// Values of one iteration that its late part needs.
  llvm::SetVector<mlir::Value> boundary() const;
};

/// Takes the loop apart by its `pipe.late` marks; fails, with the reason in `why`, where the early
/// part of an iteration needs a late result.
mlir::FailureOr<LoopParts> takeApart(mlir::scf::ForOp loop, std::string &why);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_LOOPPARTS_H
