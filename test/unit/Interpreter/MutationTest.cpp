//===- MutationTest.cpp - kernels with one thing taken away ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whatever is taken away, the interpreter reports a fault or the numbers are wrong.
//===----------------------------------------------------------------------===//
#include "Mutation.h"
#include "Attention.h"
#include "Gemm.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec::test;

namespace {

/// Turns the swizzle of a descriptor: 128 bytes become 64, 64 become 32.
void changeDescriptor(Operation *op) {
  OpBuilder builder(op);
  auto wgmma = cast<sm::WgmmaOp>(op);
  Value bits =
      arith::ConstantOp::create(builder, op->getLoc(), builder.getI64IntegerAttr(int64_t(3) << 62));
  wgmma.getBMutable().assign(arith::XOrIOp::create(builder, op->getLoc(), wgmma.getB(), bits));
}

/// Copies the next chunk's place: bit 4 of the target.
void turnTarget(Operation *op) {
  OpBuilder builder(op);
  auto copy = cast<sm::CpAsyncOp>(op);
  Value bit = arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(16));
  copy.getTargetMutable().assign(
      arith::XOrIOp::create(builder, op->getLoc(), copy.getTarget(), bit));
}

/// Source bytes without the test of the bounds.
void copyAll(Operation *op) {
  OpBuilder builder(op);
  auto copy = cast<sm::CpAsyncOp>(op);
  copy.getSourceBytesMutable().assign(
      arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(copy.getBytes())));
}

/// Copies whose number of bytes depends on the bounds.
std::vector<Operation *> boundedCopies(ModuleOp module) {
  std::vector<Operation *> result;
  module.walk([&](sm::CpAsyncOp op) {
    if (!op.getSourceBytes().getDefiningOp<arith::ConstantOp>())
      result.push_back(op);
  });
  return result;
}

struct Mutations : testing::Test {
  void check(LibraryKernel &kernel, const RunChanged &run) {
    ASSERT_EQ(run([](ModuleOp) {}), "");
    expectEachNoticed(kernel, run, inLoops<sm::BarrierOp>, erase);
    expectEachNoticed(kernel, run, inLoops<sm::FenceProxyOp>, erase);
    expectEachNoticed(kernel, run, inLoops<sm::CpAsyncWaitOp>, erase);
    expectEachNoticed(kernel, run, inLoops<sm::CpAsyncWaitOp>, waitForLess<sm::CpAsyncWaitOp>);
    expectEachNoticed(kernel, run, all<sm::WgmmaCommitOp>, erase);
    expectEachNoticed(kernel, run, all<sm::WgmmaWaitOp>, waitForLess<sm::WgmmaWaitOp>);
    expectEachNoticed(kernel, run, all<sm::WgmmaFenceOp>, [](Operation *op) {
      op->replaceAllUsesWith(op->getOperands());
      op->erase();
    });
    expectEachNoticed(kernel, run, all<sm::WgmmaOp>, changeDescriptor);
    expectEachNoticed(kernel, run, all<sm::CpAsyncOp>, turnTarget);
  }
};

// Two warpgroups, so that barriers matter; tiles that are whole, nearly empty and nearly full.
TEST_F(Mutations, Gemm) {
  LibraryKernel kernel("gemm", "bf16", {{"block_n", "64"}});
  check(kernel, [&](std::function<void(ModuleOp)> change) {
    return runAll<GemmCall>(kernel, change,
                              {GemmCall(tile::DType::bf16, 136, 72, 200, false),
                               GemmCall(tile::DType::bf16, 120, 56, 120, false)});
  });
}

TEST_F(Mutations, Attention) {
  Config config{{"head_dim", "64"}, {"block_m", "128"}, {"block_n", "64"}, {"causal", "0"}};
  LibraryKernel kernel("block_sparse_forward", "bf16", config);
  RunChanged run = [&](std::function<void(ModuleOp)> change) {
    return runAll<AttentionCall>(
        kernel, change,
        {AttentionCall("bf16", config, 130, 194, 3), AttentionCall("bf16", config, 250, 190, 4)});
  };
  check(kernel, run);
  expectEachNoticed(kernel, run, boundedCopies, copyAll);
}

} // namespace
