//===- ItemCounterTest.cpp - work items drawn from a counter --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace tilec::test;
using testing::HasSubstr;
using ::tile::DType;

namespace {
constexpr int64_t items = 10;

/// Thread 0 of each CTA adds 1 to the element of each item that it draws. The counter wraps at
/// `last`.
std::string drawItems(int64_t last) {
  return with(R"(%thread = sm.thread_id
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%four = arith.constant 4 : i64
%items = arith.constant $items : i32
%last = arith.constant $last : i32
%me = arith.cmpi eq, %thread, %zero : i32
scf.if %me {
  %cta = sm.cta_id
  %ctas = sm.num_ctas
  scf.while (%item = %cta) : (i32) -> i32 {
    %there = arith.cmpi slt, %item, %items : i32
    scf.condition(%there) %item : i32
  } do {
  ^body(%item: i32):
    %wide = arith.extui %item : i32 to i64
    %offset = arith.muli %wide, %four : i64
    %element = arith.addi %done, %offset : i64
    sm.atomic_global add relaxed gpu %one, %element : i32
    %drawn = sm.atomic_global inc relaxed gpu %last, %counter : i32 -> i32
    %next = arith.addi %ctas, %drawn : i32
    scf.yield %next : i32
  }
})",
              {{"items", items}, {"last", last}});
}

std::string run(HostTensor &done, int64_t grid, int64_t last, uint64_t seed = 1) {
  for (int64_t i = 0; i < items; ++i)
    done.set(i, 0);
  SmallKernel kernel(1);
  kernel.tensor("done", done, /*output=*/true).grid(grid).counter().body(drawItems(last));
  return kernel.run(seed);
}
} // namespace

TEST(ItemCounter, EveryItemIsDrawnOnce) {
  for (int64_t grid : {1, 3, 10})
    for (uint64_t seed = 1; seed < 4; ++seed) {
      HostTensor done(DType::i32, {items});
      EXPECT_EQ(run(done, grid, items - 1, seed), "") << grid;
      EXPECT_EQ(done.values(), std::vector<double>(items, 1)) << grid;
    }
}

TEST(ItemCounter, MustEndWhereItBegan) {
  HostTensor done(DType::i32, {items});
  EXPECT_THAT(run(done, 3, items, 1),
              HasSubstr("the counter of work items ended at 10, expected 0"));
}
