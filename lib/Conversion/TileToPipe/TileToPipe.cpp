//===- TileToPipe.cpp - convert-tile-to-pipe -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToPipe.h"

#include "Plan.h"
#include "tilec/Analysis/AddressWork.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
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

/// The loop over work items, if all that the kernel does is in it.
static scf::ForOp workLoopOf(tile::KernelOp kernel) {
  for (auto loop : kernel.getBody().front().getOps<scf::ForOp>())
    if (loop->hasAttr(tile::TileDialect::tileLoopAttrName) && loop.getNumResults() == 0 &&
        isa<tile::ReturnOp>(loop->getNextNode()))
      return loop;
  return nullptr;
}

/// Puts the body of the loop over work items in its place, for the item that `pipe.work_item`
/// names.
static void unwrap(scf::ForOp loop) {
  OpBuilder builder(loop);
  Value item = pipe::WorkItemOp::create(builder, loop.getLoc(), loop.getLowerBound(),
                                        loop.getUpperBound(), loop.getStep());
  loop.getInductionVar().replaceAllUsesWith(item);
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator()))
    op.moveBefore(loop);
  loop.erase();
}

/// Roles for `kernel`, or the first fact that forbids them.
static LogicalResult convert(tile::KernelOp kernel, std::optional<Refusal> &refusal) {
  FailureOr<Plan> plan = planRoles(kernel, refusal);
  if (failed(plan))
    return failure();
  splitRoles(kernel, *plan);
  return success();
}

/// The same for a kernel of several work items, which stays as it is where the roles are refused.
static LogicalResult convertItems(tile::KernelOp kernel, std::optional<Refusal> &refusal) {
  for (Operation *op = &kernel.getBody().front().front(); op != workLoopOf(kernel);
       op = op->getNextNode())
    if (!isMemoryEffectFree(op) && !isAddressWork(op)) {
      refusal =
          Refusal{op->getLoc(),
                  "this stands in front of the loop over work items and would be done for each"};
      return failure();
    }
  OwningOpRef<tile::KernelOp> copy(kernel.clone());
  unwrap(workLoopOf(*copy));
  if (failed(convert(*copy, refusal)))
    return failure();
  kernel.getBody().takeBody(copy->getBody());
  kernel->setAttrs(copy->getOperation()->getAttrDictionary());
  return success();
}

namespace {
class ConvertTileToPipe : public tilec::impl::ConvertTileToPipePassBase<ConvertTileToPipe> {
public:
  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (!hasPipelinedLoop(kernel))
      return markAllAnalysesPreserved();
    std::optional<Refusal> refusal;
    if (succeeded(workLoopOf(kernel) ? convertItems(kernel, refusal) : convert(kernel, refusal))) {
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
