//===- GatherTest.cpp - rows and elements at index tiles ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "GatherReference.h"
#include "Reference.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <numeric>

using namespace tilec::test;
using namespace ::tile::test;
using ::tile::DType;

namespace {

HostTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  HostTensor result(dtype, std::move(shape));
  for (size_t i = 0; i < values.size(); ++i)
    result.set(static_cast<int64_t>(i), values[i]);
  return result;
}

std::vector<double> integers(uint64_t seed, int64_t count, int64_t low, int64_t high) {
  std::mt19937_64 random(seed);
  std::vector<double> result(count);
  for (double &value : result)
    value = static_cast<double>(std::uniform_int_distribution<int64_t>(low, high)(random));
  return result;
}

/// [0, max(count, extent)) in any order, `count` of them.
std::vector<double> distinct(uint64_t seed, int64_t count, int64_t extent) {
  std::vector<double> result(std::max(count, extent));
  std::iota(result.begin(), result.end(), 0.0);
  std::shuffle(result.begin(), result.end(), std::mt19937_64(seed));
  result.resize(count);
  return result;
}

// Rows of known and of odd lengths, with zeros and other pads, straight or through shared memory.
TEST(Gather, Rows) {
  for (const char *dtype : {"f32", "bf16", "i8"})
    for (const char *shared : {"0", "1"})
      for (auto [pad, cols] : {std::pair{"0", 0}, {"0", 96}, {"99", 33}}) {
        SCOPED_TRACE(testing::Message() << dtype << " " << shared << " " << pad << " " << cols);
        LibraryKernel kernel("gather_rows", dtype,
                             {{"shared", shared},
                              {"pad", pad},
                              {"cols", cols == 96 ? "96" : "0"},
                              {"wide", cols == 33 ? "1" : "0"}});
        int64_t rows = 20, count = 45, length = cols ? cols : 100;
        DType type = *::tile::parseDType(dtype);
        HostTensor x = tensorOf(type, {1, rows, length}, integers(1, rows * length, -60, 60));
        HostTensor keep = tensorOf(DType::i32, {count}, integers(2, count, 0, 2));
        HostTensor index = tensorOf(cols == 33 ? DType::i64 : DType::i32, {count},
                                    integers(3, count, -4, rows + 3));
        HostTensor y(type, {1, count, length});
        EXPECT_EQ(kernel.run({x.view(), keep.view(), y.view(), index.view()}), "");
        EXPECT_EQ(y.values(), gatherRows(x.values(), length, kept(index.values(), keep.values()),
                                         std::stod(pad)));
      }
}

TEST(Gather, Elements) {
  for (int64_t axis : {0, 1})
    for (const char *dtype : {"f32", "bf16"}) {
      DType type = *::tile::parseDType(dtype);
      Config config = {{"axis", std::to_string(axis)}};
      HostTensor x = tensorOf(type, {19, 35}, integers(1, 19 * 35, -60, 60));
      HostTensor index = tensorOf(DType::i32, {19, 35}, integers(2, 19 * 35, -2, 37));
      HostTensor y(type, {19, 35});
      LibraryKernel gather("gather_elements", dtype, config);
      EXPECT_EQ(gather.run({x.view(), index.view(), y.view()}), "");
      std::vector<double> places = index.values();
      std::replace(places.begin(), places.end(), 5.0, -1.0);
      EXPECT_EQ(y.values(), gatherElements({x.values(), 19, 35}, axis, {places, 19, 35}, -7));
    }
}

TEST(Scatter, Rows) {
  for (const char *dtype : {"f32", "bf16", "i8"})
    for (const char *cols : {"0", "96"}) {
      LibraryKernel kernel("scatter_rows", dtype, {{"cols", cols}});
      int64_t rows = 50, count = 45, length = cols[0] == '0' ? 101 : 96;
      DType type = *::tile::parseDType(dtype);
      HostTensor x = tensorOf(type, {count, length}, integers(1, count * length, -60, 60));
      HostTensor keep = tensorOf(DType::i32, {count}, integers(2, count, 0, 2));
      HostTensor index = tensorOf(DType::i32, {count}, distinct(3, count, rows));
      index.set(4, -3);
      HostTensor y = tensorOf(type, {rows, length}, integers(4, rows * length, -60, 60));
      std::vector<double> expected = y.values();
      scatterRows(expected, length, kept(index.values(), keep.values()), x.values());
      EXPECT_EQ(kernel.run({x.view(), keep.view(), y.view(), index.view()}), "");
      EXPECT_EQ(y.values(), expected);
    }
}

TEST(Scatter, FromAccumulators) {
  LibraryKernel kernel("scatter_product", "bf16", {});
  HostTensor a = tensorOf(DType::bf16, {64, 64}, integers(1, 64 * 64, -1, 1));
  HostTensor b = tensorOf(DType::bf16, {64, 64}, integers(2, 64 * 64, -1, 1));
  HostTensor index = tensorOf(DType::i32, {64}, distinct(3, 64, 70));
  HostTensor c = tensorOf(DType::bf16, {70, 64}, integers(4, 70 * 64, -9, 9));
  std::vector<double> expected = c.values();
  scatterRows(expected, 64, index.values(),
              ::tile::test::matmul(a.values(), b.values(), 64, 64, 64, false));
  EXPECT_EQ(kernel.run({a.view(), b.view(), index.view(), c.view()}), "");
  EXPECT_EQ(c.values(), expected);
}

// Each step reads what other threads wrote in the one before, in any order of the warps.
TEST(Scatter, PermutesSharedAndGlobalMemory) {
  for (const char *shared : {"0", "1"})
    for (uint64_t seed : {1, 2, 3}) {
      LibraryKernel kernel("permute_line", "f32", {{"shared", shared}});
      HostTensor line = tensorOf(DType::f32, {200}, integers(1, 200, -99, 99));
      HostTensor from = tensorOf(DType::i32, {200}, distinct(2, 200, 200));
      HostTensor to = tensorOf(DType::i32, {200}, distinct(3, 200, 200));
      std::vector<double> expected = line.values();
      for (int step = 0; step < 3; ++step)
        scatterRows(expected, 1, to.values(), gatherRows(expected, 1, from.values(), 0));
      EXPECT_EQ(
          kernel.run({line.view(), from.view(), to.view(), ::tile::Arg::integer(DType::i32, 3)},
                     seed),
          "");
      EXPECT_EQ(line.values(), expected);
    }
}

TEST(Gather, Product) {
  for (const char *aligned : {"0", "1"}) {
    LibraryKernel kernel("gathered_gemm", "bf16", {{"aligned", aligned}}, Path::scheduled);
    int64_t rows = 30, m = 140, n = 136, k = 200;
    HostTensor a = tensorOf(DType::bf16, {rows, k}, integers(1, rows * k, -1, 1));
    HostTensor index = tensorOf(DType::i32, {m}, integers(2, m, -2, rows + 1));
    HostTensor b = tensorOf(DType::bf16, {k, n}, integers(3, k * n, -1, 1));
    HostTensor c(DType::bf16, {m, n});
    EXPECT_EQ(kernel.run({a.view(), index.view(), b.view(), c.view()}), "");
    EXPECT_EQ(c.values(), ::tile::test::matmul(gatherRows(a.values(), k, index.values(), 0),
                                               b.values(), m, n, k, false));
  }
}

} // namespace
