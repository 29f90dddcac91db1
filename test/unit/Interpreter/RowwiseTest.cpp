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

TEST(Softmax, AgreesWithTheReference) {
  for (const char *dtype : {"f32", "bf16"})
    for (const Config &config : {Config{}, Config{{"block_rows", "1"}, {"block_cols", "4096"}},
                                 Config{{"block_rows", "2"}, {"block_cols", "1024"}}}) {
      LibraryKernel kernel("softmax", dtype, config);
      int64_t rows = 7, columns = 1300;
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
