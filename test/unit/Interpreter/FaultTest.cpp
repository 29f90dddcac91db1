//===- FaultTest.cpp - what the interpreter says of faulty kernels --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilec::test;
using testing::HasSubstr;
using ::tile::DType;

namespace {

/// Names that the bodies use: addresses of four bytes per thread, and a neighbour's.
constexpr const char *names = R"(%me = sm.thread_id
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%flip = arith.constant $flip : i32
%threads = arith.constant 64 : i32
%first = arith.cmpi eq, %me, %zero : i32
%shared = sm.shared_base
%offset = arith.shli %me, %two : i32
%mine = arith.addi %shared, %offset : i32
%other = arith.xori %me, %flip : i32
%far = arith.shli %other, %two : i32
%theirs = arith.addi %shared, %far : i32
)";

/// What is said of two warps; `flip` gives the neighbour whose word is `%theirs`.
std::string faultOf(const std::string &body, int64_t flip = 32, uint64_t seed = 1) {
  HostTensor in(DType::i32, {64}), out(DType::i32, {64});
  SmallKernel kernel(2, 1024);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true);
  kernel.body(with(names, {{"flip", flip}}) + body);
  return kernel.run(seed);
}

TEST(Fault, MemoryThatNobodyWrote) {
  EXPECT_THAT(faultOf("%v = sm.load_shared %mine : i32"),
              HasSubstr("thread 0 reads byte 0 of shared memory, which nobody has written"));
}

TEST(Fault, NothingOrdersTwoWarps) {
  std::string text = faultOf("sm.store_shared %me, %mine : i32\n"
                             "sm.named_barrier %one, %threads {arrive}\n"
                             "%v = sm.load_shared %theirs : i32");
  EXPECT_THAT(text, testing::AnyOf(HasSubstr("writes it, with nothing that orders the two"),
                                   HasSubstr("which nobody has written")));
  EXPECT_EQ(faultOf("sm.store_shared %me, %mine : i32\nsm.barrier\n"
                    "%v = sm.load_shared %theirs : i32"),
            "");
  EXPECT_THAT(faultOf("sm.store_shared %me, %mine : i32\nsm.barrier\n"
                      "%v = sm.load_shared %theirs : i32\nsm.store_shared %v, %mine : i32"),
              HasSubstr("with nothing that orders the two"));
}

TEST(Fault, NothingOrdersTwoLanes) {
  EXPECT_THAT(faultOf("sm.store_shared %me, %mine : i32\n%v = sm.load_shared %theirs : i32", 1),
              HasSubstr("with nothing that orders the two"));
  EXPECT_EQ(faultOf("sm.store_shared %me, %mine : i32\nsm.warp_barrier\n"
                    "%v = sm.load_shared %theirs : i32",
                    1),
            "");
  EXPECT_EQ(faultOf("sm.store_shared %me, %mine : i32\n%v = sm.load_shared %mine : i32"), "");
}

TEST(Fault, NothingOrdersGlobalAccesses) {
  const std::string places = "%wide = arith.extui %offset : i32 to i64\n"
                             "%to = arith.addi %out, %wide : i64\n"
                             "%wide2 = arith.extui %far : i32 to i64\n"
                             "%from = arith.addi %out, %wide2 : i64\n";
  const std::string write = "sm.store_global %me, %to : i32\n",
                    read = "%v = sm.load_global %from : i32\n";
  EXPECT_THAT(faultOf(places + write + read + write), HasSubstr("of tensor 'out' and thread"));
  EXPECT_EQ(faultOf(places + write + "sm.barrier\n" + read + "sm.barrier\n" + write), "");
  EXPECT_THAT(faultOf("sm.store_global %me, %out : i32"),
              HasSubstr("writes byte 0 of tensor 'out' and thread"));
}

TEST(Fault, CopyIsNotAwaited) {
  const std::string copy = "%four = arith.constant 4 : i32\n%wide = arith.extui %offset : i32 to "
                           "i64\n%from = arith.addi %in, %wide : i64\n"
                           "sm.cp_async %mine, %from, %four {bytes = 4 : i64}\n";
  const std::string read = "%v = sm.load_shared %mine : i32";
  EXPECT_THAT(faultOf(copy + "sm.cp_async_commit\nsm.barrier\n" + read),
              HasSubstr("with nothing that orders the two"));
  EXPECT_THAT(faultOf(copy + "sm.cp_async_wait {pending = 0 : i64}\n" + read),
              HasSubstr("with nothing that orders the two"));
  EXPECT_EQ(faultOf(copy + "sm.cp_async_commit\nsm.cp_async_wait {pending = 0 : i64}\n" + read),
            "");
}

/// Each thread's copy, tracked by an mbarrier for all of them; a neighbour reads it.
TEST(Fault, CopiesThatAnMbarrierTracks) {
  const std::string
      make = "%bar = arith.addi %shared, %k512 : i32\nscf.if %first {\n sm.barrier_init %bar, "
             "%threads\n}\n"
             "sm.fence_barrier_init\nsm.barrier\n",
      copy = "%k512 = arith.constant 512 : i32\n%four = arith.constant 4 : i32\n"
             "%wide = arith.extui %offset : i32 to i64\n%from = arith.addi %in, %wide : i64\n" +
             make + "sm.cp_async %mine, %from, %four {bytes = 4 : i64}\n",
      arrive = "sm.cp_async_arrive %bar\n", wait = "sm.barrier_try_wait %bar, %zero\n",
      read = "%v = sm.load_shared %theirs : i32\n";
  for (uint64_t seed = 1; seed < 9; ++seed) {
    EXPECT_EQ(faultOf(copy + arrive + wait + read, 32, seed), "");
    // Nobody waits; then the arrival is for other copies; then there is none.
    EXPECT_THAT(faultOf(copy + arrive + read + wait, 32, seed), HasSubstr("of shared memory"));
    EXPECT_THAT(
        faultOf(copy + arrive + "sm.cp_async %mine, %from, %four {bytes = 4 : i64}\n" + wait + read,
                32, seed),
        testing::Ne(""));
    EXPECT_THAT(faultOf(copy + wait + read, 32, seed), HasSubstr("lacks 64 of 64 arrivals"));
  }
  EXPECT_THAT(faultOf(copy + arrive + arrive + wait + read),
              HasSubstr("ends while this copy is in flight"));
}

TEST(Fault, Deadlock) {
  std::string text = faultOf("scf.if %first {\n sm.barrier_init %shared, %one\n}\nsm.barrier\n"
                             "sm.barrier_try_wait %shared, %zero");
  EXPECT_THAT(text, HasSubstr("deadlock, no warp can go on"));
  EXPECT_THAT(text, HasSubstr("warp 1 waits for parity 0 of the mbarrier at byte 0 in phase 0, "
                              "which lacks 1 of 1 arrivals and 0 bytes"));
  EXPECT_THAT(faultOf("%w = sm.warp_id\n%is = arith.cmpi eq, %w, %zero : i32\n"
                      "scf.if %is {\n  sm.barrier\n}"),
              HasSubstr("warp 0 waits at barrier 0 for 64 threads"));
}

TEST(Fault, BarriersOfDifferentSize) {
  EXPECT_THAT(faultOf("%w = sm.warp_id\n%thirty = arith.constant 32 : i32\n"
                      "%is = arith.cmpi eq, %w, %zero : i32\n"
                      "%n = arith.select %is, %threads, %thirty : i32\n"
                      "sm.named_barrier %two, %n {arrive}\nsm.barrier\n"
                      "sm.named_barrier %two, %threads {arrive}\n"
                      "sm.named_barrier %two, %thirty {arrive}"),
              HasSubstr("threads while others wait there for"));
}

TEST(Fault, LanesThatDiffer) {
  EXPECT_THAT(faultOf("scf.if %first {\n  sm.barrier\n}"),
              HasSubstr("comes to a barrier although not all of its lanes are here"));
  EXPECT_THAT(faultOf("scf.if %first {\n  %v = sm.shuffle xor %me, %one : i32\n}"),
              HasSubstr("exchanges values although not all of its lanes are here"));
}

TEST(Fault, Addresses) {
  EXPECT_THAT(faultOf("%end = arith.constant 2045 : i32\nsm.store_shared %me, %end : i32"),
              HasSubstr("expected a multiple of 4 and 4 bytes inside the 1024 bytes of shared "
                        "memory, found byte 1021"));
  EXPECT_THAT(faultOf("%end = arith.constant 256 : i64\n%at = arith.addi %out, %end : i64\n"
                      "sm.store_global %me, %at : i32"),
              HasSubstr("writes 4 bytes at byte 256 of tensor 'out', which has 256 bytes"));
  EXPECT_THAT(faultOf("sm.store_global %me, %in : i32"),
              HasSubstr("writes 4 bytes at tensor 'in', which is an input"));
}

TEST(Fault, Mbarriers) {
  EXPECT_THAT(faultOf("sm.barrier_arrive %shared if %first"),
              HasSubstr("expected an mbarrier at byte 0 of shared memory, which sm.barrier_init "
                        "has not made"));
  EXPECT_EQ(faultOf("scf.if %first {\n sm.barrier_init %shared, %one\n}\nsm.barrier\n"
                    "sm.barrier_try_wait %shared, %one\nsm.barrier\n"
                    "sm.barrier_arrive %shared if %first\n"
                    "sm.barrier_try_wait %shared, %zero"),
            "");
}

/// Whether the copy is late depends on the order of steps.
TEST(Fault, CopiesInFlightAtTheEnd) {
  std::string text;
  for (uint64_t seed = 0; seed < 50 && text.empty(); ++seed)
    text = faultOf("scf.if %first {\n sm.barrier_init %shared, %one\n sm.fence_barrier_init\n"
                   " %n = arith.constant 256 : i32\n sm.barrier_arrive_expect_tx %shared, %n\n"
                   " %t = arith.addi %shared, %n : i32\n"
                   " sm.bulk_load %t, %in, %n, %shared\n}",
                   32, seed);
  EXPECT_THAT(text, HasSubstr("the CTA ends while this copy is in flight"));
}

TEST(Fault, NoModel) {
  EXPECT_THAT(faultOf("%i = arith.constant 0 : index\n%m = memref.alloca() : memref<4xf32>"),
              HasSubstr("expected a type that the interpreter has"));
}

} // namespace
