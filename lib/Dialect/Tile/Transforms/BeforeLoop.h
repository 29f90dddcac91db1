//===- BeforeLoop.h - what is computed in front of a loop -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_BEFORELOOP_H
#define TILEC_LIB_TILE_TRANSFORMS_BEFORELOOP_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Builds scalars in front of a loop, and finds those of its body that could stand there.
class BeforeLoop : private mlir::OpBuilder::Listener {
public:
  BeforeLoop(mlir::scf::ForOp loop, mlir::Location loc)
      : loop(loop), builder(loop, this), loc(loc) {}

  /// `value` in front of the loop, if it does not change in it: a copy where the loop's body
  /// computes it.
  mlir::Value same(mlir::Value value);
  template <typename Op, typename... Args> mlir::Value create(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  mlir::Value constant(int64_t value);
  /// An integer of at most 64 bits as i64.
  mlir::Value wide(mlir::Value value);
  /// end - by, which the caller knows to be inside of i64.
  mlir::Value minus(mlir::Value end, int64_t by);
  /// Erases what was built, as far as nothing uses it; `result` stays.
  void eraseUnused(mlir::Value result);

private:
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override {
    created.push_back(op);
  }

  mlir::scf::ForOp loop;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::SmallVector<mlir::Operation *> created;
  /// Copies; null for what changes in the loop.
  llvm::DenseMap<mlir::Value, mlir::Value> copies;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_BEFORELOOP_H
