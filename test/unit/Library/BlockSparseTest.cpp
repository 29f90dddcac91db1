//===- BlockSparseTest.cpp - the three ways of block-sparse attention -----===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"
#include "LibraryCall.h"
#include "Reference.h"

#include "tile/Attention.h"

#include <algorithm>
#include <cmath>

using namespace tile;
using namespace tile::test;

namespace {
/// Random lists of blocks of 64 by 64 in random order, where neighbouring blocks of queries share
/// some, with entries that name no block.
struct Sparse {
  AttentionInput input;
  BlockSparseOptions options;
  GuardedTensor q, k, v, count, index, o, lse;
  GuardedTensor workspace{DType::i8, {1}};

  Sparse(const AttentionShape &s, Random &random)
      : options{.causal = s.causal, .queryBlock = 64, .keyBlock = 64},
        q(DType::bf16, {s.batch, s.heads, s.qLen, s.headDim}),
        k(DType::bf16, {s.batch, s.kvHeads, s.kvLen, s.headDim}),
        v(DType::bf16, {s.batch, s.kvHeads, s.kvLen, s.headDim}),
        count(DType::i32, {s.batch, lists(s), s.qBlocks()}),
        index(DType::i32, {s.batch, lists(s), s.qBlocks(), s.maxBlocks}),
        o(DType::bf16, {s.batch, s.heads, s.qLen, s.headDim}),
        lse(DType::f32, {s.batch, s.heads, s.qLen}) {
    input.shape = s;
    for (GuardedTensor *tensor : {&q, &k, &v})
      tensor->setValues(normal(random, tensor->elements()));
    for (int64_t row = 0; row < count.elements(); ++row)
      fill(row, random);
    useWorkspace(0);
  }

  static int64_t lists(const AttentionShape &s) { return s.listHeads ? s.listHeads : s.heads; }

  void fill(int64_t row, Random &random) {
    const AttentionShape &s = input.shape;
    std::vector<int64_t> blocks;
    for (int64_t i = 0; i < s.kvBlocks(); ++i)
      if (pick(random, 0, 2) == 0 || i % 4 == 0)
        blocks.push_back(i);
    blocks.push_back(pick(random, 0, 1) ? -1 : s.kvBlocks());
    std::shuffle(blocks.begin(), blocks.end(), random);
    blocks.resize(std::min<size_t>(blocks.size(), pick(random, 0, s.maxBlocks)));
    count.set(row, static_cast<double>(blocks.size()));
    for (size_t i = 0; i < static_cast<size_t>(s.maxBlocks); ++i)
      index.set(row * s.maxBlocks + static_cast<int64_t>(i),
                i < blocks.size() ? static_cast<double>(blocks[i]) : 0.0);
  }

  BlockSparseTensors tensors() const {
    return {view(q), view(k), view(v), view(count), view(index), view(o), view(lse)};
  }
  int64_t bytes() const {
    Result<int64_t> result = blockSparseAttentionWorkspace(tensors(), options);
    EXPECT_TRUE(result.ok()) << result.message();
    return result.ok() ? *result : -1;
  }
  void useWorkspace(int64_t size) { workspace = GuardedTensor(DType::i8, {size}); }

  Status call() {
    std::vector<GuardedTensor *> outputs{&o, &lse};
    if (workspace.elements())
      outputs.push_back(&workspace);
    return run({&q, &k, &v, &count, &index}, outputs, [&](Stream on) {
      return blockSparseAttention(on, tensors(), options,
                                  workspace.elements() ? view(workspace) : Tensor());
    });
  }

  void check() {
    EXPECT_OK(call());
    auto integers = [](const GuardedTensor &tensor) {
      auto values = tensor.values();
      return std::vector<int32_t>(values.begin(), values.end());
    };
    input.q = q.values(), input.k = k.values(), input.v = v.values();
    input.blockCount = integers(count), input.blockIndex = integers(index);
    input.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(input.shape.headDim)));
    EXPECT_OK(checkAttention({o.values(), lse.values()}, attention(input), DType::bf16,
                             input.shape.headDim));
  }
};

AttentionShape shapeOf(int64_t qLen, int64_t kvLen, int64_t headDim, bool causal) {
  return {.batch = 2,
          .heads = 4,
          .kvHeads = 2,
          .qLen = qLen,
          .kvLen = kvLen,
          .headDim = headDim,
          .valueDim = headDim,
          .blockM = 64,
          .blockN = 64,
          .maxBlocks = 8,
          .causal = causal};
}

TEST(BlockSparse, WithAndWithoutWorkspace) {
  Random random = seeded();
  for (bool causal : {false, true})
    for (int64_t headDim : {64, 128})
      for (auto [qLen, kvLen] : {std::pair<int64_t, int64_t>{130, 500}, {64, 300}, {400, 400}}) {
        SCOPED_TRACE(testing::Message() << headDim << ", " << qLen << ", " << kvLen);
        Sparse given(shapeOf(qLen, kvLen, headDim, causal), random);
        given.check();
        int64_t bytes = given.bytes();
        EXPECT_EQ(bytes > 0, !causal);
        given.useWorkspace(bytes);
        given.check();
      }
}

TEST(BlockSparse, OneListForAGroup) {
  Random random = seeded();
  for (bool causal : {false, true})
    for (int64_t headDim : {64, 128}) {
      AttentionShape shape = shapeOf(130, 500, headDim, causal);
      shape.listHeads = shape.kvHeads;
      Sparse given(shape, random);
      EXPECT_EQ(given.bytes(), 0);
      given.check();
      shape.heads = 3 * shape.kvHeads;
      EXPECT_EQ(Sparse(shape, random).call().message(),
                "block_sparse_attention: argument 'block_index': expected lists of 6 heads, or an "
                "even number of heads for each of 2 lists, found [2, 2, 3, 8]");
    }
}

/// What the call needs, so that a caller can ask once for all: none for blocks of 128.
TEST(BlockSparse, WorkspaceOfOtherCalls) {
  Random random = seeded();
  AttentionShape shape = shapeOf(0, 300, 64, false);
  Sparse empty(shape, random);
  EXPECT_EQ(empty.bytes(), 0);
  empty.check();
  shape = shapeOf(200, 300, 64, false);
  shape.blockM = shape.blockN = 128;
  Sparse wide(shape, random);
  wide.options.queryBlock = wide.options.keyBlock = 128;
  EXPECT_EQ(wide.bytes(), 0);
  wide.useWorkspace(10); // not looked at
  wide.check();
}

TEST(BlockSparse, Errors) {
  Random random = seeded();
  Sparse given(shapeOf(130, 500, 64, false), random);
  int64_t bytes = given.bytes();
  given.useWorkspace(bytes - 1);
  EXPECT_EQ(given.call().message(),
            "block_sparse_attention: argument 'workspace': expected an i8 tensor [" +
                std::to_string(bytes) + "] or longer, found [" + std::to_string(bytes - 1) +
                "] of i8");
  given.useWorkspace(bytes);
  given.lse = GuardedTensor(DType::f32, {2, 4, 129});
  EXPECT_NE(given.call().message().find("argument 'lse' dimension 2"), std::string::npos);
  given.lse = GuardedTensor(DType::f32, {2, 4, 130});
  given.count = GuardedTensor(DType::i32, {2, 4, 4}); // of 3 blocks
  EXPECT_NE(given.call().message().find("argument 'block_count' dimension 2"), std::string::npos);
  given.count = GuardedTensor(DType::i32, {2, 4, 3});
  given.k = GuardedTensor(DType::bf16, {2, 3, 500, 64});
  given.v = GuardedTensor(DType::bf16, {2, 3, 500, 64});
  EXPECT_NE(given.call().message().find("argument 'q' dimension 1"), std::string::npos)
      << given.call().message();
  given.k = GuardedTensor(DType::bf16, {2, 2, 500, 64});
  given.v = GuardedTensor(DType::bf16, {2, 2, 500, 64});
  BlockSparseTensors tensors = given.tensors();
  Tensor overlapping(tensors.q.data, DType::i8, {bytes}, Device::host);
  EXPECT_EQ(blockSparseAttention(Stream::host(), tensors, given.options, overlapping).message(),
            "block_sparse_attention: argument 'workspace': expected memory of its own, since the "
            "kernel writes it, found an overlap with 'q'");
}
} // namespace
