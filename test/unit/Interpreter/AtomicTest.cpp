//===- AtomicTest.cpp - atomic operations in the interpreter --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::test;
using testing::HasSubstr;
using ::tile::DType;

namespace {

/// Two warps, a word of shared memory that all of them meet, and one of their own each.
constexpr const char *names = R"(%me = sm.thread_id
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%two = arith.constant 2 : i32
%first = arith.cmpi eq, %me, %zero : i32
%common = sm.shared_base
%offset = arith.shli %me, %two : i32
%wide = arith.extui %offset : i32 to i64
%from = arith.addi %in, %wide : i64
%to = arith.addi %out, %wide : i64
%x = sm.load_global %from : i32
)";

constexpr const char *clear =
    "scf.if %first { sm.store_shared %zero, %common : i32 }\nsm.barrier\n";

struct Result {
  std::string said;
  std::vector<double> out;
};

Result runBody(const std::string &body, uint64_t seed = 1) {
  HostTensor in(DType::i32, {64}), out(DType::i32, {64});
  for (int64_t i = 0; i < 64; ++i)
    in.set(i, static_cast<double>(i * 37 % 64 - 20));
  SmallKernel kernel(2, 1024);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true);
  kernel.body(names + body);
  std::string said = kernel.run(seed);
  return {said, out.values()};
}

TEST(Atomic, EveryKind) {
  const std::pair<const char *, double> expected[] = {{"add", 64 * 63 / 2 - 64 * 20.0},
                                                      {"max", 43},
                                                      {"min", -20},
                                                      {"umax", -1},
                                                      {"umin", 0},
                                                      {"or", -1},
                                                      {"and", 0}};
  for (auto [kind, value] : expected) {
    Result result = runBody(clear + std::string("sm.atomic_shared ") + kind +
                            " relaxed cta %x, %common : i32\nsm.barrier\n"
                            "%r = sm.load_shared %common : i32\nsm.store_global %r, %to : i32");
    EXPECT_EQ(result.said, "") << kind;
    EXPECT_EQ(result.out, std::vector<double>(64, value)) << kind;
  }
}

TEST(Atomic, EveryThreadGetsItsOwnOldValue) {
  for (uint64_t seed = 1; seed < 5; ++seed) {
    Result result = runBody(clear + std::string("%old = sm.atomic_shared add relaxed cta %one, "
                                                "%common : i32 -> i32\n"
                                                "sm.store_global %old, %to : i32"),
                            seed);
    EXPECT_EQ(result.said, "");
    std::sort(result.out.begin(), result.out.end());
    for (int64_t i = 0; i < 64; ++i)
      EXPECT_EQ(result.out[i], i);
  }
}

TEST(Atomic, OneComparisonSucceeds) {
  Result result = runBody(clear + std::string("%mark = arith.addi %me, %one : i32\n"
                                              "%old = sm.atomic_shared cas relaxed cta %mark, "
                                              "%common compare %zero : i32 : i32 -> i32\n"
                                              "sm.store_global %old, %to : i32"));
  EXPECT_EQ(result.said, "");
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), 0.0), 1);
}

TEST(Atomic, OnlyOtherAtomicsNeedNoOrder) {
  const std::string update = "sm.atomic_shared add relaxed cta %one, %common : i32\n";
  EXPECT_THAT(runBody(update).said, HasSubstr("which nobody has written"));
  EXPECT_EQ(runBody(clear + update + update).said, "");
  // A read before all updates are in order, also of what the reader itself has updated last.
  for (uint64_t seed = 1; seed < 5; ++seed)
    EXPECT_THAT(runBody(clear + update + "%r = sm.load_shared %common : i32", seed).said,
                HasSubstr("with nothing that orders the two"));
  EXPECT_THAT(runBody(clear + std::string("%r = sm.load_shared %common : i32\n") + update).said,
              HasSubstr("with nothing that orders the two"));
  EXPECT_THAT(
      runBody(clear + update + "scf.if %first { sm.store_shared %zero, %common : i32 }").said,
      HasSubstr("with nothing that orders the two"));
  EXPECT_EQ(runBody(clear + update + "sm.barrier\n%r = sm.load_shared %common : i32").said, "");
}

TEST(Atomic, GlobalMemory) {
  const std::string clearWord = "scf.if %first { sm.store_global %zero, %out : i32 }\nsm.barrier\n";
  const std::string update = "sm.atomic_global add relaxed gpu %x, %out : i32\n";
  Result result = runBody(clearWord + update);
  EXPECT_EQ(result.said, "");
  EXPECT_EQ(result.out[0], 64 * 63 / 2 - 64 * 20);
  EXPECT_THAT(runBody(clearWord + update + "%r = sm.load_global %out : i32").said,
              HasSubstr("with nothing that orders the two"));
  EXPECT_EQ(runBody(clearWord + update +
                    "sm.fence acq_rel gpu\nsm.barrier\n"
                    "%r = sm.load_global %out : i32")
                .said,
            "");
}

} // namespace
