//===- UnrollByTwo.cpp - two trips of a loop at a turn ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// In a file of its own: upstream's utilities have a function `mlir::tile`, the tile dialect a namespace of that name.
//===----------------------------------------------------------------------===//
#include "UnrollByTwo.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/Utils/Utils.h"

using namespace mlir;

/// A loop of at most one trip as a branch.
static void replaceByBranch(scf::ForOp loop) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  Value runs = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt, loop.getLowerBound(),
                                     loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), runs, /*withElse=*/true);
  SmallVector<Value> arguments{loop.getLowerBound()};
  llvm::append_range(arguments, loop.getInitArgs());
  rewriter.mergeBlocks(loop.getBody(), branch.thenBlock(), arguments);
  rewriter.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(rewriter, loc, loop.getInitArgs());
  rewriter.replaceOp(loop, branch.getResults());
}

LogicalResult tilec::unrollByTwo(scf::ForOp loop) {
  FailureOr<UnrolledLoopInfo> parts = loopUnrollByFactor(loop, 2);
  if (succeeded(parts) && parts->epilogueLoopOp)
    replaceByBranch(*parts->epilogueLoopOp);
  return success(succeeded(parts));
}
