//===- RowsTest.cpp - layer norm, quantiser, rotary, log of sums ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "LibraryCall.h"

#include "Compare.h"
#include "FloatReference.h"
#include "tile/Rows.h"

#include <cmath>
#include <limits>

using namespace tile;
using namespace tile::test;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
/// Below, at and past the blocks of all variants, in multiples of 16 and not.
const int64_t lengths[] = {1, 33, 100, 1024, 1025, 2048, 4096, 4100, 8192, 9008};

struct Norm {
  GuardedTensor x, weight, bias, y;

  Norm(DType dtype, int64_t rows, int64_t cols, int64_t padding = 0)
      : x(matrix(dtype, rows, cols, padding)), weight(dtype, {cols}), bias(dtype, {cols}),
        y(matrix(dtype, rows, cols, padding)) {}

  Status call(float eps) {
    return run({&x, &weight, &bias}, {&y}, [&](Stream on) {
      return layerNorm(on, {view(x), view(weight), view(bias), view(y)}, {.eps = eps});
    });
  }
  /// The error is that of docs/Kernels.md.
  void expectRow(int64_t row, double eps) const {
    const int64_t cols = x.shape()[1];
    double mean = 0, variance = 0;
    for (int64_t i = 0; i < cols; ++i)
      mean += x.get(row * cols + i) / static_cast<double>(cols);
    for (int64_t i = 0; i < cols; ++i)
      variance += std::pow(x.get(row * cols + i) - mean, 2) / static_cast<double>(cols);
    const double factor = 1 / std::sqrt(variance + eps);
    for (int64_t i = 0; i < cols; ++i) {
      double scaled = (x.get(row * cols + i) - mean) * factor * weight.get(i);
      double expected = scaled + bias.get(i);
      double error = std::fabs(mean) * factor * std::fabs(weight.get(i)) * 4e-7 +
                     2e-6 * (std::fabs(scaled) + std::fabs(bias.get(i))) + 1e-6;
      ASSERT_LE(std::fabs(y.get(row * cols + i) - expected),
                error + 0.5 * unit(y.dtype(), expected))
          << row << ", " << i << " of " << cols;
    }
  }
};

TEST(LayerNorm, EveryLength) {
  Random random = seeded();
  for (DType dtype : {DType::f32, DType::bf16})
    for (int64_t cols : lengths) {
      Norm given(dtype, 3, cols, cols % 3);
      given.x.setValues(normal(random, 3 * cols, 2));
      given.weight.setValues(normal(random, cols));
      given.bias.setValues(normal(random, cols));
      EXPECT_OK(given.call(1e-3f));
      for (int64_t row = 0; row < 3; ++row)
        given.expectRow(row, 1e-3f);
    }
}

TEST(LayerNorm, Errors) {
  EXPECT_EQ(Norm(DType::f16, 3, 40).call(0).message(),
            "layer_norm: no kernel of the library takes argument 'x' of f16; it has kernels for "
            "f32, bf16");
  Norm given(DType::f32, 3, 40);
  given.bias = GuardedTensor(DType::f32, {41});
  EXPECT_EQ(given.call(0).message(),
            "layer_norm: argument 'bias' dimension 0 (cols): expected 40 as in 'x', found 41");
  given.x = GuardedTensor(DType::f32, {120});
  EXPECT_EQ(given.call(0).message(),
            "layer_norm: argument 'x': expected [rows, cols], found 1 dimensions, [120]");
}

/// The scale within 2^-21, and each element rounded from a quotient that is off by as much.
void expectQuantized(const GuardedTensor &x, const GuardedTensor &q, double scale, int64_t row) {
  const int64_t cols = x.shape()[1];
  double size = 0x1p-100;
  for (int64_t i = 0; i < cols; ++i)
    size = std::max(size, std::fabs(x.get(row * cols + i)));
  ASSERT_NEAR(scale, size / 448, 0x1p-21 * size / 448) << "row " << row;
  for (int64_t i = 0; i < cols; ++i) {
    double exact = x.get(row * cols + i) / (size / 448), found = q.get(row * cols + i);
    auto near = [&](double factor) {
      return valueOf(DType::e4m3, roundTo8(DType::e4m3, exact * factor, true));
    };
    ASSERT_TRUE(found == near(1) || found == near(1 - 0x1p-21) || found == near(1 + 0x1p-21))
        << row << ", " << i << ": " << exact << " became " << found;
  }
}

TEST(QuantizeRows, EveryLength) {
  Random random = seeded();
  for (DType dtype : {DType::f32, DType::bf16})
    for (int64_t cols : lengths) {
      SCOPED_TRACE(cols);
      GuardedTensor x = matrix(dtype, 3, cols, cols % 3),
                    q = matrix(DType::e4m3, 3, cols, cols % 5);
      GuardedTensor scale(DType::f32, {3});
      auto values = normal(random, 3 * cols, 3);
      std::fill_n(values.begin(), cols, 0.0);
      x.setValues(values);
      EXPECT_OK(run({&x}, {&q, &scale},
                    [&](Stream on) { return quantizeRows(on, view(x), view(q), view(scale)); }));
      for (int64_t row = 0; row < 3; ++row)
        expectQuantized(x, q, scale.get(row), row);
    }
}

TEST(QuantizeRows, Errors) {
  GuardedTensor x(DType::f32, {3, 40}), q(DType::e4m3, {3, 40}), scale(DType::f32, {3});
  GuardedTensor half(DType::f16, {3, 40}), other(DType::e5m2, {3, 40}), longer(DType::f32, {4});
  auto message = [](GuardedTensor &from, GuardedTensor &to, GuardedTensor &scales) {
    return run({&from}, {&to, &scales},
               [&](Stream on) { return quantizeRows(on, view(from), view(to), view(scales)); })
        .message();
  };
  EXPECT_EQ(message(half, q, scale),
            "quantize_rows: no kernel of the library takes argument 'x' of "
            "f16; it has kernels for f32, bf16");
  EXPECT_EQ(message(x, other, scale), "quantize_rows: argument 'q': expected e4m3, found e5m2");
  EXPECT_EQ(message(x, q, longer),
            "quantize_rows: argument 'scale' dimension 0 (rows): expected 3 as in 'x', found 4");
}

struct Turn {
  int64_t seq, heads, dim;
  GuardedTensor x, cos, sin, y;

  Turn(DType dtype, int64_t batch, int64_t seq, int64_t heads, int64_t dim)
      : seq(seq), heads(heads), dim(dim), x(dtype, {batch, seq, heads, dim}),
        cos(DType::f32, {seq, dim / 2}), sin(DType::f32, {seq, dim / 2}),
        y(dtype, {batch, seq, heads, dim}) {}

  Status call(bool interleaved) {
    return run({&x, &cos, &sin}, {&y}, [&](Stream on) {
      return rotary(on, {view(x), view(cos), view(sin), view(y)}, {.interleaved = interleaved});
    });
  }
  /// A sum of two products in f32, rounded once.
  void expectNear(int64_t element, double one, double other) const {
    double expected = one + other, error = 2e-7 * (std::fabs(one) + std::fabs(other));
    ASSERT_LE(std::fabs(y.get(element) - expected), error + 0.5 * unit(y.dtype(), expected))
        << "element " << element;
  }
  void expectTurned(bool interleaved) const {
    const int64_t pairs = dim / 2;
    for (int64_t i = 0; i < x.elements() / 2; ++i) {
      int64_t row = i / pairs, pair = i % pairs, angle = row / heads % seq * pairs + pair;
      int64_t a = row * dim + (interleaved ? 2 * pair : pair), b = a + (interleaved ? 1 : pairs);
      expectNear(a, x.get(a) * cos.get(angle), -x.get(b) * sin.get(angle));
      expectNear(b, x.get(b) * cos.get(angle), x.get(a) * sin.get(angle));
    }
  }
};

TEST(Rotary, EveryPairing) {
  Random random = seeded();
  for (DType dtype : {DType::f32, DType::bf16})
    for (int64_t dim : {64, 128})
      for (bool interleaved : {false, true}) {
        Turn given(dtype, 2, 9, 5, dim);
        given.x.setValues(normal(random, given.x.elements(), 3));
        for (int64_t i = 0; i < given.cos.elements(); ++i) {
          double angle = normal(random, 1, 10)[0];
          given.cos.set(i, std::cos(angle));
          given.sin.set(i, std::sin(angle));
        }
        EXPECT_OK(given.call(interleaved));
        given.expectTurned(interleaved);
      }
}

TEST(Rotary, Errors) {
  EXPECT_EQ(
      Turn(DType::bf16, 1, 3, 2, 96).call(true).message(),
      "rotary: no kernel of the library takes bf16 with head_dim 96, interleaved 1; it has f32 "
      "with head_dim 64, interleaved 0; f32 with head_dim 64, interleaved 1; f32 with head_dim "
      "128, interleaved 0; f32 with head_dim 128, interleaved 1; bf16 with head_dim 64, "
      "interleaved 0; bf16 with head_dim 64, interleaved 1; bf16 with head_dim 128, interleaved "
      "0; bf16 with head_dim 128, interleaved 1");
  Turn given(DType::bf16, 1, 3, 2, 64);
  given.sin = GuardedTensor(DType::f32, {3, 64});
  EXPECT_EQ(given.call(false).message(),
            "rotary: argument 'sin' dimension 1 (32): expected 32, found 64");
}

struct Sums {
  GuardedTensor x, y, ticket, workspace;

  Sums(int64_t rows, int64_t cols, int64_t workspaceBytes = -1)
      : x(DType::f32, {rows, cols}), y(DType::f32, {rows}), ticket(DType::i32, {rows}),
        workspace(DType::i8, {workspaceBytes < 0 ? needed() : workspaceBytes}) {
    ticket.setValues(std::vector<double>(rows, 0));
  }
  int64_t needed() const {
    Result<int64_t> bytes = logSumExpWorkspace(view(x));
    EXPECT_TRUE(bytes.ok()) << bytes.message();
    return bytes.ok() ? *bytes : 0;
  }
  Status call() {
    return run({&x}, {&y, &ticket, &workspace}, [&](Stream on) {
      return logSumExp(on, {view(x), view(y), view(ticket)}, view(workspace));
    });
  }
};

TEST(LogSumExp, ShortAndLongRows) {
  Random random = seeded();
  for (auto [rows, cols] :
       {std::pair<int64_t, int64_t>{1, 1}, {5, 1000}, {2, 50003}, {0, 7}, {3, 0}}) {
    SCOPED_TRACE(testing::Message() << rows << " x " << cols);
    Sums given(rows, cols);
    auto x = normal(random, rows * cols, 10);
    std::fill_n(x.begin(), rows > 1 ? cols : 0, -infinity);
    given.x.setValues(x);
    EXPECT_OK(given.call());
    EXPECT_OK(given.call()); // the tickets are as they were
    for (int64_t row = 0; row < rows; ++row) {
      double largest = -infinity, sum = 0;
      for (int64_t i = 0; i < cols; ++i)
        largest = std::max(largest, given.x.get(row * cols + i));
      for (int64_t i = 0; largest > -infinity && i < cols; ++i)
        sum += std::exp(given.x.get(row * cols + i) - largest);
      double expected = largest > -infinity ? largest + std::log(sum) : -infinity;
      if (std::isinf(expected))
        EXPECT_EQ(given.y.get(row), expected);
      else
        EXPECT_NEAR(given.y.get(row), expected, 2e-5 * std::max(1.0, std::fabs(expected)));
      EXPECT_EQ(given.ticket.get(row), 0);
    }
  }
}

TEST(LogSumExp, SplitsFewLongRows) {
  if (*smCount(Device::host) > 64)
    GTEST_SKIP() << "more threads than rows times parts";
  EXPECT_EQ(Sums(2, 5000).needed(), 2 * 3 * 4); // parts of at least 2048
  EXPECT_EQ(Sums(5000, 100).needed(), 5000 * 4);
}

TEST(LogSumExp, Errors) {
  Sums given(3, 50);
  EXPECT_EQ(Sums(3, 50, 11).call().message(), "log_sum_exp: argument 'workspace': expected an i8 "
                                              "tensor [12] or longer, found [11] of i8");
  EXPECT_EQ(
      logSumExp(Stream::host(), {view(given.x), view(given.y), view(given.ticket)}, {}).message(),
      "log_sum_exp: argument 'workspace': expected an i8 tensor [12] or longer, found none");
  given.ticket = GuardedTensor(DType::i32, {4});
  EXPECT_EQ(given.call().message(),
            "log_sum_exp: argument 'ticket' dimension 0 (rows): expected 3 as in 'x', found 4");
  Tensor x = view(given.x), y = view(given.y), ticket = view(given.ticket), all = x;
  ticket.shape[0] = 3;
  all.dtype = DType::i8;
  all.rank = 1;
  all.shape[0] = 600;
  all.strides[0] = 1;
  EXPECT_EQ(
      logSumExp(Stream::host(), {x, y, ticket}, all).message(),
      "log_sum_exp: argument 'workspace': expected memory of its own, since the kernel writes "
      "it, found an overlap with 'x'");
  x.dtype = DType::f16;
  EXPECT_EQ(logSumExp(Stream::host(), {x, y, ticket}, view(given.workspace)).message(),
            "log_sum_exp: no kernel of the library takes argument 'x' of f16; it has kernels for "
            "f32");
  x.rank = 1;
  EXPECT_EQ(logSumExpWorkspace(x).message(),
            "log_sum_exp: argument 'x': expected [rows, cols], found 1 dimensions, [3]");
}
} // namespace
