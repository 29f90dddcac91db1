//===- AheadMutationTest.cpp - mistakes in products two iterations apart --===//
// SPDX-License-Identifier: Apache-2.0
//
// As MutationTest.cpp, whose table in docs/Rationale/Pipe.md goes on with this one.
//===----------------------------------------------------------------------===//
#include "Mutation.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::test;
using protocol::Program;
using protocol::Step;
using protocol::Verdict;

namespace {

// In work items; then one where an early and a late product read the same tile of K.
constexpr const char *ahead =
    "block_sparse_forward__bf16__head_dim64_block_m128_block_n64_stages3_causal0_value_dim0";
constexpr const char *gradient = "query_gradient__bf16__head_dim64_block_m128_block_n64_stages3";
// Numbers of the first one's channels. K's operations stand in the first iteration, the second one, the steady state;
// V's in the steady state, the two tails, the only iteration.
constexpr int k = 1, v = 2;

/// The loop that an operation of the steady state stands in.
template <typename Op> scf::ForOp loopOf(Op op) { return op->template getParentOfType<scf::ForOp>(); }

/// Of the rings that a loop goes through.
void setStages(Program &program, int64_t stages) {
  for (protocol::Channel &channel : program.channels)
    if (channel.stages == 3)
      channel.stages = stages;
}

/// The producer's steady state fills K's slot in front of V's.
void fillKeysFirst(KernelIR &ir) {
  auto values = ir.ops<pipe::AcquireOp>(v).front();
  ir.ops<pipe::AcquireOp>(k)[2]->moveBefore(values);
  ir.ops<pipe::LoadOp>(k)[2]->moveBefore(values);
  ir.ops<pipe::CommitOp>(k)[2]->moveBefore(values);
}

/// It fills the slot of V that the next trip is for.
void fillValuesOneTripEarly(KernelIR &ir) {
  auto steady = loopOf(ir.ops<pipe::AcquireOp>(v).front());
  auto next = cast<OpResult>(ir.ops<pipe::AcquireOp>(v)[2].getCursor()); // of the second tail
  Value cursor = steady.getRegionIterArg(next.getResultNumber());
  ir.ops<pipe::AcquireOp>(v).front().getCursorMutable().assign(cursor);
  ir.ops<pipe::LoadOp>(v).front().getCursorMutable().assign(cursor);
  ir.ops<pipe::CommitOp>(v).front().getCursorMutable().assign(cursor);
}

/// Removes the wait for the `number`-th product of a trip.
void dropWait(Program &program, int number) {
  forLoops(program.consumer, [&](std::vector<Step> &body) {
    if (auto wait = find(body, Step::Kind::Collect, number); wait != body.end())
      body.erase(wait);
  });
}

/// The test for two trips around a loop becomes the one for one trip.
void testForOneTrip(scf::ForOp steady) {
  auto test = steady->getParentOfType<scf::IfOp>();
  test.getConditionMutable().assign(test->getParentOfType<scf::IfOp>().getCondition());
}

const Mutation mutations[] = {
    {"Nothing", ahead, nullptr, nullptr, "", Verdict::Good},
    {"DropRelease", ahead, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v)[0].erase(); }, nullptr,
     "a number of slots that changes", Verdict::Deadlock},
    {"DropReleaseOfTail", ahead, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v)[1].erase(); }, nullptr,
     "1 slot ahead of the next one", Verdict::Deadlock},
    {"DropReleaseOfLastTail", ahead, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v)[2].erase(); }, nullptr,
     "different numbers of slots", Verdict::Deadlock},
    {"DropReleaseOfOneTrip", ahead, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v)[3].erase(); }, nullptr,
     "different numbers of slots", Verdict::Deadlock},
    {"DropLoadOfTail", ahead, [](KernelIR &ir) { ir.ops<pipe::LoadOp>(v)[1].erase(); }, nullptr,
     "announces 8192 bytes, its loads bring 0", Verdict::Deadlock},
    {"FillValuesOneTripEarly", ahead, fillValuesOneTripEarly, nullptr, "1 slot ahead of the next one",
     Verdict::Overwrite},
    {"FillKeysFirst", ahead, fillKeysFirst, nullptr, "", Verdict::Good},
    {"FillKeysFirstRingsOfOne", ahead, fillKeysFirst, [](Program &program) { setStages(program, 1); }, "",
     Verdict::Good},
    {"RingsOfOne", ahead, nullptr, [](Program &program) { setStages(program, 1); }, "", Verdict::Good},
    {"RingsOfTwo", ahead, nullptr, [](Program &program) { setStages(program, 2); }, "", Verdict::Good},
    {"ThreeProducts", gradient, nullptr, nullptr, "", Verdict::Good},
    {"ThreeProductsRingsOfTwo", gradient, nullptr, [](Program &program) { setStages(program, 2); },
     "holds 3 slots from here, expected at most 2", Verdict::Deadlock},
    {"ReleaseBeforeWait", ahead,
     [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v)[0]->moveBefore(ir.ops<pipe::MmaWaitOp>()[2]); }, nullptr,
     "is released while a product in flight reads it", Verdict::Overwrite},
    {"ReleaseOfKeysBeforeWait", ahead,
     [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(k)[2]->moveBefore(ir.ops<pipe::MmaWaitOp>()[3]); }, nullptr,
     "is released while a product in flight reads it", Verdict::Overwrite},
    {"LateProductPending", ahead, [](KernelIR &ir) { ir.ops<pipe::MmaWaitOp>()[2].setPending(2); }, nullptr,
     "still in flight after this wait", Verdict::Overwrite},
    {"EarlyProductPending", ahead, [](KernelIR &ir) { ir.ops<pipe::MmaWaitOp>()[3].setPending(1); }, nullptr,
     "still in flight after this wait", Verdict::Overwrite},
    {"DropWaitForLateProduct", ahead, nullptr, [](Program &program) { dropWait(program, 0); },
     "channel 'v': is released while a product in flight reads it", Verdict::Overwrite},
    {"DropWaitForEarlyProduct", ahead, nullptr, [](Program &program) { dropWait(program, 1); },
     "channel 'k': is released while a product in flight reads it", Verdict::Overwrite},
    {"OperandRewrittenInFlight", ahead, nullptr, [](Program &program) {
       forLoops(program.consumer, [](std::vector<Step> &body) {
         auto rewrite = find(body, Step::Kind::Rewrite), wait = find(body, Step::Kind::Collect);
         if (rewrite != body.end())
           std::rotate(wait, rewrite, std::next(rewrite));
       });
     },
     "in registers of a product in flight its next value", Verdict::Good},
    {"TestConsumersForOneTrip", ahead,
     [](KernelIR &ir) { testForOneTrip(loopOf(ir.ops<pipe::ReleaseOp>(v).front())); }, nullptr,
     "may be fewer than none", Verdict::Deadlock},
    {"TestProducerForOneTrip", ahead,
     [](KernelIR &ir) { testForOneTrip(loopOf(ir.ops<pipe::AcquireOp>(v).front())); }, nullptr,
     "may be fewer than none", Verdict::CopyInFlight},
};

class AheadMutations : public testing::TestWithParam<Mutation> {};

TEST_P(AheadMutations, IsFound) { expectFound(GetParam()); }

INSTANTIATE_TEST_SUITE_P(All, AheadMutations, testing::ValuesIn(mutations),
                         [](const auto &info) { return std::string(info.param.name); });

TEST(AheadMutations, AreOfLoopsInThatForm) {
  for (const char *symbol : {ahead, gradient}) {
    KernelIR ir(symbol);
    auto loops = ir.ops<scf::ForOp>();
    EXPECT_EQ(llvm::count_if(loops, [](scf::ForOp loop) { return loop->hasAttr(pipe::aheadAttrName); }), 2) << symbol;
  }
}

} // namespace
