//===- TileToPipe.cpp - convert-tile-to-pipe -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToPipe.h"

#include "Plan.h"

#include "mlir/Pass/Pass.h"

namespace tilec {
#define GEN_PASS_DEF_CONVERTTILETOPIPEPASS
#include "tilec/Conversion/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static bool hasPipelinedLoop(tile::KernelOp kernel) {
  return kernel
      .walk([](scf::ForOp loop) {
        return loop->hasAttr(tile::TileDialect::pipelineAttrName) ? WalkResult::interrupt()
                                                                  : WalkResult::advance();
      })
      .wasInterrupted();
}

namespace {
class ConvertTileToPipe : public tilec::impl::ConvertTileToPipePassBase<ConvertTileToPipe> {
public:
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (!hasPipelinedLoop(kernel))
      return markAllAnalysesPreserved();
    std::optional<Refusal> refusal;
    FailureOr<Plan> plan = planRoles(kernel, refusal);
    if (succeeded(plan)) {
      splitRoles(kernel, *plan);
      ++numScheduled;
      return;
    }
    emitRemark(refusal->where) << "the kernel takes the simple path: " << refusal->reason;
    ++numDeclined;
  }
};
} // namespace

void tilec::registerTileToPipePass() {
  registerPass([]() -> std::unique_ptr<Pass> { return createConvertTileToPipePass(); });
}
