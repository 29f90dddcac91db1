//===- Schedule.cpp - which products run one iteration late -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

#include "LoopRegisters.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace tilec {
#define GEN_PASS_DEF_SCHEDULEPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

/// What a CTA may take so that two of them fit on an SM.
static constexpr int64_t kSharedBytesOfTwo = 113 * 1024, kRegistersOfTwo = 64;
static constexpr llvm::StringLiteral ctasPerSMAttrName = "tile.ctas_per_sm";

/// True if the product's first operand comes from another product of the same iteration.
static bool followsProduct(tile::GemmOp gemm) {
  if (!isa<RankedTensorType>(gemm.getA().getType()))
    return false;
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.inclusive = true;
  options.filter = [&](Operation *op) { return gemm->getParentOp()->isProperAncestor(op); };
  (void)getBackwardSlice(gemm.getA(), &slice, options);
  return llvm::any_of(slice, [](Operation *op) { return isa<tile::GemmOp>(op); });
}

/// Products that may be late: each follows another product, and needs no work on the result of a
/// late one.
static SmallVector<tile::GemmOp> lateCandidates(scf::ForOp loop) {
  SmallVector<tile::GemmOp> late;
  llvm::SmallPtrSet<Operation *, 16> behind; // what has to wait for late products
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto gemm = dyn_cast<tile::GemmOp>(op);
    bool waits = false;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *definition = operand.getDefiningOp();
        waits |= behind.contains(definition) || (!gemm && llvm::is_contained(late, definition));
      }
    });
    if (waits)
      behind.insert(&op);
    else if (gemm && followsProduct(gemm))
      late.push_back(gemm);
  }
  return late;
}

/// A slot that an early and a late product read is held into the next iteration, which waits for
/// the slot after it. Says whose ring is too short.
static bool ringsSuffice(scf::ForOp loop, std::string &why) {
  for (auto wait : loop.getOps<pipe::WaitOp>()) {
    bool late = false, early = false;
    for (Operation *user : wait->getUsers())
      (user->hasAttr(lateAttrName) ? late : early) = true;
    if (late && early && wait.getChannel().getType().getStages() < 2) {
      why = "a tile is read in two iterations, its ring has one stage";
      return false;
    }
  }
  return true;
}

/// What an SM does in a cycle: multiply-adds of 16-bit numbers, and exponentials.
static constexpr int64_t kMultiplyAddsPerCycle = 2048, kExponentialsPerCycle = 16;

/// True if the exponentials of an iteration take about as long as its products. Then warpgroups
/// issue in turns, each one's products under another's exponentials (head size 64: 0 to +13 %).
/// Where products are the longer part, a warpgroup's own cover its exponentials, and turns only
/// hold them up.
static bool gainsFromTurns(scf::ForOp loop) {
  int64_t multiplyAdds = 0, exponentials = 0;
  loop.walk([&](Operation *op) {
    if (auto gemm = dyn_cast<tile::GemmOp>(op))
      multiplyAdds += gemm.getM() * gemm.getN() * gemm.getK();
    else if (auto exp = dyn_cast<math::Exp2Op>(op))
      if (auto type = dyn_cast<RankedTensorType>(exp.getType()))
        exponentials += type.getNumElements();
  });
  return 4 * exponentials / kExponentialsPerCycle >= 3 * multiplyAdds / kMultiplyAddsPerCycle;
}

namespace {
class Schedule : public tilec::impl::SchedulePassBase<Schedule> {
public:
  void runOnOperation() override {
    int64_t warps =
        getOperation()->getAttrOfType<IntegerAttr>(tile::TileDialect::numWarpsAttrName).getInt();
    getOperation().walk([&](pipe::SpecializeOp roles) {
      roles.getConsumer().walk([&](scf::ForOp loop) {
        if (loop->hasAttr(tile::TileDialect::pipelineAttrName))
          markLate(loop, warps / 4);
      });
      if (warps == 4 && !getOperation()->hasAttr(ctasPerSMAttrName) && twoFit())
        getOperation()->setAttr(ctasPerSMAttrName,
                                IntegerAttr::get(IntegerType::get(&getContext(), 64), 2));
    });
  }

private:
  /// One consumer warpgroup leaves the tensor cores idle between its products: a second CTA on the
  /// SM fills the gaps. Its shared memory has to fit twice, and every product the registers of a
  /// thread at entry (65536 / 512), since ptxas allots those to single instructions.
  bool twoFit() {
    int64_t bytes = 0, registers = 0;
    getOperation().walk([&](pipe::ChannelOp channel) {
      bytes += channel.getType().getStages() * channel.getType().getSlot().getLayout().bytes();
    });
    getOperation().walk(
        [&](tile::GemmOp gemm) { registers = std::max(registers, registersOf(gemm.getResult())); });
    return bytes <= kSharedBytesOfTwo && registers <= kRegistersOfTwo;
  }

  void markLate(scf::ForOp loop, int64_t warpgroups) {
    int64_t budget = registerBudget(warpgroups);
    SmallVector<tile::GemmOp> candidates = lateCandidates(loop);
    if (candidates.empty())
      return;
    for (tile::GemmOp gemm : candidates)
      gemm->setAttr(lateAttrName, UnitAttr::get(&getContext()));
    std::string why;
    int64_t registers = estimateRegisters(loop);
    if (registers > budget)
      why = ("its tiles would take " + Twine(registers) + " registers of a thread, " +
             Twine(budget) + " are there")
                .str();
    else if (ringsSuffice(loop, why) && succeeded(takeApart(loop, why))) {
      numLate += candidates.size();
      if (warpgroups > 1 && gainsFromTurns(loop)) {
        loop->setAttr(turnsAttrName, UnitAttr::get(&getContext()));
        ++numTurns;
      }
      return;
    }
    for (tile::GemmOp gemm : candidates)
      gemm->removeAttr(lateAttrName);
    emitRemark(loop.getLoc()) << "no product of this loop overlaps with elementwise work: " << why;
  }
};
} // namespace
