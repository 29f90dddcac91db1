//===- ProtocolMutationTest.cpp - faults in the protocol of roles ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Attention.h"
#include "Mutation.h"

using namespace mlir;
using namespace tilec::test;

namespace {

Value constant(Operation *op, int64_t value) {
  OpBuilder builder(op);
  return arith::ConstantOp::create(builder, op->getLoc(),
                                   builder.getI32IntegerAttr(static_cast<int32_t>(value)));
}

/// Waits for the other phase.
void flipParity(Operation *op) {
  OpBuilder builder(op);
  auto wait = cast<sm::BarrierTryWaitOp>(op);
  wait.getParityMutable().assign(
      arith::XOrIOp::create(builder, op->getLoc(), wait.getParity(), constant(op, 1)));
}

void expectMore(Operation *op) {
  OpBuilder builder(op);
  auto arrive = cast<sm::BarrierArriveExpectTxOp>(op);
  arrive.getBytesMutable().assign(
      arith::AddIOp::create(builder, op->getLoc(), arrive.getBytes(), constant(op, 16)));
}

/// One more arrival a phase.
void countMore(Operation *op) {
  OpBuilder builder(op);
  auto init = cast<sm::BarrierInitOp>(op);
  init.getCountMutable().assign(
      arith::AddIOp::create(builder, op->getLoc(), init.getCount(), constant(op, 1)));
}

/// The slab arrives 8 rows further on.
void shiftTarget(Operation *op) {
  OpBuilder builder(op);
  auto load = cast<sm::TmaLoadOp>(op);
  load.getTargetMutable().assign(
      arith::AddIOp::create(builder, op->getLoc(), load.getTarget(), constant(op, 1024)));
}

/// Of barriers that are complete when their bytes are there.
std::vector<Operation *> fullBarriers(ModuleOp module) {
  std::vector<Operation *> result = all<sm::BarrierInitOp>(module);
  llvm::erase_if(result, [](Operation *op) {
    return !matchPattern(cast<sm::BarrierInitOp>(op).getCount(), m_One());
  });
  return result;
}

/// Waits, but not those of the first round for a free slot, which a new barrier lets pass.
std::vector<Operation *> neededWaits(ModuleOp module) {
  std::vector<Operation *> result = all<sm::BarrierTryWaitOp>(module);
  llvm::erase_if(result, [](Operation *op) {
    return matchPattern(cast<sm::BarrierTryWaitOp>(op).getParity(), m_One());
  });
  return result;
}

/// Releases in loops that stand behind a wait for all products. (One behind an earlier wait may
/// come sooner: the next load of its slot is also behind the other channel's.)
std::vector<Operation *> lateReleases(ModuleOp module) {
  std::vector<Operation *> result = inLoops<sm::BarrierArriveOp>(module);
  llvm::erase_if(result, [](Operation *op) {
    return llvm::none_of(op->getBlock()->getOps<sm::WgmmaWaitOp>(), [&](sm::WgmmaWaitOp wait) {
      return wait.getPending() == 0 && wait->isBeforeInBlock(op);
    });
  });
  return result;
}

/// Moves a release in front of the wait before it.
void releaseEarly(Operation *op) {
  Operation *wait = nullptr;
  for (auto other : op->getBlock()->getOps<sm::WgmmaWaitOp>())
    if (other->isBeforeInBlock(op))
      wait = other;
  for (Operation *source = wait->getNextNode(); source != op;) {
    Operation *next = source->getNextNode();
    if (source->getNumOperands() > 0 && isMemoryEffectFree(source) &&
        llvm::none_of(source->getOperands(), [&](Value value) {
          Operation *from = value.getDefiningOp();
          return from && from->getBlock() == wait->getBlock() && !from->isBeforeInBlock(wait);
        }))
      source->moveBefore(wait);
    source = next;
  }
  op->moveBefore(wait);
}

/// The tensor maps say another swizzle than the descriptors.
void changeSwizzle(ModuleOp module) {
  auto kernel = *module.getOps<func::FuncOp>().begin();
  auto launch = kernel->getAttrOfType<DictionaryAttr>("tile.launch");
  SmallVector<Attribute> maps;
  Builder builder(module.getContext());
  for (Attribute entry : launch.getAs<ArrayAttr>("maps")) {
    NamedAttrList recipe(cast<DictionaryAttr>(entry));
    recipe.set("swizzle", builder.getI64IntegerAttr(64));
    maps.push_back(recipe.getDictionary(module.getContext()));
  }
  NamedAttrList changed(launch);
  changed.set("maps", builder.getArrayAttr(maps));
  kernel->setAttr("tile.launch", changed.getDictionary(module.getContext()));
}

TEST(ProtocolMutations, Attention) {
  Config config{{"head_dim", "128"}, {"block_m", "128"}, {"block_n", "64"}, {"causal", "0"}};
  LibraryKernel kernel("block_sparse_forward", "bf16", config, Path::scheduled);
  kernel.smCount = 1; // it has many work items, of which the last call's have a trip or none
  RunChanged run = [&](std::function<void(ModuleOp)> change) {
    return runAll<AttentionCall>(kernel, change,
                                 {AttentionCall("bf16", config, 130, 450, 3),
                                  AttentionCall("bf16", config, 250, 190, 4),
                                  AttentionCall("bf16", config, 300, 40, 5, /*most=*/1)});
  };
  ASSERT_EQ(run([](ModuleOp) {}), "");
  expectEachNoticed(kernel, run, neededWaits, erase);
  expectEachNoticed(kernel, run, all<sm::BarrierTryWaitOp>, flipParity);
  expectEachNoticed(kernel, run, all<sm::BarrierArriveExpectTxOp>, expectMore);
  expectEachNoticed(kernel, run, inLoops<sm::BarrierArriveOp>, erase);
  expectEachNoticed(kernel, run, lateReleases, releaseEarly);
  expectEachNoticed(kernel, run, fullBarriers, countMore);
  expectEachNoticed(kernel, run, all<sm::FenceBarrierInitOp>, erase);
  expectEachNoticed(kernel, run, all<sm::BarrierOp>, erase);
  expectEachNoticed(kernel, run, all<sm::TmaLoadOp>, erase);
  expectEachNoticed(kernel, run, all<sm::TmaLoadOp>, shiftTarget);
  expectEachNoticed(kernel, run, inLoops<sm::WgmmaWaitOp>, waitForLess<sm::WgmmaWaitOp>);
  EXPECT_NE(run(changeSwizzle), "");
}

} // namespace
