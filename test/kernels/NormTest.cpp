//===- NormTest.cpp - quantize_rows and layer_norm against double ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "FloatReference.h"
#include "Harness.h"

#include <cmath>
#include <limits>

using namespace tile::test;
using tile::Arg;
using tile::DType;

namespace {
const double infinity = std::numeric_limits<double>::infinity();
const double notANumber = std::numeric_limits<double>::quiet_NaN();
const int64_t lengths[] = {1, 2, 31, 33, 100, 260, 1000, 1024, 1025, 2049, 4096, 4100, 8192, 9001};

class QuantizeRows : public KernelTest {
protected:
  void check(int64_t rows, int64_t cols, const std::vector<double> &values, int64_t padding) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + ", padding " +
                 std::to_string(padding));
    auto x = variant().matrix(0, rows, cols, padding, padding);
    auto q = variant().matrix(1, rows, cols, 3 * padding);
    GuardedTensor scale(DType::f32, {rows});
    x.setValues(values);
    EXPECT_OK(run(variant(), {x, q, scale}));
    for (int64_t row = 0; row < rows; ++row)
      checkRow(x, q, scale.get(row), row, cols);
  }

  /// The scale within 2^-21, and each element rounded from its quotient, which may be off by as
  /// much.
  void checkRow(const GuardedTensor &x, const GuardedTensor &q, double scale, int64_t row,
                int64_t cols) {
    double size = 0x1p-100;
    for (int64_t i = 0; i < cols; ++i)
      if (double value = std::fabs(x.get(row * cols + i)); !std::isnan(value))
        size = std::max(size, value);
    size = std::min(size, static_cast<double>(std::numeric_limits<float>::max()));
    ASSERT_NEAR(scale, size / 448, 0x1p-21 * size / 448) << "row " << row;
    for (int64_t i = 0; i < cols; ++i) {
      double exact = x.get(row * cols + i) / (size / 448);
      double found = q.get(row * cols + i);
      auto near = [&](double factor) {
        return valueOf(DType::e4m3, roundTo8(DType::e4m3, exact * factor, true));
      };
      if (std::isnan(exact))
        ASSERT_TRUE(std::isnan(found)) << row << ", " << i;
      else
        ASSERT_TRUE(found == near(1) || found == near(1 - 0x1p-21) || found == near(1 + 0x1p-21))
            << row << ", " << i << ": " << exact << " became " << found;
    }
  }
};

TEST_P(QuantizeRows, Lengths) {
  for (int64_t cols : lengths)
    for (int64_t rows : {1, 5}) {
      int64_t length = variant().accepted("cols", cols);
      check(rows, length, normal(random, rows * length, 3), cols % 3);
    }
}

// Zeros, tiny and huge values, infinities and NaN each in a row of their own.
TEST_P(QuantizeRows, Extremes) {
  const int64_t rows = 6, cols = variant().accepted("cols", 300);
  auto x = normal(random, rows * cols);
  for (int64_t i = 0; i < cols; ++i) {
    x[i] = 0;
    x[cols + i] *= 0x1p-110;
    x[2 * cols + i] *= 0x1p120;
  }
  x[3 * cols + 7] = infinity;
  x[4 * cols + 299] = -infinity;
  x[5 * cols + 100] = notANumber;
  check(rows, cols, x, 0);
}
TILE_INSTANTIATE(QuantizeRows, "quantize_rows");

class LayerNorm : public KernelTest {
protected:
  void check(int64_t rows, int64_t cols, double mean, double size, int64_t padding) {
    cols = variant().accepted("cols", cols);
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols) + ", mean " +
                 std::to_string(mean) + ", padding " + std::to_string(padding));
    DType dtype = variant().dtype();
    auto x = variant().matrix(0, rows, cols, padding, padding);
    GuardedTensor weight(dtype, {cols}), bias(dtype, {cols});
    auto y = variant().matrix(3, rows, cols, padding);
    auto values = normal(random, rows * cols, size);
    for (double &value : values)
      value += mean;
    x.setValues(values);
    weight.setValues(normal(random, cols));
    bias.setValues(normal(random, cols));
    const float eps = 1e-5f;
    EXPECT_OK(run(variant(), {x, weight, bias, y, Arg::real(DType::f32, eps)}));
    for (int64_t row = 0; row < rows; ++row)
      checkRow(x, weight, bias, y, row, cols, eps);
  }

  void checkRow(const GuardedTensor &x, const GuardedTensor &weight, const GuardedTensor &bias,
                const GuardedTensor &y, int64_t row, int64_t cols, double eps) {
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < cols; ++i)
      mean += x.get(row * cols + i) / static_cast<double>(cols);
    for (int64_t i = 0; i < cols; ++i)
      variance += std::pow(x.get(row * cols + i) - mean, 2) / static_cast<double>(cols);
    double factor = 1 / std::sqrt(variance + eps);
    for (int64_t i = 0; i < cols; ++i) {
      double scaled = (x.get(row * cols + i) - mean) * factor * weight.get(i);
      double expected = scaled + bias.get(i);
      // The mean is off by units of its own, which the factor enlarges.
      double error = std::fabs(mean) * factor * std::fabs(weight.get(i)) * 4e-7 +
                     2e-6 * (std::fabs(scaled) + std::fabs(bias.get(i))) + 1e-6;
      double found = y.get(row * cols + i);
      ASSERT_LE(std::fabs(found - expected), error + 0.5 * unit(y.dtype(), expected))
          << row << ", " << i << ": expected " << expected << ", found " << found;
    }
  }
};

TEST_P(LayerNorm, Lengths) {
  for (int64_t cols : lengths)
    for (int64_t rows : {1, 5})
      check(rows, cols, 0.3, 2, cols % 3);
}

// Far from 0 a variance from sums of squares would be rounding error alone.
TEST_P(LayerNorm, FarFromZero) {
  for (int64_t cols : {100, 1000, 9001})
    check(3, cols, 1000, variant().dtype() == DType::f32 ? 0.5 : 50, 0);
}

TEST_P(LayerNorm, ConstantRowsAndZeroExtents) {
  check(3, 200, 5, 0, 0);
  check(0, 100, 0, 1, 0);
  check(5, 0, 0, 1, 0);
}
TILE_INSTANTIATE(LayerNorm, "layer_norm");
} // namespace
