//===- Attention.cpp - dense and block-sparse attention forward -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// FLOPs are 4 * head size for each visible pair of query and key.

#include "Bench.h"
#include "Variants.h"
#include "tile/kernels/all.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace tile::bench {

namespace {
struct Case {
  int64_t batch, heads, length, dim, block;
  bool causal;
  double density = 1; // probability of a block; a causal row always has its own
};

struct Lists {
  std::vector<int32_t> count, index;
  double pairs = 0;
};

Lists makeLists(const Case &given) {
  Lists lists;
  int64_t blocks = given.length / given.block;
  std::mt19937 random;
  std::bernoulli_distribution chosen(given.density);
  for (int64_t list = 0; list < given.batch * given.heads * blocks; ++list) {
    int64_t own = list % blocks, first = static_cast<int64_t>(lists.index.size());
    for (int64_t i = 0; i <= (given.causal ? own : blocks - 1); ++i)
      if ((given.causal && i == own) || chosen(random)) {
        lists.index.push_back(static_cast<int32_t>(i));
        double all = static_cast<double>(given.block * given.block);
        lists.pairs += given.causal && i == own ? (all + given.block) / 2 : all;
      }
    lists.count.push_back(static_cast<int32_t>(lists.index.size() - first));
    lists.index.resize(first + blocks, -1);
  }
  return lists;
}

std::string title(const Case &given) {
  std::string text = "attention bf16 D" + std::to_string(given.dim) + " block " +
                     std::to_string(given.block) + " B" + std::to_string(given.batch) + " H" +
                     std::to_string(given.heads) + " S" + std::to_string(given.length) +
                     (given.causal ? " causal" : " full");
  if (given.density < 1)
    text += " density " + std::to_string(static_cast<int>(100 * given.density + 0.5)) + " %";
  return text;
}

struct DenseCase {
  int64_t batch, heads, kvHeads, length, dim;
};

std::string title(const DenseCase &given, bool causal) {
  std::string heads = std::to_string(given.heads);
  if (given.kvHeads != given.heads)
    heads += "/" + std::to_string(given.kvHeads);
  return "attention bf16 D" + std::to_string(given.dim) + " dense B" + std::to_string(given.batch) +
         " H" + heads + " S" + std::to_string(given.length) + (causal ? " causal" : " full");
}

void denseRow(Bench &bench, const DenseCase &given, bool causal) {
  std::string name = title(given, causal);
  if (!bench.wants(name))
    return;
  const KernelInfo *kernel = test::findKernel(kernels::all(), "dense_forward", DType::bf16,
                                              {{"head_dim", given.dim}, {"causal", causal}});
  if (!kernel) {
    printf("%-66s not in the library\n", name.c_str());
    return;
  }
  std::vector<int64_t> queries = {given.batch, given.heads, given.length, given.dim};
  std::vector<int64_t> keys = {given.batch, given.kvHeads, given.length, given.dim};
  auto q = DeviceTensor::random(DType::bf16, queries), k = DeviceTensor::random(DType::bf16, keys),
       v = DeviceTensor::random(DType::bf16, keys), o = DeviceTensor::random(DType::bf16, queries);
  auto lse = DeviceTensor::random(DType::f32, {given.batch, given.heads, given.length});
  Arg scale = Arg::real(DType::f32, 1 / std::sqrt(static_cast<double>(given.dim)));
  double time = bench.measure(*kernel, {q.view, k.view, v.view, o.view, lse.view, scale});
  auto length = static_cast<double>(given.length);
  double pairs = causal ? length * (length + 1) / 2 : length * length;
  pairs *= static_cast<double>(given.batch * given.heads);
  bench.compute(name, time, 4.0 * static_cast<double>(given.dim) * pairs);
}

void row(Bench &bench, const Case &given) {
  if (!bench.wants(title(given)))
    return;
  const KernelInfo *kernel = test::findKernel(kernels::all(), "block_sparse_forward", DType::bf16,
                                              {{"head_dim", given.dim},
                                               {"value_dim", 0},
                                               {"block_m", given.block},
                                               {"block_n", given.block},
                                               {"causal", given.causal}});
  if (!kernel) {
    printf("%-66s not in the library\n", title(given).c_str());
    return;
  }
  int64_t blocks = given.length / given.block;
  Lists lists = makeLists(given);
  std::vector<int64_t> shape = {given.batch, given.heads, given.length, given.dim};
  auto q = DeviceTensor::random(DType::bf16, shape), k = DeviceTensor::random(DType::bf16, shape),
       v = DeviceTensor::random(DType::bf16, shape), o = DeviceTensor::random(DType::bf16, shape);
  auto lse = DeviceTensor::random(DType::f32, {given.batch, given.heads, given.length});
  auto count = DeviceTensor::integers({given.batch, given.heads, blocks}, lists.count);
  auto index = DeviceTensor::integers({given.batch, given.heads, blocks, blocks}, lists.index);
  Arg scale = Arg::real(DType::f32, 1 / std::sqrt(static_cast<double>(given.dim)));
  double time = bench.measure(
      *kernel, {q.view, k.view, v.view, count.view, index.view, o.view, lse.view, scale});
  bench.compute(title(given), time, 4.0 * static_cast<double>(given.dim) * lists.pairs);
}
} // namespace

void benchAttention(Bench &bench) {
  for (const DenseCase &given : {DenseCase{1, 16, 16, 16384, 128}, DenseCase{2, 64, 8, 8192, 128},
                                 DenseCase{4, 16, 16, 4096, 128}, DenseCase{8, 16, 16, 2048, 128},
                                 DenseCase{1, 32, 32, 16384, 64}, DenseCase{1, 8, 8, 16384, 256}})
    for (bool causal : {false, true})
      denseRow(bench, given, causal);
  struct Size {
    int64_t heads, dim, block;
  };
  for (Size size : {Size{16, 128, 128}, Size{32, 64, 128}, Size{8, 256, 64}, Size{16, 128, 64}})
    for (int64_t length : {4096, 16384})
      for (bool causal : {false, true})
        row(bench, {16384 / length, size.heads, length, size.dim, size.block, causal});
  for (double density : {0.5, 0.25, 0.125})
    for (bool causal : {false, true})
      row(bench, {1, 16, 16384, 128, 128, causal, density});
}

} // namespace tile::bench
