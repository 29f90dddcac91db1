//===- AllocateShared.cpp - byte ranges of shared tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SharedPlan.h"

#include "tilec/Dialect/Tile/Transforms/Passes.h"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
struct AllocateShared : tilec::impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override;
};
} // namespace

void AllocateShared::runOnOperation() {
  SharedPlan plan(getOperation());
  int64_t needed = plan.place();
  if (needed > sharedLimit) {
    reportOverflow(getOperation(), std::move(plan), needed);
    return signalPassFailure();
  }
  int64_t barriers = plan.barriers, sum = 0;
  for (const SharedBuffer &buffer : plan.buffers) {
    sum += buffer.bytes;
    TypeSwitch<Operation *>(buffer.op).Case<tile::AllocSharedOp, pipe::ChannelOp>(
        [&](auto op) { op.setOffset(buffer.begin); });
    if (auto channel = dyn_cast<pipe::ChannelOp>(buffer.op)) {
      channel.setBarriers(barriers);
      barriers += 2 * barrierBytes * buffer.stages;
    }
  }
  getOperation()->setAttr(tile::TileDialect::sharedBytesAttrName,
                          Builder(&getContext()).getI64IntegerAttr(needed));
  reusedBytes += std::max<int64_t>(sum - plan.barriers, 0);
  sharedBytes += needed;
}
