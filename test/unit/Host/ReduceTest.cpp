//===- ReduceTest.cpp - reductions and shapes on the host target ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

/// Reduces a 5 x 7 tile of `type` along `axis`.
std::string reduceKernel(const std::string &kind, int64_t axis, const std::string &type) {
  std::string length = axis == 0 ? "7" : "5", full = "5x7x" + type, line = length + "x" + type;
  return "tile.kernel @k(%x: !tile.global<" + full + ">, %out: !tile.global<" + line + ">) {\n" +
         "  %c0 = arith.constant 0 : i64\n  %w = tile.window %x[%c0, %c0] dims = [0, 1] : "
         "!tile.global<" +
         full + "> to !tile.window<" + full + ">\n  %t = tile.load %w : !tile.window<" + full +
         "> to tensor<" + full + ">\n  %r = tile.reduce " + kind +
         " %t axis = " + std::to_string(axis) + " : tensor<" + full + "> to tensor<" + line +
         ">\n  %ow = tile.window %out[%c0] dims = [0] : !tile.global<" + line +
         "> to !tile.window<" + line + ">\n  tile.store %r, %ow : tensor<" + line +
         "> to !tile.window<" + line + ">\n  tile.return\n}\n";
}

template <typename T>
std::vector<T> reduce(const std::string &kind, int64_t axis, const std::string &type,
                      std::vector<T> x) {
  HostKernel kernel(reduceKernel(kind, axis, type));
  std::vector<T> out(axis == 0 ? 7 : 5, T(77));
  Arguments arguments;
  arguments.tensor(x.data(), {5, 7}).tensor(out.data(), {static_cast<int64_t>(out.size())});
  kernel(arguments, 1);
  return out;
}

/// The same with a function of two numbers, from `start`.
template <typename T, typename Combine>
std::vector<T> expect(int64_t axis, const std::vector<T> &x, T start, Combine combine) {
  std::vector<T> out(axis == 0 ? 7 : 5, start);
  for (int64_t i = 0; i < 5; ++i)
    for (int64_t j = 0; j < 7; ++j) {
      T &sum = out[axis == 0 ? j : i];
      sum = combine(sum, x[i * 7 + j]);
    }
  return out;
}

TEST(HostReduce, Floats) {
  Random random(1);
  std::vector<float> x(35);
  for (float &element : x)
    element = std::round(100 * random.value());
  for (int64_t axis : {0, 1}) {
    EXPECT_EQ(reduce("max", axis, "f32", x),
              expect(axis, x, -infinity, [](float a, float b) { return std::fmax(a, b); }));
    EXPECT_EQ(reduce("min", axis, "f32", x),
              expect(axis, x, infinity, [](float a, float b) { return std::fmin(a, b); }));
    EXPECT_EQ(reduce("sum", axis, "f32", x),
              expect(axis, x, 0.0f, [](float a, float b) { return a + b; }));
    EXPECT_EQ(reduce("absmax", axis, "f32", x),
              expect(axis, x, 0.0f, [](float a, float b) { return std::fmax(a, std::fabs(b)); }));
  }
}

TEST(HostReduce, NaNLosesUnlessAlone) {
  std::vector<float> x(35, notANumber);
  x[2] = -3;
  x[4] = -infinity;
  x[7] = -infinity;
  std::vector<float> top = reduce("max", 1, "f32", x), bottom = reduce("min", 1, "f32", x);
  EXPECT_EQ(top[0], -3);
  EXPECT_EQ(top[1], -infinity);
  EXPECT_TRUE(std::isnan(top[2]));
  EXPECT_EQ(bottom[0], -infinity);
  EXPECT_TRUE(std::isnan(bottom[4]));
  EXPECT_EQ(reduce("absmax", 1, "f32", x)[1], infinity);
}

TEST(HostReduce, Integers) {
  Random random(2);
  std::vector<int32_t> x(35);
  for (int32_t &element : x)
    element = static_cast<int32_t>(random.below(2001) - 1000);
  for (int64_t axis : {0, 1}) {
    EXPECT_EQ(reduce("max", axis, "i32", x),
              expect(axis, x, -10000, [](int a, int b) { return std::max(a, b); }));
    EXPECT_EQ(reduce("min", axis, "i32", x),
              expect(axis, x, 10000, [](int a, int b) { return std::min(a, b); }));
    EXPECT_EQ(reduce("sum", axis, "i32", x),
              expect(axis, x, 0, [](int a, int b) { return a + b; }));
    EXPECT_EQ(reduce("absmax", axis, "i32", x),
              expect(axis, x, 0, [](int a, int b) { return std::max(a, std::abs(b)); }));
  }
  std::vector<int64_t> wide(35, int64_t(1) << 40);
  EXPECT_EQ(reduce("sum", 1, "i64", wide)[3], int64_t(7) << 40);
}

/// In memory any byte but 0 is true, and true is stored as 1.
TEST(HostReduce, Booleans) {
  std::vector<uint8_t> x(35, 0);
  x[8] = 1;
  for (int j = 14; j < 21; ++j)
    x[j] = 255;
  EXPECT_EQ(reduce("any", 1, "i1", x), (std::vector<uint8_t>{0, 1, 1, 0, 0}));
  EXPECT_EQ(reduce("all", 1, "i1", x), (std::vector<uint8_t>{0, 0, 1, 0, 0}));
}

/// Sums of half-precision tiles are rounded once.
TEST(HostReduce, HalfSums) {
  std::vector<uint16_t> x(35, toBf16(1.0f));
  x[0] = toBf16(256.0f);
  EXPECT_EQ(fromBf16(reduce("sum", 1, "bf16", x)[0]), 262.0f);
  for (uint16_t &element : x)
    element = toF16(0.25f);
  x[0] = toF16(1024.0f);
  EXPECT_EQ(fromF16(reduce("sum", 1, "f16", x)[0]), 1026.0f);
}

TEST(HostShape, IotaAndBroadcast) {
  HostKernel kernel(R"(
tile.kernel @k(%out: !tile.global<4x3x5xi32>, %base: i32) {
  %c0 = arith.constant 0 : i64
  %i = tile.iota : tensor<4xi32>
  %k = tile.iota : tensor<5xi32>
  %i3 = tile.broadcast %i dims = [0] : tensor<4xi32> to tensor<4x3x5xi32>
  %jk = tile.broadcast %k dims = [1] : tensor<5xi32> to tensor<3x5xi32>
  %k3 = tile.broadcast %jk dims = [1, 2] : tensor<3x5xi32> to tensor<4x3x5xi32>
  %hundred = arith.constant dense<100> : tensor<4x3x5xi32>
  %b3 = tile.broadcast %base dims = [] : i32 to tensor<4x3x5xi32>
  %scaled = arith.muli %i3, %hundred : tensor<4x3x5xi32>
  %sum = arith.addi %scaled, %k3 : tensor<4x3x5xi32>
  %r = arith.addi %sum, %b3 : tensor<4x3x5xi32>
  %w = tile.window %out[%c0, %c0, %c0] dims = [0, 1, 2] : !tile.global<4x3x5xi32> to !tile.window<4x3x5xi32>
  tile.store %r, %w : tensor<4x3x5xi32> to !tile.window<4x3x5xi32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<int32_t> out(60, -1);
  Arguments arguments;
  arguments.tensor(out.data(), {4, 3, 5}).scalar(int64_t(7));
  kernel(arguments, 1);
  for (int i = 0; i < 60; ++i)
    EXPECT_EQ(out[i], i / 15 * 100 + i % 5 + 7);
}

/// A tile of rank 1 reduced to a scalar, used as one.
TEST(HostShape, ScalarResults) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<?xf32>, %out: !tile.global<?xf32>) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%c0] dims = [0] : !tile.global<?xf32> to !tile.window<100xf32>
  %t = tile.load %w : !tile.window<100xf32> to tensor<100xf32>
  %sum = tile.reduce sum %t axis = 0 : tensor<100xf32> to f32
  %b = tile.broadcast %sum dims = [] : f32 to tensor<100xf32>
  %share = arith.divf %t, %b : tensor<100xf32>
  %ow = tile.window %out[%c0] dims = [0] : !tile.global<?xf32> to !tile.window<100xf32>
  tile.store %share, %ow : tensor<100xf32> to !tile.window<100xf32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<float> x(70, 2), out(70, notANumber);
  Arguments arguments;
  arguments.tensor(x.data(), {70}).tensor(out.data(), {70});
  kernel(arguments, 1);
  EXPECT_EQ(out, std::vector<float>(70, 2.0f / 140.0f));
}

} // namespace
