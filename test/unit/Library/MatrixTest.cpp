//===- MatrixTest.cpp - matmul, softmax, copy, axpy choose their kernel -----===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Matrix.h"
#include "tile/Copies.h"
#include "tile/Rows.h"

#include "host/Family.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

using namespace tile;

namespace {
/// Host memory of one tensor, 16-byte aligned plus `shift` elements.
struct Array {
  std::vector<int64_t> shape;
  DType dtype;
  std::vector<std::max_align_t> memory;
  uint8_t *data;

  Array(DType dtype, std::vector<int64_t> extents, int64_t shift = 0)
      : shape(std::move(extents)), dtype(dtype) {
    int64_t elements = 1;
    for (int64_t extent : shape)
      elements *= extent;
    int64_t size = byteSize(dtype);
    memory.resize((elements + shift) * size / sizeof(std::max_align_t) + 1);
    data = reinterpret_cast<uint8_t *>(memory.data()) + shift * size;
    for (int64_t i = 0; i < elements; ++i) // small integers; in an output, to be overwritten
      writeElement(dtype, data + i * size, (i * 7 + shift) % 5 - 2);
  }
  Tensor tensor() const { return Tensor(data, dtype, shape, Device::host); }
  double at(int64_t index) const { return readElement(dtype, data + index * byteSize(dtype)); }
};

/// Products of small integers are exact, so any wrong element shows.
void checkMatmul(int64_t m, int64_t n, int64_t k, bool transposeB, int64_t shift = 0) {
  Array a(DType::bf16, {m, k}, shift), c(DType::bf16, {m, n}, shift);
  Array b(DType::bf16, transposeB ? std::vector{n, k} : std::vector{k, n}, shift);
  Status status =
      matmul(Stream::host(), a.tensor(), b.tensor(), c.tensor(), {.transposeB = transposeB});
  ASSERT_TRUE(status.ok()) << status.message();
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t x = 0; x < k; ++x)
        sum += a.at(i * k + x) * b.at(transposeB ? j * k + x : x * n + j);
      ASSERT_EQ(c.at(i * n + j), sum) << i << ", " << j;
    }
}

TEST(Matmul, Aligned) {
  checkMatmul(70, 64, 32, false);
  checkMatmul(70, 64, 32, true);
}

TEST(Matmul, OddLengths) {
  checkMatmul(5, 33, 31, false);
  checkMatmul(5, 33, 31, true);
}

/// The lengths suit the fast kernel, the addresses do not.
TEST(Matmul, OddAddress) { checkMatmul(16, 64, 32, false, 1); }

TEST(Matmul, Errors) {
  Array a(DType::f32, {4, 8}), b(DType::f32, {8, 4}), c(DType::f32, {4, 4});
  EXPECT_EQ(matmul(Stream::host(), a.tensor(), b.tensor(), c.tensor()).message(),
            "matmul: no kernel of the library takes argument 'a' of f32; it has kernels for bf16, "
            "f16, e4m3, e5m2");
  Array x(DType::bf16, {4, 8, 1}), y(DType::bf16, {8, 4}), z(DType::bf16, {4, 5});
  EXPECT_EQ(matmul(Stream::host(), x.tensor(), y.tensor(), z.tensor()).message(),
            "matmul: argument 'a': expected [m, k], found 3 dimensions, [4, 8, 1]");
  Array w(DType::bf16, {4, 8});
  std::string message = matmul(Stream::host(), w.tensor(), y.tensor(), z.tensor()).message();
  EXPECT_NE(message.find("argument 'c' dimension 1"), std::string::npos) << message;
}

TEST(Softmax, LongAndShortRows) {
  // At and past the block of every variant.
  for (int64_t cols : {0, 1, 7, 128, 129, 512, 513, 1024, 1025, 1500, 2048, 2049, 4096, 4097, 8192,
                       16384, 16385, 32769}) {
    SCOPED_TRACE(cols);
    Array x(DType::f32, {3, cols}), y(DType::f32, {3, cols});
    Status status = softmax(Stream::host(), x.tensor(), y.tensor());
    ASSERT_TRUE(status.ok()) << status.message();
    for (int64_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (int64_t col = 0; col < cols; ++col)
        sum += std::exp(x.at(row * cols + col));
      for (int64_t col = 0; col < cols; ++col)
        ASSERT_NEAR(y.at(row * cols + col), std::exp(x.at(row * cols + col)) / sum, 1e-6);
    }
  }
}

/// The length of the block of the variant that is chosen for a row.
int64_t blockFor(DType dtype, int64_t cols) {
  static const auto &family = *new kernels::Family(
      "softmax", "softmax",
      {{.field = "block_cols", .label = "cols", .fit = kernels::Fit::nearest}});
  Tensor x(nullptr, dtype, {1, cols}, Device::host);
  const Arg args[] = {x, x};
  const kernels::Variant *chosen = family.choose(std::array{cols}, args);
  return chosen ? chosen->config("block_cols") : -1;
}

TEST(Softmax, ShortestBlockThatHoldsTheRow) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16}) {
    EXPECT_EQ(blockFor(dtype, 0), 128);
    for (int64_t block : {128, 512, 1024, 2048, 4096, 8192, 16384})
      EXPECT_EQ(blockFor(dtype, block), block);
    EXPECT_EQ(blockFor(dtype, 129), 512);
    EXPECT_EQ(blockFor(dtype, 513), 1024);
    EXPECT_EQ(blockFor(dtype, 4097), dtype == DType::f32 ? 8192 : 6144);
    EXPECT_EQ(blockFor(dtype, 8193), dtype == DType::f32 ? 16384 : 12288);
    EXPECT_EQ(blockFor(dtype, 1000000), dtype == DType::f32 ? 32768 : 16384);
  }
  EXPECT_EQ(blockFor(DType::i32, 100), -1);
}

TEST(Copy, EveryType) {
  for (DType dtype : {DType::f32, DType::f16, DType::bf16, DType::i32}) {
    Array x(dtype, {33, 70}), y(dtype, {33, 70}, 3);
    Status status = copy(Stream::host(), x.tensor(), y.tensor());
    ASSERT_TRUE(status.ok()) << status.message();
    for (int64_t i = 0; i < 33 * 70; ++i)
      ASSERT_EQ(x.at(i), y.at(i));
  }
  Array x(DType::i64, {2, 2}), y(DType::i64, {2, 2}, 3);
  EXPECT_EQ(
      copy(Stream::host(), x.tensor(), y.tensor()).message(),
      "copy: no kernel of the library takes argument 'x' of i64; it has kernels for f32, f16, "
      "bf16, i32");
}

TEST(Axpy, Sum) {
  Array x(DType::f32, {1500}), y(DType::f32, {1500}, 3), before(DType::f32, {1500}, 3);
  Status status = axpy(Stream::host(), 2.5f, x.tensor(), y.tensor());
  ASSERT_TRUE(status.ok()) << status.message();
  for (int64_t i = 0; i < 1500; ++i)
    ASSERT_EQ(y.at(i), 2.5 * x.at(i) + before.at(i));
}
} // namespace
