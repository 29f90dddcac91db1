//===- ItemCounterTest.cpp - work items drawn from a counter --------------===//
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
constexpr int64_t items = 10;

/// Thread 0 of each CTA adds 1, or one more than its CTA's number, to the element of each item that
/// it draws, which takes it a while. The counter wraps at `last`.
std::string drawItems(int64_t last, const std::string &added = "%one") {
  return with(R"(%thread = sm.thread_id
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%four = arith.constant 4 : i64
%long = arith.constant 500 : i32
%items = arith.constant $items : i32
%last = arith.constant $last : i32
%me = arith.cmpi eq, %thread, %zero : i32
scf.if %me {
  %cta = sm.cta_id
  %ctas = sm.num_ctas
  %who = arith.addi %cta, %one : i32
  scf.while (%item = %cta) : (i32) -> i32 {
    %there = arith.cmpi slt, %item, %items : i32
    scf.condition(%there) %item : i32
  } do {
  ^body(%item: i32):
    %wide = arith.extui %item : i32 to i64
    %offset = arith.muli %wide, %four : i64
    %element = arith.addi %done, %offset : i64
    sm.atomic_global add relaxed gpu )" +
                  added +
                  R"(, %element : i32
    %worked = scf.for %step = %zero to %long step %one iter_args(%sum = %zero) -> (i32) : i32 {
      %more = arith.addi %sum, %step : i32
      scf.yield %more : i32
    }
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

/// The CTA that drew each item.
std::vector<double> owners(int64_t grid, uint64_t seed) {
  HostTensor done(DType::i32, {items});
  for (int64_t i = 0; i < items; ++i)
    done.set(i, 0);
  SmallKernel kernel(1);
  kernel.tensor("done", done, /*output=*/true)
      .grid(grid)
      .counter()
      .body(drawItems(items - 1, "%who"));
  EXPECT_EQ(kernel.run(seed), "");
  return done.values();
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

// The seed says who draws what: at times one CTA nearly all, at times each some, and not in turn.
TEST(ItemCounter, IsDrawnFromInEveryOrder) {
  const int64_t grid = 3;
  std::vector<double> inTurn, first = owners(grid, 1);
  for (int64_t item = 0; item < items; ++item)
    inTurn.push_back(static_cast<double>(item % grid + 1));
  EXPECT_EQ(owners(grid, 1), first);
  int alone = 0, mixed = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<double> who = owners(grid, seed);
    int64_t most = 0;
    for (double cta = 1; cta <= grid; ++cta)
      most = std::max<int64_t>(most, std::count(who.begin(), who.end(), cta));
    alone += most == items - grid + 1;
    mixed += most < 6 && who != inTurn;
  }
  EXPECT_GT(alone, 0);
  EXPECT_GT(mixed, 0);
}

TEST(ItemCounter, IsNotThere) {
  HostTensor out(DType::i64, {1});
  for (bool isGiven : {true, false}) {
    SmallKernel kernel(1);
    kernel.tensor("out", out, /*output=*/true).counter(isGiven).body(R"(%thread = sm.thread_id
%zero = arith.constant 0 : i32
%me = arith.cmpi eq, %thread, %zero : i32
scf.if %me {
  sm.store_global %counter, %out : i64
})");
    EXPECT_EQ(kernel.run(), "");
    EXPECT_EQ(out.at(0) != 0, isGiven);
  }
}
