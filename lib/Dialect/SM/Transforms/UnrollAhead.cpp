//===- UnrollAhead.cpp - two trips of a loop with tiles handed on -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "UnrollByTwo.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilec {
#define GEN_PASS_DEF_UNROLLAHEADPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

namespace {
class UnrollAhead : public tilec::impl::UnrollAheadPassBase<UnrollAhead> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (loop->hasAttr(pipe::aheadAttrName) && !loop.getOps<sm::WgmmaCommitOp>().empty())
        loops.push_back(loop);
    });
    for (scf::ForOp loop : loops) {
      loop->removeAttr(pipe::aheadAttrName);
      if (failed(tilec::unrollByTwo(loop)))
        continue;
      loop->setAttr(sm::iterationsAttrName, IntegerAttr::get(IntegerType::get(&getContext(), 64), 2));
      ++numUnrolled;
    }
  }
};
} // namespace
