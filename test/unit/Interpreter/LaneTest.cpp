//===- LaneTest.cpp - what single lanes hand over at mbarriers ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilec::test;
using testing::HasSubstr;
using ::tile::DType;

namespace {

/// Two warps and an mbarrier that one arrival completes. `%lane` is the number in its warp.
constexpr const char *names = R"(%me = sm.thread_id
%warp = sm.warp_id
%lane = sm.lane_id
%c0 = arith.constant 0 : i32
%c1 = arith.constant 1 : i32
%c8 = arith.constant 8 : i32
%cell = sm.shared_base
%bar = arith.addi %cell, %c8 : i32
%isFirst = arith.cmpi eq, %me, %c0 : i32
scf.if %isFirst {
  sm.barrier_init %bar, %c1
}
sm.fence_barrier_init
sm.barrier
%isLane0 = arith.cmpi eq, %lane, %c0 : i32
%isLane1 = arith.cmpi eq, %lane, %c1 : i32
%isWarp0 = arith.cmpi eq, %warp, %c0 : i32
)";

std::string inBranch(const std::string &condition, const std::string &body) {
  return "scf.if " + condition + " {\n" + body + "}\n";
}

const std::string write = "sm.store_shared %me, %cell : i32\n",
                  read = "%seen = sm.load_shared %cell : i32\n",
                  arrive = "sm.barrier_arrive %bar\n", wait = "sm.barrier_try_wait %bar, %c0\n";

/// What is said while warp 0 does this, and warp 1 waits for the mbarrier and reads the word.
std::string faultOf(const std::string &first) {
  HostTensor unused(DType::i32, {1});
  for (uint64_t seed = 1; seed < 9; ++seed) {
    SmallKernel kernel(2, 16);
    kernel.tensor("unused", unused);
    kernel.body(names + std::string("scf.if %isWarp0 {\n") + first + "} else {\n" + wait + read +
                "}\n");
    if (std::string fault = kernel.run(seed); !fault.empty())
      return fault;
  }
  return "";
}

const char *noOrder = "with nothing that orders the two";

TEST(Lane, HandsOverWhatItDidAlone) {
  EXPECT_EQ(faultOf(inBranch("%isLane0", write + arrive)), "");
  EXPECT_EQ(faultOf(inBranch("%isLane1", write + arrive)), "");
  EXPECT_EQ(faultOf(inBranch("%isLane0", write) + inBranch("%isLane0", arrive)), "");
}

TEST(Lane, KeepsWhatAnotherOneDid) {
  EXPECT_THAT(faultOf(inBranch("%isLane0", write) + inBranch("%isLane1", arrive)),
              HasSubstr(noOrder));
  EXPECT_THAT(faultOf(inBranch("%isLane1", write) + inBranch("%isLane0", arrive)),
              HasSubstr(noOrder));
}

TEST(Lane, HandsOverWhatAnotherOneDidBeforeTheyMet) {
  EXPECT_EQ(
      faultOf(inBranch("%isLane0", write) + "sm.warp_barrier\n" + inBranch("%isLane1", arrive)),
      "");
}

// What the other lane has read must not be overwritten before it is done: its read counts, too.
TEST(Lane, IsNotAloneBesideOneThatReads) {
  const std::string first =
      inBranch("%isLane0", write) + "sm.warp_barrier\n" + inBranch("%isLane1", read);
  auto overwritten = [&](const std::string &last) {
    HostTensor unused(DType::i32, {1});
    SmallKernel kernel(2, 16);
    kernel.tensor("unused", unused);
    kernel.body(names + std::string("scf.if %isWarp0 {\n") + last + "} else {\n" + wait +
                inBranch("%isLane0", write) + "}\n");
    return kernel.run();
  };
  EXPECT_THAT(overwritten(first + inBranch("%isLane0", arrive)), HasSubstr(noOrder));
  EXPECT_EQ(overwritten(first + inBranch("%isLane1", arrive)), "");
  EXPECT_EQ(overwritten(first + "sm.warp_barrier\n" + inBranch("%isLane0", arrive)), "");
}

} // namespace
