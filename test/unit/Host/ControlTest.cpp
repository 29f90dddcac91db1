//===- ControlTest.cpp - loops, choices, order of memory, leaks -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

#include <malloc.h>

using namespace tilec::test;

namespace {

/// A load sees what was there before a later copy into the same shared tile.
TEST(HostControl, LoadBeforeOverwrite) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<2x8xf32>, %out: !tile.global<8xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared : !tile.shared<8xf32>
  %w0 = tile.window %x[%c0, %c0] dims = [1] : !tile.global<2x8xf32> to !tile.window<8xf32>
  %w1 = tile.window %x[%c1, %c0] dims = [1] : !tile.global<2x8xf32> to !tile.window<8xf32>
  tile.copy %w0, %s : !tile.window<8xf32> to !tile.shared<8xf32>
  %old = tile.load %s : !tile.shared<8xf32> to tensor<8xf32>
  tile.copy %w1, %s : !tile.window<8xf32> to !tile.shared<8xf32>
  %new = tile.load %s : !tile.shared<8xf32> to tensor<8xf32>
  %hundred = arith.constant dense<100.0> : tensor<8xf32>
  %scaled = arith.mulf %new, %hundred : tensor<8xf32>
  %sum = arith.addf %old, %scaled : tensor<8xf32>
  %ow = tile.window %out[%c0] dims = [0] : !tile.global<8xf32> to !tile.window<8xf32>
  tile.store %sum, %ow : tensor<8xf32> to !tile.window<8xf32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<float> x(16), out(8, notANumber), expected(8);
  for (int i = 0; i < 16; ++i)
    x[i] = static_cast<float>(i + 1);
  for (int i = 0; i < 8; ++i)
    expected[i] = x[i] + 100 * x[8 + i];
  Arguments arguments;
  arguments.tensor(x.data(), {2, 8}).tensor(out.data(), {8});
  kernel(arguments, 1);
  EXPECT_EQ(out, expected);
}

/// A gemm reads its shared operands before a later copy into them, also across iterations.
TEST(HostControl, GemmBeforeOverwrite) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<?x16x16xbf16>, %out: !tile.global<16x16xf32>, %count: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared : !tile.shared<16x16xbf16>
  %first = tile.window %x[%c0, %c0, %c0] dims = [1, 2] : !tile.global<?x16x16xbf16> to !tile.window<16x16xbf16>
  tile.copy %first, %s : !tile.window<16x16xbf16> to !tile.shared<16x16xbf16>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %r = scf.for %i = %c0 to %count step %c1 iter_args(%acc = %zero) -> (tensor<16x16xf32>) : i64 {
    %sum = tile.gemm %s, %s, %acc {transpose_b} : !tile.shared<16x16xbf16>, !tile.shared<16x16xbf16>, tensor<16x16xf32>
    %n = arith.addi %i, %c1 : i64
    %w = tile.window %x[%n, %c0, %c0] dims = [1, 2] : !tile.global<?x16x16xbf16> to !tile.window<16x16xbf16>
    tile.copy %w, %s : !tile.window<16x16xbf16> to !tile.shared<16x16xbf16>
    scf.yield %sum : tensor<16x16xf32>
  }
  %ow = tile.window %out[%c0, %c0] dims = [0, 1] : !tile.global<16x16xf32> to !tile.window<16x16xf32>
  tile.store %r, %ow : tensor<16x16xf32> to !tile.window<16x16xf32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  Random random(3);
  std::vector<uint16_t> x(3 * 256);
  for (uint16_t &element : x)
    element = toBf16(static_cast<float>(random.below(9) - 4));
  std::vector<float> out(256, notANumber), expected(256, 0);
  for (int64_t b = 0; b < 3; ++b)
    for (int64_t i = 0; i < 16; ++i)
      for (int64_t j = 0; j < 16; ++j)
        for (int64_t l = 0; l < 16; ++l)
          expected[i * 16 + j] +=
              fromBf16(x[b * 256 + i * 16 + l]) * fromBf16(x[b * 256 + j * 16 + l]);
  Arguments arguments;
  arguments.tensor(x.data(), {3, 16, 16}).tensor(out.data(), {16, 16}).scalar(int64_t(3));
  kernel(arguments, 1);
  EXPECT_EQ(out, expected);
}

/// Carried tiles that swap places, tiles out of scf.if, a shared tile per iteration.
const char *carried = R"(
tile.kernel @k(%x: !tile.global<64xf32>, %out: !tile.global<2x64xf32>, %count: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %w = tile.window %x[%c0] dims = [0] : !tile.global<64xf32> to !tile.window<64xf32>
  %a0 = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  %b0 = arith.constant dense<1.0> : tensor<64xf32>
  %r:2 = scf.for %i = %c0 to %count step %c1 iter_args(%a = %a0, %b = %b0) -> (tensor<64xf32>, tensor<64xf32>) : i64 {
    %s = tile.alloc_shared : !tile.shared<64xf32>
    tile.store %a, %s : tensor<64xf32> to !tile.shared<64xf32>
    %again = tile.load %s : !tile.shared<64xf32> to tensor<64xf32>
    %rest = arith.remsi %i, %c2 : i64
    %odd = arith.cmpi eq, %rest, %c1 : i64
    %n = scf.if %odd -> (tensor<64xf32>) {
      %sum = arith.addf %again, %b : tensor<64xf32>
      scf.yield %sum : tensor<64xf32>
    } else {
      scf.yield %again : tensor<64xf32>
    }
    scf.yield %b, %n : tensor<64xf32>, tensor<64xf32>
  }
  %o0 = tile.window %out[%c0, %c0] dims = [1] : !tile.global<2x64xf32> to !tile.window<64xf32>
  %o1 = tile.window %out[%c1, %c0] dims = [1] : !tile.global<2x64xf32> to !tile.window<64xf32>
  tile.store %r#0, %o0 : tensor<64xf32> to !tile.window<64xf32>
  tile.store %r#1, %o1 : tensor<64xf32> to !tile.window<64xf32>
  tile.return
})";

std::vector<float> runCarried(const HostKernel &kernel, std::vector<float> x, int64_t count,
                              int64_t ctas = 1) {
  std::vector<float> out(128, notANumber);
  Arguments arguments;
  arguments.tensor(x.data(), {64}).tensor(out.data(), {2, 64}).scalar(count);
  kernel(arguments, ctas);
  return out;
}

TEST(HostControl, CarriedTiles) {
  HostKernel kernel(carried);
  ASSERT_TRUE(kernel);
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i)
    x[i] = static_cast<float>(i);
  for (int64_t count : {-3, 0, 1, 2, 3, 9}) {
    std::vector<float> expected;
    std::vector<float> a = x, b(64, 1);
    for (int64_t i = 0; i < count; ++i) {
      std::vector<float> n = a;
      for (int j = 0; i % 2 == 1 && j < 64; ++j)
        n[j] = a[j] + b[j];
      a = b;
      b = n;
    }
    expected = a;
    expected.insert(expected.end(), b.begin(), b.end());
    EXPECT_EQ(runCarried(kernel, x, count), expected) << count << " trips";
  }
}

/// Every buffer of an iteration is freed: the heap does not grow with the trips.
TEST(HostControl, NoLeaks) {
  HostKernel kernel(carried);
  ASSERT_TRUE(kernel);
  std::vector<float> x(64, 0);
  runCarried(kernel, x, 10);
  size_t before = mallinfo2().uordblks;
  for (int64_t trips : {0, 1, 20000})
    runCarried(kernel, x, trips, 3);
  EXPECT_LT(mallinfo2().uordblks, before + 4096);
}

/// A check that fails in any iteration leaves nothing behind, and the check before it is not the
/// last.
TEST(HostControl, AFailedCheckFreesItsBuffers) {
  std::string checked = carried, place = "    scf.yield %b, %n";
  checked.insert(checked.find(place), R"(
    %stop = arith.constant 900 : i64
    %early = arith.cmpi slt, %i, %stop : i64
    tile.check %early "early" : i1
    %bound = arith.constant dense<-1.0> : tensor<64xf32>
    %all = arith.cmpf ogt, %n, %bound : tensor<64xf32>
    tile.check %all "all" : tensor<64xi1>
)");
  HostKernel kernel(checked);
  ASSERT_TRUE(kernel);
  std::vector<float> x(64, 0);
  runCarried(kernel, x, 1000, 1);
  size_t before = mallinfo2().uordblks;
  // A buffer has 256 bytes: one that each run leaves behind is more than what else moves on the
  // heap.
  for (int run = 0; run < 100; ++run)
    for (int64_t trips : {1, 899, 901, 1000})
      runCarried(kernel, x, trips, 3);
  x[63] = -2;
  for (int run = 0; run < 100; ++run)
    runCarried(kernel, x, 7, 5);
  EXPECT_LT(mallinfo2().uordblks, before + 16384);
}

/// `when` without a result, and a loop with a run-time condition that carries a tile.
TEST(HostControl, WhileAndWhen) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<32xf32>, %out: !tile.global<32xf32>, %limit: f32, %write: i1) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0] dims = [0] : !tile.global<32xf32> to !tile.window<32xf32>
  %start = tile.load %w : !tile.window<32xf32> to tensor<32xf32>
  %r = scf.while (%t = %start) : (tensor<32xf32>) -> tensor<32xf32> {
    %top = tile.reduce max %t axis = 0 : tensor<32xf32> to f32
    %more = arith.cmpf olt, %top, %limit : f32
    scf.condition(%more) %t : tensor<32xf32>
  } do {
  ^bb0(%t: tensor<32xf32>):
    %twice = arith.addf %t, %t : tensor<32xf32>
    scf.yield %twice : tensor<32xf32>
  }
  scf.if %write {
    %ow = tile.window %out[%c0] dims = [0] : !tile.global<32xf32> to !tile.window<32xf32>
    tile.store %r, %ow : tensor<32xf32> to !tile.window<32xf32>
  }
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<float> x(32, 1);
  x[7] = 3;
  for (bool write : {true, false}) {
    std::vector<float> out(32, -1);
    Arguments arguments;
    arguments.tensor(x.data(), {32}).tensor(out.data(), {32}).scalar(20.0f).scalar(int64_t(write));
    kernel(arguments, 1);
    EXPECT_EQ(out[0], write ? 8 : -1);
    EXPECT_EQ(out[7], write ? 24 : -1);
  }
}

/// A scalar condition chooses between tiles: as the author's choice and as canonicalization's.
TEST(HostControl, ScalarSelect) {
  HostKernel kernel(R"(
tile.kernel @k(%out: !tile.global<?x16xf32>) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %id = tile.program_id
  %first = arith.cmpi eq, %id, %c1 : i64
  %a = arith.constant dense<4.0> : tensor<16xf32>
  %b = arith.constant dense<5.0> : tensor<16xf32>
  %r = arith.select %first, %a, %b : tensor<16xf32>
  %t = scf.if %first -> (tensor<16xf32>) {
    scf.yield %b : tensor<16xf32>
  } else {
    scf.yield %r : tensor<16xf32>
  }
  %sum = arith.addf %r, %t : tensor<16xf32>
  %w = tile.window %out[%id, %c0] dims = [1] : !tile.global<?x16xf32> to !tile.window<16xf32>
  tile.store %sum, %w : tensor<16xf32> to !tile.window<16xf32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<float> out(48, notANumber);
  Arguments arguments;
  arguments.tensor(out.data(), {3, 16});
  kernel(arguments, 3);
  for (int i = 0; i < 48; ++i)
    EXPECT_EQ(out[i], i / 16 == 1 ? 9 : 10);
}

} // namespace
