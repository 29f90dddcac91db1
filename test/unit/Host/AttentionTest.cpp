//===- AttentionTest.cpp - a whole kernel on the host target --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Block-sparse causal attention over a list of key blocks: 64 query rows, 64 keys, head size 128.
//
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::test;

namespace {

const char *attention = R"(
tile.kernel @k(%q: !tile.global<?x?x128xbf16>, %key: !tile.global<?x?x128xbf16>, %v: !tile.global<?x?x128xbf16>,
               %list: !tile.global<?x?x?xi32>, %out: !tile.global<?x?x128xbf16>, %lse: !tile.global<?x?xf32>,
               %scale: f32)
    attributes {tile.launch = {dims = ["heads", "len", "blocks", "width"]}} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %len = tile.dim "len"
  %width = tile.dim "width"
  %count = arith.ceildivsi %len, %c64 : i64
  %id = tile.program_id
  %head = arith.divsi %id, %count : i64
  %tile = arith.remsi %id, %count : i64
  %row = arith.muli %tile, %c64 : i64
  %qs = tile.alloc_shared : !tile.shared<64x128xbf16>
  %qw = tile.window %q[%head, %row, %c0] dims = [1, 2] : !tile.global<?x?x128xbf16> to !tile.window<64x128xbf16>
  tile.copy %qw, %qs : !tile.window<64x128xbf16> to !tile.shared<64x128xbf16>
  %log2e = arith.constant 1.44269504 : f32
  %factor = arith.mulf %scale, %log2e : f32
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %ninf = arith.constant dense<0xFF800000> : tensor<64xf32>
  %zero1 = arith.constant dense<0.0> : tensor<64xf32>
  %r:3 = scf.for %i = %c0 to %width step %c1 iter_args(%acc = %zero, %m = %ninf, %l = %zero1)
      -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) : i64 {
    %b32 = tile.load_scalar %list[%head, %tile, %i] : !tile.global<?x?x?xi32> to i32
    %b = arith.extsi %b32 : i32 to i64
    %nonneg = arith.cmpi sge, %b, %c0 : i64
    %below = arith.cmpi slt, %b, %count : i64
    %taken = arith.andi %nonneg, %below : i1
    %next:3 = scf.if %taken -> (tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>) {
      %column = arith.muli %b, %c64 : i64
      %ks = tile.alloc_shared : !tile.shared<64x128xbf16>
      %vs = tile.alloc_shared : !tile.shared<64x128xbf16>
      %kw = tile.window %key[%head, %column, %c0] dims = [1, 2] : !tile.global<?x?x128xbf16> to !tile.window<64x128xbf16>
      %vw = tile.window %v[%head, %column, %c0] dims = [1, 2] : !tile.global<?x?x128xbf16> to !tile.window<64x128xbf16>
      tile.copy %kw, %ks : !tile.window<64x128xbf16> to !tile.shared<64x128xbf16>
      tile.copy %vw, %vs : !tile.window<64x128xbf16> to !tile.shared<64x128xbf16>
      %s0 = arith.constant dense<0.0> : tensor<64x64xf32>
      %s = tile.gemm %qs, %ks, %s0 {transpose_b} : !tile.shared<64x128xbf16>, !tile.shared<64x128xbf16>, tensor<64x64xf32>
      %iota = tile.iota : tensor<64xi32>
      %row32 = arith.trunci %row : i64 to i32
      %column32 = arith.trunci %column : i64 to i32
      %len32 = arith.trunci %len : i64 to i32
      %rowb = tile.broadcast %row32 dims = [] : i32 to tensor<64xi32>
      %colb = tile.broadcast %column32 dims = [] : i32 to tensor<64xi32>
      %rows = arith.addi %iota, %rowb : tensor<64xi32>
      %cols = arith.addi %iota, %colb : tensor<64xi32>
      %rows2 = tile.broadcast %rows dims = [0] : tensor<64xi32> to tensor<64x64xi32>
      %cols2 = tile.broadcast %cols dims = [1] : tensor<64xi32> to tensor<64x64xi32>
      %lens2 = tile.broadcast %len32 dims = [] : i32 to tensor<64x64xi32>
      %causal = arith.cmpi sle, %cols2, %rows2 : tensor<64x64xi32>
      %inside = arith.cmpi slt, %cols2, %lens2 : tensor<64x64xi32>
      %visible = arith.andi %causal, %inside : tensor<64x64xi1>
      %ninf2 = arith.constant dense<0xFF800000> : tensor<64x64xf32>
      %factor2 = tile.broadcast %factor dims = [] : f32 to tensor<64x64xf32>
      %scaled = arith.mulf %s, %factor2 : tensor<64x64xf32>
      %masked = arith.select %visible, %scaled, %ninf2 : tensor<64x64xi1>, tensor<64x64xf32>
      %top = tile.reduce max %masked axis = 1 : tensor<64x64xf32> to tensor<64xf32>
      %m1 = arith.maxnumf %m, %top : tensor<64xf32>
      %none = arith.cmpf oeq, %m1, %ninf : tensor<64xf32>
      %safe = arith.select %none, %zero1, %m1 : tensor<64xi1>, tensor<64xf32>
      %delta = arith.subf %m, %safe : tensor<64xf32>
      %decay = math.exp2 %delta : tensor<64xf32>
      %safe2 = tile.broadcast %safe dims = [0] : tensor<64xf32> to tensor<64x64xf32>
      %shifted = arith.subf %masked, %safe2 : tensor<64x64xf32>
      %p = math.exp2 %shifted : tensor<64x64xf32>
      %sum = tile.reduce sum %p axis = 1 : tensor<64x64xf32> to tensor<64xf32>
      %ld = arith.mulf %l, %decay : tensor<64xf32>
      %l1 = arith.addf %ld, %sum : tensor<64xf32>
      %decay2 = tile.broadcast %decay dims = [0] : tensor<64xf32> to tensor<64x128xf32>
      %acc1 = arith.mulf %acc, %decay2 : tensor<64x128xf32>
      %pb = arith.truncf %p : tensor<64x64xf32> to tensor<64x64xbf16>
      %acc2 = tile.gemm %pb, %vs, %acc1 : tensor<64x64xbf16>, !tile.shared<64x128xbf16>, tensor<64x128xf32>
      scf.yield %acc2, %m1, %l1 : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
    } else {
      scf.yield %acc, %m, %l : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
    }
    scf.yield %next#0, %next#1, %next#2 : tensor<64x128xf32>, tensor<64xf32>, tensor<64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 2>}
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %empty = arith.cmpf oeq, %r#2, %zero1 : tensor<64xf32>
  %divisor = arith.select %empty, %one, %r#2 : tensor<64xi1>, tensor<64xf32>
  %inverse = arith.divf %one, %divisor : tensor<64xf32>
  %inverse2 = tile.broadcast %inverse dims = [0] : tensor<64xf32> to tensor<64x128xf32>
  %result = arith.mulf %r#0, %inverse2 : tensor<64x128xf32>
  %rounded = arith.truncf %result : tensor<64x128xf32> to tensor<64x128xbf16>
  %ow = tile.window %out[%head, %row, %c0] dims = [1, 2] : !tile.global<?x?x128xbf16> to !tile.window<64x128xbf16>
  tile.store %rounded, %ow : tensor<64x128xbf16> to !tile.window<64x128xbf16>
  %log = math.log2 %r#2 : tensor<64xf32>
  %base2 = arith.addf %log, %r#1 : tensor<64xf32>
  %ln2 = arith.constant dense<0.693147181> : tensor<64xf32>
  %natural = arith.mulf %base2, %ln2 : tensor<64xf32>
  %lw = tile.window %lse[%head, %row] dims = [1] : !tile.global<?x?xf32> to !tile.window<64xf32>
  tile.store %natural, %lw : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}
)";

constexpr int64_t headSize = 128;

/// One problem with its inputs, poisoned outputs and a reference in double.
struct Problem {
  int64_t heads, length, blocks, width;
  float scale = 1 / std::sqrt(128.0f);
  std::vector<uint16_t> q, k, v, out;
  std::vector<int32_t> list;
  std::vector<float> lse;

  Problem(int64_t heads, int64_t length, int64_t width)
      : heads(heads), length(length), blocks((length + 63) / 64), width(width) {
    Random random(length);
    size_t size = heads * length * headSize;
    for (std::vector<uint16_t> *x : {&q, &k, &v}) {
      x->resize(size);
      for (uint16_t &element : *x)
        element = toBf16(2 * random.value());
    }
    out.assign(size, toBf16(notANumber));
    lse.assign(heads * length, notANumber);
    list.assign(heads * blocks * width, -1);
  }

  int32_t *entries(int64_t head, int64_t tile) { return &list[(head * blocks + tile) * width]; }

  void run(const HostKernel &kernel) {
    Arguments arguments;
    for (std::vector<uint16_t> *x : {&q, &k, &v})
      arguments.tensor(x->data(), {heads, length, headSize});
    arguments.tensor(list.data(), {heads, blocks, width})
        .tensor(out.data(), {heads, length, headSize});
    arguments.tensor(lse.data(), {heads, length}).scalar(scale);
    arguments.dim(heads).dim(length).dim(blocks).dim(width);
    kernel(arguments, heads * blocks);
  }

  double score(int64_t head, int64_t row, int64_t column) const {
    double sum = 0;
    for (int64_t d = 0; d < headSize; ++d)
      sum += static_cast<double>(fromBf16(q[(head * length + row) * headSize + d])) *
             fromBf16(k[(head * length + column) * headSize + d]);
    return sum * scale;
  }

  /// Checks one output row.
  void check(int64_t head, int64_t row) {
    std::vector<double> weights(length, 0), expected(headSize, 0);
    double top = -HUGE_VAL, sum = 0;
    std::vector<int64_t> visible;
    for (int64_t i = 0; i < width; ++i) {
      int64_t block = entries(head, row / 64)[i];
      for (int64_t j = block * 64; block >= 0 && j < std::min({block * 64 + 64, length, row + 1});
           ++j) {
        visible.push_back(j);
        top = std::max(top, weights[j] = score(head, row, j));
      }
    }
    for (int64_t j : visible)
      sum += weights[j] = std::exp(weights[j] - top);
    for (int64_t j : visible)
      for (int64_t d = 0; d < headSize; ++d)
        expected[d] += weights[j] / sum * fromBf16(v[(head * length + j) * headSize + d]);
    for (int64_t d = 0; d < headSize; ++d)
      ASSERT_NEAR(fromBf16(out[(head * length + row) * headSize + d]), expected[d],
                  visible.empty() ? 0 : 1.5e-2)
          << "head " << head << " row " << row << " element " << d;
    float found = lse[head * length + row];
    if (visible.empty())
      EXPECT_EQ(found, -infinity) << "row " << row;
    else
      EXPECT_NEAR(found, top + std::log(sum), 1e-4) << "row " << row;
  }
};

TEST(HostAttention, ListsWithHolesAndTails) {
  HostKernel kernel(attention);
  ASSERT_TRUE(kernel);
  Problem problem(2, 300, 4);
  for (int64_t head = 0; head < 2; ++head)
    for (int64_t tile = 0; tile < problem.blocks; ++tile) {
      int32_t *entries = problem.entries(head, tile);
      entries[0] = -1;
      // Tile 2 of head 1 selects nothing it may see.
      entries[1] = head == 1 && tile == 2 ? 3 : static_cast<int32_t>(tile);
      entries[2] = tile >= 3 ? 1 : 1000;
      entries[3] = tile == 4 ? 0 : -7;
    }
  problem.run(kernel);
  for (int64_t head = 0; head < 2; ++head)
    for (int64_t row = 0; row < 300; ++row)
      problem.check(head, row);
}

/// A block of keys that nobody selects holds NaN; it must not be read into any result.
TEST(HostAttention, UnselectedBlocksMayHoldNaN) {
  HostKernel kernel(attention);
  ASSERT_TRUE(kernel);
  Problem problem(1, 200, 2);
  for (int64_t i = 64 * headSize; i < 128 * headSize; ++i)
    problem.k[i] = problem.v[i] = toBf16(notANumber);
  for (int64_t tile = 0; tile < problem.blocks; ++tile) {
    problem.entries(0, tile)[0] = 0;
    problem.entries(0, tile)[1] = tile == 1 ? -1 : static_cast<int32_t>(tile);
  }
  problem.entries(0, 0)[1] = -1;
  problem.run(kernel);
  for (int64_t row = 0; row < 200; ++row)
    problem.check(0, row);
}

/// The size that continuous integration runs: all blocks, 2,048 tokens, 8 heads.
TEST(HostAttention, DenseCausal2048) {
  HostKernel kernel(attention);
  ASSERT_TRUE(kernel);
  Problem problem(8, 2048, 32);
  for (int64_t head = 0; head < 8; ++head)
    for (int64_t tile = 0; tile < 32; ++tile)
      for (int64_t i = 0; i <= tile; ++i)
        problem.entries(head, tile)[i] = static_cast<int32_t>(i);
  problem.run(kernel);
  for (int64_t row = 0; row < 2048; row += 97)
    problem.check(row % 8, row);
}

} // namespace
