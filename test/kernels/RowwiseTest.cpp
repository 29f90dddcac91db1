//===- RowwiseTest.cpp - copy, axpy and softmax against double ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "Harness.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace tile::test;
using tile::Arg;
using tile::Device;
using tile::DType;

namespace {
const double infinity = std::numeric_limits<double>::infinity();

class Copy : public KernelTest {
protected:
  /// Any bits, NaN and denormals too, arrive as they were.
  void check(int64_t rows, int64_t cols, int64_t padding, int64_t offset) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + ", padding " +
                 std::to_string(padding) + ", offset " + std::to_string(offset));
    auto x = variant().matrix(0, rows, cols, padding, offset);
    auto y = variant().matrix(1, rows, cols, 3 * padding, 2 * offset);
    for (int64_t i = 0; i < x.elements(); ++i) {
      uint64_t bits = random();
      memcpy(x.address(i), &bits, byteSize(x.dtype()));
    }
    EXPECT_OK(run(variant(), {x, y}));
    int64_t wrong = 0;
    for (int64_t i = 0; i < x.elements(); ++i)
      wrong += memcmp(x.address(i), y.address(i), byteSize(x.dtype())) != 0;
    EXPECT_EQ(wrong, 0) << "elements differ";
  }
};

TEST_P(Copy, Extents) {
  for (int64_t rows : cases({1, 3, 31, 32, 33, 100}, {1, 33}))
    for (int64_t cols : cases({1, 3, 63, 64, 127, 128, 129, 300}, {1, 63, 129, 300}))
      check(rows, cols, 0, 0);
}

TEST_P(Copy, PaddedAndMisalignedRows) {
  for (int64_t padding : cases({0, 1, 2, 3, 8, 16}, {0, 1, 8}))
    for (int64_t offset : cases({0, 1, 2, 4, 8}, {0, 1}))
      check(65, 200, padding, offset);
}

TEST_P(Copy, ZeroExtents) {
  check(0, 10, 0, 0);
  check(10, 0, 0, 0);
}

// One row read many times: a stride of 0.
TEST_P(Copy, BroadcastRows) {
  GuardedTensor x(variant().dtype(), {70, 130}, {0, 1});
  GuardedTensor y(variant().dtype(), {70, 130});
  for (int64_t i = 0; i < 130; ++i)
    x.set(i, static_cast<double>(pick(random, -100, 100)));
  EXPECT_OK(run(variant(), {x, y}));
  EXPECT_EQ(x.values(), y.values());
}

TILE_INSTANTIATE(Copy, "copy");

class Axpy : public KernelTest {
protected:
  void check(int64_t size, int64_t offsetX, int64_t offsetY) {
    SCOPED_TRACE(std::to_string(size) + " elements, offsets " + std::to_string(offsetX) + " and " +
                 std::to_string(offsetY));
    DType dtype = variant().dtype();
    GuardedTensor x(dtype, {size}, {1}, offsetX), y(dtype, {size}, {1}, offsetY);
    x.setValues(normal(random, size));
    y.setValues(normal(random, size));
    const float a = 1.7f;
    auto expected = y.values(), terms = expected;
    for (int64_t i = 0; i < size; ++i) {
      terms[i] = std::abs(expected[i]) + std::abs(a * x.get(i));
      expected[i] += static_cast<double>(a) * x.get(i);
    }
    EXPECT_OK(run(variant(), {x, y, Arg::real(DType::f32, a)}));
    // One rounding to the type after at most two of f32.
    EXPECT_OK(checkElements(y.values(), expected, [&](size_t i) {
      return 0.5 * unit(dtype, expected[i]) + unit(DType::f32, terms[i]);
    }));
  }
};

TEST_P(Axpy, Sizes) {
  for (int64_t size : {0, 1, 2, 7, 63, 64, 65, 1000, 1023, 1024, 1025, 4099})
    check(size, 0, 0);
}

TEST_P(Axpy, MisalignedOperands) {
  for (int64_t offsetX : cases({0, 1, 2, 4, 8}, {0, 1}))
    for (int64_t offsetY : cases({0, 1, 3, 8}, {0, 3}))
      check(3000, offsetX, offsetY);
}

TILE_INSTANTIATE(Axpy, "axpy");

class Softmax : public KernelTest {
protected:
  /// How far a weight may be off, relatively, `gap` below the largest of a row of `cols`. Its
  /// exponent, a difference times log2(e), is off by three roundings of its own size; the
  /// exponential, the exponents in the sum and the division add a few that do not depend on the
  /// element. In a row that is read twice exponents are relative to what lies up to 8 * ln(2) below
  /// its largest: in the element and in the sum three times that more. A sum of n rounded
  /// additions, one after the other as on the host, is off by lambda * sqrt(n) roundings at most,
  /// but with a probability of 2 * exp(-lambda^2 / 2) (Higham and Mary, "A new approach to
  /// probabilistic rounding error analysis", 2019, theorem 2.4), which takes each for the largest
  /// that it can be.
  static double weightError(double gap, int64_t cols) {
    const double u = 0x1p-24;
    return std::isinf(gap) ? 0 : u * (64 + 4 * gap + 4 * std::sqrt(double(cols)));
  }

  /// Softmax of `values`, row-major, and its check.
  void check(int64_t rows, int64_t cols, const std::vector<double> &values, int64_t padding) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + ", padding " +
                 std::to_string(padding));
    DType dtype = variant().dtype();
    auto x = variant().matrix(0, rows, cols, padding, padding);
    auto y = variant().matrix(1, rows, cols, padding);
    x.setValues(values);
    EXPECT_OK(run(variant(), {x, y}));
    auto in = x.values();
    auto expected = softmax(in, rows, cols);
    std::vector<double> largest(rows, -infinity);
    for (size_t i = 0; i < in.size(); ++i)
      largest[i / cols] = std::max(largest[i / cols], in[i]);
    // What is smaller than any normal number may be flushed to 0.
    EXPECT_OK(checkElements(y.values(), expected, [&](size_t i) {
      double error = weightError(largest[i / cols] - in[i], cols);
      return 0.5 * unit(dtype, expected[i]) + expected[i] * error + 1.2e-38;
    }));
  }
};

TEST_P(Softmax, Extents) {
  for (int64_t rows : cases({1, 3, 4, 5, 9}, {5}))
    for (int64_t cols :
         cases({1, 2, 63, 64, 65, 100, 129, 511, 512, 513, 1000, 2049}, {1, 65, 513}))
      check(rows, cols, normal(random, rows * cols, 3), rows % 3);
}

TEST_P(Softmax, LongRows) {
  for (int64_t cols : cases({4095, 4097, 8191, 8193, 16384, 16385, 40000}, {4097}))
    check(2, cols, normal(random, 2 * cols, 3), 0);
}

// Around the block, read once or twice, and with vectors that its end cuts.
TEST_P(Softmax, RowsAroundTheBlock) {
  int64_t block = variant().config("block_cols"), rows = variant().config("block_rows") + 1;
  for (int64_t cols :
       cases({block - 8, block - 1, block, block + 1, block + 9}, {block - 1, block + 9}))
    for (int64_t padding : cases({0, 1}, {cols < block ? 1 : 0}))
      check(rows, cols, normal(random, rows * cols, 3), padding);
}

TEST_P(Softmax, PaddedAndMisalignedRows) {
  for (int64_t padding : cases({1, 2, 3, 4, 8}, {1, 4}))
    for (int64_t cols : cases({600, 601}, {601}))
      check(7, cols, normal(random, 7 * cols), padding);
}

TEST_P(Softmax, LargeGapsAndInfinities) {
  const int64_t rows = 6, cols = 1100;
  auto x = normal(random, rows * cols);
  for (int64_t i = 0; i < cols; ++i) {
    x[i] = -infinity;                                         // nothing at all
    x[cols + i] += i < 512 ? 500 : -500;                      // the largest first
    x[2 * cols + i] += i < 512 ? -500 : 500;                  // the largest last
    x[3 * cols + i] = i == 1000 ? 1 : -infinity;              // a single one, late
    x[4 * cols + i] = i < 1024 ? -infinity : x[4 * cols + i]; // chunks of nothing first
    x[5 * cols + i] -= 1000;                                  // all far below 0
  }
  check(rows, cols, x, 0);
}

// From chunk to chunk the maximum climbs or falls: by less than `OnlineSoftmax` lets it lag, by
// just that and by more, to far more than what f32 holds.
TEST_P(Softmax, ClimbingChunks) {
  const int64_t block = variant().config("block_cols");
  if (block > (isInterpreted() ? 1024 : 4096))
    GTEST_SKIP() << "larger blocks take longer and differ in nothing";
  const double most = 8 * std::log(2.0);
  const double steps[] = {-100, -most, -2,  0.5,  3,    5, most, 0x1.01p0 * most,
                          7,    40,    200, 1e30, -1e30};
  const int64_t rows = std::size(steps), cols = (block > 1024 ? 3 : 20) * block + 5;
  auto x = normal(random, rows * cols);
  for (int64_t i = 0; i < rows * cols; ++i)
    x[i] += steps[i / cols] * static_cast<double>(i % cols / block);
  if (variant().dtype() == DType::f16)
    for (double &value : x)
      value = std::clamp(value, -60000.0, 60000.0);
  check(rows, cols, x, 0);
}

TEST_P(Softmax, ZeroExtents) {
  check(0, 100, {}, 0);
  check(5, 0, {}, 0);
}

TILE_INSTANTIATE(Softmax, "softmax");
} // namespace
