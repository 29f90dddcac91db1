//===- RowwiseTest.cpp - softmax, axpy and copies in the interpreter ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec::test;
using ::tile::DType;

namespace {

void expectNear(const HostTensor &found, const std::vector<double> &expected, double tolerance) {
  for (int64_t i = 0; i < found.count(); ++i)
    ASSERT_NEAR(found.at(i), expected[i], tolerance * (1 + std::abs(expected[i]))) << i;
}

/// Blocks and row lengths: read once or twice, rows at odd addresses, vectors that the end cuts.
std::vector<std::pair<Config, int64_t>> softmaxCases() {
  auto block = [](const char *rows, const char *cols, const char *warps, const char *ctas) {
    return Config{
        {"block_rows", rows}, {"block_cols", cols}, {"warps", warps}, {"ctas_per_sm", ctas}};
  };
  return {{Config{}, 1300},
          {block("32", "128", "8", "4"), 128},
          {block("32", "128", "8", "4"), 77},
          {block("4", "1024", "4", "8"), 1000},
          {block("4", "1024", "4", "8"), 1023},
          {block("1", "4096", "4", "8"), 4095},
          {block("1", "4096", "4", "8"), 5001},
          {block("1", "16384", "16", "2"), 16384}};
}

TEST(Softmax, AgreesWithTheReference) {
  for (const char *dtype : {"f32", "bf16"})
    for (const auto &[block, columns] : softmaxCases()) {
      LibraryKernel kernel("softmax", dtype, block);
      int64_t rows = 7;
      HostTensor x = randomTensor(*::tile::parseDType(dtype), {rows, columns}, 1);
      HostTensor y(x.dtype, x.shape);
      ::tile::Tensor xs = x.view(), ys = y.view();
      ASSERT_EQ(kernel.run({xs, ys}), "");
      std::vector<double> expected = x.values();
      for (int64_t row = 0; row < rows; ++row) {
        double sum = 0;
        for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
          sum += expected[i] = std::exp(expected[i]);
        for (int64_t i = row * columns; i < (row + 1) * columns; ++i)
          expected[i] /= sum;
      }
      expectNear(y, expected, x.dtype == DType::f32 ? 1e-5 : 1e-3);
    }
}

TEST(Axpy, AgreesWithTheReference) {
  for (const char *dtype : {"f32", "f16", "bf16"})
    for (int64_t size : {1, 1024, 3001}) {
      LibraryKernel kernel("axpy", dtype, {});
      HostTensor x = randomTensor(*::tile::parseDType(dtype), {size}, 1);
      HostTensor y = randomTensor(x.dtype, {size}, 2);
      std::vector<double> expected = y.values();
      for (int64_t i = 0; i < size; ++i)
        expected[i] += 2.5 * x.at(i);
      ::tile::Tensor xs = x.view(), ys = y.view();
      ASSERT_EQ(kernel.run({xs, ys, ::tile::Arg::real(DType::f32, 2.5)}), "");
      expectNear(y, expected, x.dtype == DType::f32 ? 1e-6 : 8e-3);
    }
}

TEST(Copy, CopiesExactly) {
  for (const char *dtype : {"f32", "i32", "bf16"}) {
    LibraryKernel kernel("copy", dtype, {});
    HostTensor x = randomTensor(*::tile::parseDType(dtype), {70, 201}, 1), y(x.dtype, x.shape);
    ::tile::Tensor xs = x.view(), ys = y.view();
    ASSERT_EQ(kernel.run({xs, ys}), "");
    expectNear(y, x.values(), 0);
  }
}

} // namespace
