//===- Expand.cpp - prologue, steady state, epilogue ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

#include "Chain.h"
#include "Rotate.h"

namespace tilec {
#define GEN_PASS_DEF_EXPANDPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

static bool hasLateProduct(scf::ForOp loop) {
  return llvm::any_of(loop.getOps<tile::GemmOp>(),
                      [](tile::GemmOp gemm) { return gemm->hasAttr(lateAttrName); });
}

namespace {
class Expand : public tilec::impl::ExpandPassBase<Expand> {
public:
  void runOnOperation() override {
    SmallVector<scf::ForOp> late;
    SmallVector<ChainedLoop> chained;
    getOperation().walk([&](pipe::SpecializeOp roles) {
      roles.getConsumer().walk([&](scf::ForOp loop) {
        if (hasLateProduct(loop))
          late.push_back(loop);
        else if (std::optional<ChainedLoop> chain = findChain(loop))
          chained.push_back(*chain);
      });
    });
    OpBuilder builder(&getContext());
    for (const ChainedLoop &chain : chained)
      keepInFlight(chain, builder);
    numChained += chained.size();
    for (scf::ForOp loop : late) {
      std::string why;
      FailureOr<LoopParts> parts = takeApart(loop, why);
      if (failed(parts)) {
        emitError(loop.getLoc()) << "cannot rotate this loop: " << why;
        return signalPassFailure();
      }
      rotate(*parts, builder);
      ++numRotated;
    }
  }
};
} // namespace
