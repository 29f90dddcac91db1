//===- MutationTest.cpp - what breaks a protocol is found -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each row breaks the kernel's IR, or its program where IR cannot say the mistake, in one place.
// The table of docs/Rationale/Pipe.md is this one.
//===----------------------------------------------------------------------===//
#include "KernelIR.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "tilec/Protocol/Model.h"
#include "tilec/Protocol/Proof.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::test;
using protocol::Program;
using protocol::Step;
using protocol::Verdict;

namespace {

constexpr const char *attention =
    "block_sparse_forward__bf16__head_dim128_block_m128_block_n128_stages2_causal1_value_dim0";
constexpr const char *gemm =
    "gemm__bf16__block_m128_block_n256_block_k64_stages4_transpose_b0_aligned1";
constexpr const char *gathered =
    "gathered_attention__bf16__head_dim64_block_m128_block_n64_stages2";
// Tiles of K and V that two copies fill.
constexpr const char *pairs = "pair_attention__bf16__head_dim128_block_m128_block_n64_stages2";
// Numbers of channels: attention's, then gemm's.
constexpr int q = 0, k = 1, v = 2, numbers = 3, a = 0;

struct Mutation {
  const char *name, *kernel;
  void (*changeIR)(KernelIR &ir);
  void (*changeProgram)(Program &program);
  const char *proof; // part of the counting proof's message; empty: it does not see the mistake
  Verdict model;     // Good: it does not see the mistake
};

scf::ForOp steadyLoop(KernelIR &ir) {
  return ir.ops<pipe::ReleaseOp>(k)[1]->getParentOfType<scf::ForOp>();
}

pipe::SpecializeOp rolesOf(KernelIR &ir) { return ir.ops<pipe::SpecializeOp>().front(); }

/// The consumers start `count` slots further, in this channel and in those that share its cursor.
void advanceStart(KernelIR &ir, int channel, int count) {
  auto wait = ir.ops<pipe::WaitOp>(channel).front();
  Block &role = rolesOf(ir).getConsumer().front();
  OpBuilder builder(wait);
  Value start = wait.getCursor(), cursor = start;
  auto argument = dyn_cast<BlockArgument>(start);
  builder.setInsertionPointToStart(argument ? argument.getOwner() : &role);
  Operation *last = nullptr;
  for (int i = 0; i < count; ++i) {
    last = pipe::AdvanceOp::create(builder, wait.getLoc(), cursor.getType(), wait.getChannel(),
                                   cursor);
    cursor = last->getResult(0);
  }
  start.replaceUsesWithIf(cursor, [&](OpOperand &use) {
    Operation *user = use.getOwner();
    bool isNew = user->getBlock() == last->getBlock() && !last->isBeforeInBlock(user);
    return role.getParent()->isAncestor(user->getParentRegion()) && !isNew;
  });
}

/// Puts the advance's operand in the place of its result.
void dropAdvance(pipe::AdvanceOp advance) {
  advance.getResult().replaceAllUsesWith(advance.getCursor());
  advance.erase();
}

template <typename Function> void forSteps(std::vector<Step> &steps, Function &&function) {
  for (Step &step : steps) {
    function(step);
    forSteps(step.body, function);
    forSteps(step.otherwise, function);
  }
}

/// The `skip`-th step of a kind.
std::vector<Step>::iterator find(std::vector<Step> &steps, Step::Kind kind, int skip = 0) {
  return std::find_if(steps.begin(), steps.end(),
                      [&](const Step &step) { return step.kind == kind && skip-- == 0; });
}

/// The bodies of all loops.
template <typename Function> void forLoops(std::vector<Step> &steps, Function &&function) {
  forSteps(steps, [&](Step &step) {
    if (step.kind == Step::Kind::Loop)
      function(step.body);
  });
}

/// Each role's loop over work items ends with the cursor of the channel that it started with.
void keepCursor(KernelIR &ir, int channel, Region &role) {
  for (auto handOver : ir.ops<pipe::HandOverOp>())
    if (handOver.getChannels().front() == ir.ops<pipe::ChannelOp>()[channel].getResult() &&
        role.isAncestor(handOver->getParentRegion()))
      handOver.getCursorMutable().assign(
          handOver.getCursor().getDefiningOp<pipe::AdvanceOp>().getCursor());
}

/// Lets the warpgroups of attention take turns at issuing.
void takeTurns(KernelIR &ir, bool pass) {
  auto products = llvm::to_vector(steadyLoop(ir).getOps<pipe::MmaOp>());
  OpBuilder builder(products.front());
  pipe::TurnWaitOp::create(builder, products.front().getLoc());
  builder.setInsertionPointAfter(products.back());
  if (pass)
    pipe::TurnPassOp::create(builder, products.front().getLoc());
}

const Mutation mutations[] = {
    {"Nothing", attention, nullptr, nullptr, "", Verdict::Good},
    {"DropRelease", attention, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(k)[1].erase(); }, nullptr,
     "a number of slots that changes", Verdict::Deadlock},
    {"DropLastRelease", attention, [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(v).back().erase(); },
     nullptr, "different numbers of slots", Verdict::Deadlock},
    {"ReleaseTwice", attention,
     [](KernelIR &ir) {
       OpBuilder(ir.ops<pipe::ReleaseOp>(k)[1]).clone(*ir.ops<pipe::ReleaseOp>(k)[1]);
     },
     nullptr, "a number of slots that changes", Verdict::Deadlock},
    {"DropCommit", attention, [](KernelIR &ir) { ir.ops<pipe::CommitOp>(k).front().erase(); },
     nullptr, "expected at most 1: commit the one before", Verdict::Good},
    {"DropLoad", attention, [](KernelIR &ir) { ir.ops<pipe::LoadOp>(v).front().erase(); }, nullptr,
     "announces 32768 bytes, its loads bring 0", Verdict::Deadlock},
    {"DropAcquire", attention, [](KernelIR &ir) { ir.ops<pipe::AcquireOp>(v).front().erase(); },
     nullptr, "loads into a slot that was not acquired", Verdict::Overwrite},
    {"FlipPhaseOfConsumers", attention, [](KernelIR &ir) { advanceStart(ir, k, 2); }, nullptr,
     "2 slots ahead of the next one", Verdict::UnfilledRead},
    {"StartOneSlotLate", attention, [](KernelIR &ir) { advanceStart(ir, k, 1); }, nullptr,
     "1 slot ahead of the next one", Verdict::UnfilledRead},
    {"TooFewBytes", attention,
     [](KernelIR &ir) { ir.ops<pipe::AcquireOp>(k).front().setBytes(16384); }, nullptr,
     "announces 16384 bytes, its loads bring 32768", Verdict::UnfilledRead},
    {"TooManyBytes", gemm,
     [](KernelIR &ir) {
       auto load = ir.ops<pipe::LoadOp>(a).front();
       OpBuilder(load).clone(*load); // a second copy whose bytes nobody announces
     },
     nullptr, "of a slot a second time", Verdict::Overwrite},
    {"DropPart", pairs, [](KernelIR &ir) { ir.ops<pipe::LoadOp>(v).back().erase(); }, nullptr,
     "announces 32768 bytes, its loads bring 16384", Verdict::Deadlock},
    {"DropPartAndItsBytes", pairs,
     [](KernelIR &ir) {
       ir.ops<pipe::LoadOp>(v).back().erase();
       ir.ops<pipe::AcquireOp>(v).front().setBytes(16384);
     },
     nullptr, "its loads fill 8192 of the slot's 16384 elements", Verdict::Good},
    {"TooFewBytesOfParts", pairs,
     [](KernelIR &ir) { ir.ops<pipe::AcquireOp>(k).front().setBytes(16384); }, nullptr,
     "announces 16384 bytes, its loads bring 32768", Verdict::UnfilledRead},
    {"PartTwice", pairs,
     [](KernelIR &ir) { ir.ops<pipe::LoadOp>(v).back().setAt(ArrayRef<int64_t>{32, 0}); }, nullptr,
     "loads rows 32 to 63 of a slot a second time", Verdict::Overwrite},
    {"TooFewArrivals", attention, nullptr, [](Program &program) { --program.channels[k].arrivals; },
     "counts as empty after 1 arrivals, its releases make 2", Verdict::Overwrite},
    {"TooManyArrivals", attention, nullptr,
     [](Program &program) { ++program.channels[k].arrivals; }, "counts as empty after 3 arrivals",
     Verdict::Deadlock},
    {"WaitForOlderProducts", attention,
     [](KernelIR &ir) { ir.ops<pipe::MmaWaitOp>()[1].setPending(2); }, nullptr,
     "still in flight after this wait", Verdict::Good},
    {"LateProductPending", attention,
     [](KernelIR &ir) { ir.ops<pipe::MmaWaitOp>()[2].setPending(1); }, nullptr,
     "still in flight after this wait", Verdict::Overwrite},
    {"ReleaseBeforeWait", attention,
     [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(k)[1]->moveBefore(ir.ops<pipe::MmaWaitOp>()[1]); },
     nullptr, "is released while a product in flight reads it", Verdict::Good},
    {"ReleaseBeforeDrain", gemm,
     [](KernelIR &ir) {
       auto drain = ir.ops<pipe::MmaDrainOp>().front();
       for (auto release : llvm::to_vector(drain->getBlock()->getOps<pipe::ReleaseOp>()))
         release->moveBefore(drain);
     },
     nullptr, "is released while a product in flight reads it", Verdict::Overwrite},
    {"DrainTooLittle", gemm, [](KernelIR &ir) { ir.ops<pipe::MmaDrainOp>().front().setPending(2); },
     nullptr, "is released while a product in flight reads it", Verdict::Overwrite},
    {"DropDrain", gemm, [](KernelIR &ir) { ir.ops<pipe::MmaDrainOp>().front().erase(); }, nullptr,
     "is released while a product in flight reads it", Verdict::Overwrite},
    {"DropAdvanceOfConsumers", attention,
     [](KernelIR &ir) {
       for (auto advance : ir.ops<pipe::AdvanceOp>())
         if (advance->getParentOp() == steadyLoop(ir))
           return dropAdvance(advance);
     },
     nullptr, "advances once per use", Verdict::UnfilledRead},
    {"DropAdvanceOfProducer", attention,
     [](KernelIR &ir) { dropAdvance(ir.ops<pipe::AdvanceOp>().front()); }, nullptr,
     "advances once per use", Verdict::Overwrite},
    {"OneStageLessThanLive", gemm, nullptr,
     [](Program &program) {
       for (protocol::Channel &channel : program.channels)
         channel.stages = 1;
     },
     "holds 2 slots from here, expected at most 1", Verdict::Deadlock},
    {"ProducerInAnOrderThatBlocks", attention,
     [](KernelIR &ir) {
       auto first = ir.ops<pipe::AcquireOp>(k).front();
       ir.ops<pipe::AcquireOp>(v).front()->moveBefore(first);
       ir.ops<pipe::LoadOp>(v).front()->moveBefore(first);
       ir.ops<pipe::CommitOp>(v).front()->moveBefore(first);
     },
     [](Program &program) { program.channels[k].stages = program.channels[v].stages = 1; },
     "that is filled later", Verdict::Deadlock},
    {"ProducerStartsLate", attention,
     [](KernelIR &ir) {
       auto loop = ir.ops<pipe::AcquireOp>(k).front()->getParentOfType<scf::ForOp>();
       loop.getLowerBoundMutable().assign(steadyLoop(ir).getLowerBound());
     },
     nullptr, "different numbers of slots", Verdict::Deadlock},
    {"OperandRewrittenInFlight", attention, nullptr,
     [](Program &program) {
       forLoops(program.consumer, [](std::vector<Step> &body) {
         auto rewrite = find(body, Step::Kind::Rewrite), wait = find(body, Step::Kind::Collect, 1);
         std::rotate(wait, rewrite, std::next(rewrite));
       });
     },
     "in registers of a product in flight its next value", Verdict::Good},
    {"TooFewCopiers", gathered, [](KernelIR &ir) { ir.ops<pipe::ChannelOp>()[k].setCopiers(96); },
     nullptr, "counts as full after 96 arrivals, filling it makes 128", Verdict::UnfilledRead},
    {"TooManyCopiers", gathered, [](KernelIR &ir) { ir.ops<pipe::ChannelOp>()[k].setCopiers(129); },
     nullptr, "counts as full after 129 arrivals", Verdict::Deadlock},
    {"ArriveBeforeTheCopies", gathered,
     [](KernelIR &ir) {
       ir.ops<pipe::CommitOp>(k).front()->moveBefore(ir.ops<pipe::GatherOp>(k).front());
     },
     nullptr, "has 8192 bytes, its loads bring 0", Verdict::UnfilledRead},
    {"DropGather", gathered, [](KernelIR &ir) { ir.ops<pipe::GatherOp>(v).front().erase(); },
     nullptr, "has 8192 bytes, its loads bring 0", Verdict::Good},
    {"DropFences", gathered,
     [](KernelIR &ir) {
       for (auto fence : ir.ops<mlir::sm::FenceProxyOp>())
         fence.erase();
     },
     nullptr, "a product reads what threads have copied", Verdict::Good},
    {"Turns", attention, [](KernelIR &ir) { takeTurns(ir, true); }, nullptr, "", Verdict::Good},
    {"DropTurnPass", attention, [](KernelIR &ir) { takeTurns(ir, false); }, nullptr,
     "keeps the turn", Verdict::Deadlock},
    {"MeetWithTheTurn", attention,
     [](KernelIR &ir) {
       takeTurns(ir, true);
       OpBuilder builder(ir.ops<pipe::TurnPassOp>().front());
       pipe::RoleBarrierOp::create(builder, builder.getUnknownLoc());
     },
     nullptr, "the consumers meet while one has the turn", Verdict::Deadlock},
    {"DropCommitOfNumber", attention,
     [](KernelIR &ir) { ir.ops<pipe::CommitOp>(numbers).front().erase(); }, nullptr,
     "not every slot acquired is committed", Verdict::Deadlock},
    {"DropReleaseOfNumber", attention,
     [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(numbers).front().erase(); }, nullptr,
     "not every slot waited for is released", Verdict::Deadlock},
    {"DropAcquireOfNumber", attention,
     [](KernelIR &ir) { ir.ops<pipe::AcquireOp>(numbers).front().erase(); }, nullptr,
     "a slot that was not acquired", Verdict::UnfilledRead},
    {"PostAfterCommit", attention,
     [](KernelIR &ir) {
       ir.ops<pipe::PostOp>(numbers).front()->moveAfter(ir.ops<pipe::CommitOp>(numbers).front());
     },
     nullptr, "has 8 bytes, its loads bring 0", Verdict::UnfilledRead},
    {"ReadNumberAfterRelease", attention,
     [](KernelIR &ir) {
       auto release = ir.ops<pipe::ReleaseOp>(numbers).front();
       release->moveAfter(ir.ops<pipe::WaitOp>(numbers).front());
     },
     nullptr, "reads a slot that was released", Verdict::Good},
    {"FlipPhaseOfNumbers", attention, [](KernelIR &ir) { advanceStart(ir, numbers, 2); }, nullptr,
     "2 slots ahead of the next one", Verdict::UnfilledRead},
    {"OneSlotForNumbers", attention, nullptr,
     [](Program &program) { program.channels[numbers].stages = 1; }, "", Verdict::Good},
    {"KeepCursorOfNumbers", attention,
     [](KernelIR &ir) { keepCursor(ir, numbers, rolesOf(ir).getConsumer()); }, nullptr,
     "hands over; the cursor is 1 slot behind", Verdict::UnfilledRead},
    {"KeepCursorOfProducer", attention,
     [](KernelIR &ir) { keepCursor(ir, q, rolesOf(ir).getProducer()); }, nullptr,
     "hands over; the cursor is 1 slot behind", Verdict::Overwrite},
    {"DropReleaseOfQueries", attention,
     [](KernelIR &ir) { ir.ops<pipe::ReleaseOp>(q).front().erase(); }, nullptr,
     "not every slot waited for is released", Verdict::Deadlock},
    {"ReleaseQueriesEarly", attention,
     [](KernelIR &ir) {
       ir.ops<pipe::ReleaseOp>(q).front()->moveAfter(ir.ops<pipe::WaitOp>(q).front());
     },
     nullptr, "reads a slot that was released", Verdict::UnfilledRead},
    {"DropAcquireOfQueries", attention,
     [](KernelIR &ir) { ir.ops<pipe::AcquireOp>(q).front().erase(); }, nullptr,
     "loads into a slot that was not acquired", Verdict::Overwrite},
    {"OneSlotForQueries", attention, nullptr,
     [](Program &program) { program.channels[q].stages = 1; }, "", Verdict::Good},
    {"ThreadsReadWithoutSaying", attention, nullptr,
     [](Program &program) {
       forSteps(program.consumer, [](Step &step) {
         if (step.kind == Step::Kind::Issue && step.slots.size() == 2)
           step.kind = Step::Kind::Read, step.byThreads = true;
       });
     },
     "threads read the slot", Verdict::Good},
};

/// The name instead of the bytes, in messages of gtest.
void PrintTo(const Mutation &mutation, std::ostream *os) { *os << mutation.name; }

class Mutations : public testing::TestWithParam<Mutation> {};

TEST_P(Mutations, IsFound) {
  const Mutation &mutation = GetParam();
  KernelIR ir(mutation.kernel);
  if (mutation.changeIR)
    mutation.changeIR(ir);
  std::optional<protocol::Extraction> kernel = ir.extract();
  ASSERT_TRUE(kernel);
  if (mutation.changeProgram)
    mutation.changeProgram(kernel->program);
  std::vector<protocol::Fault> faults = protocol::prove(kernel->program);
  if (*mutation.proof) {
    ASSERT_FALSE(faults.empty());
    EXPECT_NE(faults.front().message.find(mutation.proof), std::string::npos)
        << faults.front().message;
  } else {
    EXPECT_TRUE(faults.empty()) << faults.front().message;
  }
  protocol::ModelResult model = protocol::exploreAll(kernel->program);
  EXPECT_EQ(static_cast<int>(model.verdict), static_cast<int>(mutation.model)) << model.message;
  EXPECT_EQ(model.trace.empty(), model.verdict == Verdict::Good);
}

INSTANTIATE_TEST_SUITE_P(All, Mutations, testing::ValuesIn(mutations),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
