//===- AttentionTest.cpp - which attention kernel a call gets ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Attention.h"

#include "Compare.h"
#include "LibraryCall.h"

#include <cmath>
#include <limits>
#include <vector>

using namespace tile;
using namespace tile::test;

namespace {
/// One head, with every key block in every list. Values of V are their row's number, scores are 0.
struct Problem {
  static constexpr int64_t length = 130;
  std::vector<std::vector<std::max_align_t>> memory;
  BlockSparseTensors tensors;
  BlockSparseOptions options;

  Tensor make(DType dtype, std::vector<int64_t> shape) {
    Tensor tensor(nullptr, dtype, shape, Device::host);
    memory.emplace_back(tensor.elements() * byteSize(dtype) / sizeof(std::max_align_t) + 1);
    tensor.data = memory.back().data();
    return tensor;
  }

  Problem(DType dtype, int64_t headDim, int64_t valueDim, int block, bool causal) {
    options = {.causal = causal, .queryBlock = block, .keyBlock = block};
    int64_t blocks = (length + block - 1) / block;
    tensors = {make(dtype, {1, 1, length, headDim}),     make(dtype, {1, 1, length, headDim}),
               make(dtype, {1, 1, length, valueDim}),    make(DType::i32, {1, 1, blocks}),
               make(DType::i32, {1, 1, blocks, blocks}), make(dtype, {1, 1, length, valueDim}),
               make(DType::f32, {1, 1, length})};
    for (int64_t row = 0; row < length; ++row)
      for (int64_t d = 0; d < valueDim; ++d)
        writeElement(dtype, element(tensors.v, row * valueDim + d), static_cast<double>(row));
    for (int64_t i = 0; i < blocks * blocks; ++i)
      static_cast<int32_t *>(tensors.blockIndex.data)[i] = static_cast<int32_t>(i % blocks);
    for (int64_t i = 0; i < blocks; ++i)
      static_cast<int32_t *>(tensors.blockCount.data)[i] = static_cast<int32_t>(blocks);
  }

  static void *element(const Tensor &tensor, int64_t index) {
    return static_cast<uint8_t *>(tensor.data) + index * byteSize(tensor.dtype);
  }
  Status run() { return blockSparseAttention(Stream::host(), tensors, options); }

  /// A query that sees n keys of equal score gives the mean of their numbers, and an lse of log(n).
  void expectMeans(int64_t valueDim, bool causal) const {
    for (int64_t row = 0; row < length; ++row) {
      double seen = causal ? row + 1 : length;
      double found =
          readElement(tensors.o.dtype, element(tensors.o, row * valueDim + valueDim - 1));
      ASSERT_NEAR(found, (seen - 1) / 2, 0.26) << row;
      ASSERT_NEAR(static_cast<float *>(tensors.lse.data)[row], std::log(seen), 1e-4) << row;
    }
  }
};

void checkMeans(DType dtype, int64_t headDim, int64_t valueDim, int block, bool causal) {
  Problem problem(dtype, headDim, valueDim, block, causal);
  Status status = problem.run();
  ASSERT_TRUE(status.ok()) << status.message();
  problem.expectMeans(valueDim, causal);
}

TEST(Attention, ChoosesByTypeSizesAndMask) {
  checkMeans(DType::f16, 64, 64, 128, false);
  checkMeans(DType::f16, 64, 64, 128, true);
  checkMeans(DType::bf16, 64, 64, 64, true);
  checkMeans(DType::bf16, 192, 128, 128, true);
}

/// The same through attention(), which takes no lists.
void checkDenseMeans(DType dtype, int64_t headDim, bool causal) {
  Problem problem(dtype, headDim, headDim, 128, causal);
  const BlockSparseTensors &tensors = problem.tensors;
  Status status =
      attention(Stream::host(), {tensors.q, tensors.k, tensors.v, tensors.o, tensors.lse},
                {.causal = causal});
  ASSERT_TRUE(status.ok()) << status.message();
  problem.expectMeans(headDim, causal);
}

TEST(Attention, DenseChoosesByTypeSizeAndMask) {
  checkDenseMeans(DType::f16, 64, false);
  checkDenseMeans(DType::bf16, 128, true);
  checkDenseMeans(DType::bf16, 256, true);
}

TEST(Attention, DenseListsWhatThereIs) {
  Problem problem(DType::bf16, 80, 80, 128, false);
  const BlockSparseTensors &tensors = problem.tensors;
  std::string message =
      attention(Stream::host(), {tensors.q, tensors.k, tensors.v, tensors.o, tensors.lse})
          .message();
  EXPECT_EQ(message.find("attention: no kernel of the library takes bf16 with head_dim 80, not "
                         "causal; it has "),
            0u)
      << message;
  EXPECT_NE(message.find("bf16 with head_dim 64, causal"), std::string::npos) << message;
}

TEST(Attention, ListsWhatThereIs) {
  Problem problem(DType::bf16, 80, 80, 128, false);
  std::string message = problem.run().message();
  EXPECT_EQ(
      message.find("block_sparse_attention: no kernel of the library takes bf16 with head_dim "
                   "80, value_dim 80, blocks of 128 queries by 128 keys, not causal; it has "),
      0u)
      << message;
  EXPECT_NE(
      message.find("bf16 with head_dim 192, value_dim 128, blocks of 128 queries by 128 keys, "
                   "causal"),
      std::string::npos)
      << message;
}

// Keys and values of 8 bits would need scales, which no operation of the library takes.
TEST(Attention, EightBitTensorsAreRefused) {
  for (DType dtype : {DType::e4m3, DType::e5m2}) {
    Problem problem(dtype, 64, 64, 128, false);
    std::string message = problem.run().message();
    EXPECT_NE(message.find(std::string("no kernel of the library takes ") + name(dtype)),
              std::string::npos)
        << message;
  }
}

TEST(Attention, NamesTheArgument) {
  Problem problem(DType::bf16, 64, 64, 128, false);
  problem.tensors.k.dtype = DType::f16;
  EXPECT_NE(problem.run().message().find("argument 'k'"), std::string::npos);
  problem.tensors.q.rank = 3;
  EXPECT_EQ(
      problem.run().message(),
      "block_sparse_attention: argument 'q': expected [batch, heads, q_len, head_dim], found 3 "
      "dimensions, [1, 1, 130]");
}

TEST(Attention, NeedsNoWorkspace) {
  Problem problem(DType::bf16, 64, 64, 128, false);
  Result<int64_t> bytes = blockSparseAttentionWorkspace(problem.tensors, problem.options);
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  EXPECT_EQ(*bytes, 0);
}

struct Splits {
  GuardedTensor part, partLse, out, lse;

  Splits(DType dtype, int64_t splits, int64_t rows, int64_t dim)
      : part(dtype, {splits, rows, dim}), partLse(DType::f32, {splits, rows}),
        out(dtype, {rows, dim}), lse(DType::f32, {rows}) {}

  Status call() {
    return run({&part, &partLse}, {&out, &lse}, [&](Stream on) {
      return mergeSplits(on, view(part), view(partLse), view(out), view(lse));
    });
  }
  /// Sums of at most 7 terms in f32, of weights that sum to 1 and whose exponents are off by 2^-24
  /// of numbers below 50; then the rounding of the result's type.
  void expectRow(int64_t row) const {
    const int64_t splits = part.shape()[0], rows = part.shape()[1], dim = part.shape()[2];
    double sum = 0;
    for (int64_t s = 0; s < splits; ++s)
      sum += std::exp(partLse.get(s * rows + row));
    ASSERT_LE(std::fabs(lse.get(row) - std::log(sum)), sum > 0 ? 5e-5 : -1) << row;
    for (int64_t i = 0; i < dim; ++i) {
      double expected = 0, size = 0;
      for (int64_t s = 0; s < splits; ++s)
        if (double share = std::exp(partLse.get(s * rows + row)) / sum; share > 0) {
          expected += share * part.get((s * rows + row) * dim + i);
          size += share * std::fabs(part.get((s * rows + row) * dim + i));
        }
      ASSERT_LE(std::fabs(out.get(row * dim + i) - expected),
                0.51 * unit(out.dtype(), expected) + 2e-5 * size)
          << row << ", " << i;
    }
  }
};

TEST(MergeSplits, PartsWithAndWithoutKeys) {
  Random random = seeded();
  for (DType dtype : {DType::f32, DType::bf16})
    for (int64_t dim : {64, 128})
      for (auto [splits, rows] : {std::pair<int64_t, int64_t>{1, 3}, {7, 33}}) {
        Splits given(dtype, splits, rows, dim);
        given.part.setValues(normal(random, splits * rows * dim));
        given.partLse.setValues(normal(random, splits * rows, 5));
        for (int64_t s = 0; s < splits; ++s)
          for (int64_t row = 0; row < rows; ++row)
            if (row == 0 || (s && pick(random, 0, 3) == 0)) { // row 0 has no keys at all
              given.partLse.set(s * rows + row, -std::numeric_limits<double>::infinity());
              given.part.set((s * rows + row) * dim, std::numeric_limits<double>::quiet_NaN());
            }
        EXPECT_OK(given.call());
        EXPECT_EQ(given.lse.get(0), -std::numeric_limits<double>::infinity());
        for (int64_t i = 0; i < dim; ++i)
          EXPECT_EQ(given.out.get(i), 0);
        for (int64_t row = 1; row < rows; ++row)
          given.expectRow(row);
      }
}

TEST(MergeSplits, Errors) {
  EXPECT_EQ(Splits(DType::f32, 2, 3, 96).call().message(),
            "merge_splits: no kernel of the library takes f32 with head_dim 96; it has f32 with "
            "head_dim 64; f32 with head_dim 128; bf16 with head_dim 64; bf16 with head_dim 128");
  Splits given(DType::f32, 2, 3, 64);
  given.partLse = GuardedTensor(DType::f32, {3, 3});
  EXPECT_EQ(given.call().message(),
            "merge_splits: argument 'part_lse' dimension 0 (splits): expected "
            "2 as in 'part', found 3");
  given.part = GuardedTensor(DType::f32, {2, 192});
  EXPECT_EQ(given.call().message(), "merge_splits: argument 'part': expected [splits, rows, "
                                    "head_dim], found 2 dimensions, [2, 192]");
}
} // namespace
