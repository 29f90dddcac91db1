//===- Attention.cpp - one call of block_sparse_forward -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Attention.h"

#include <cmath>
#include <limits>

using tile::DType;

namespace tilec::test {

static constexpr int64_t heads = 2, maxBlocks = 8;

static int64_t field(const Config &config, const std::string &name, int64_t absent) {
  for (const auto &[key, value] : config)
    if (key == name)
      return std::stoll(value);
  return absent;
}

AttentionCall::AttentionCall(const std::string &dtype, const Config &config, int64_t qLen,
                             int64_t kvLen, uint64_t seed, int64_t most)
    : qLen(qLen), kvLen(kvLen), headDim(field(config, "head_dim", 128)),
      valueDim(field(config, "value_dim", 0)), blockM(field(config, "block_m", 128)),
      blockN(field(config, "block_n", 128)), causal(field(config, "causal", 1)),
      q(randomTensor(*tile::parseDType(dtype), {1, heads, qLen, headDim}, 10 * seed)),
      k(randomTensor(q.dtype, {1, 1, kvLen, headDim}, 10 * seed + 1)),
      v(randomTensor(q.dtype, {1, 1, kvLen, valueDim ? valueDim : headDim}, 10 * seed + 2)),
      count(DType::i32, {1, heads, (qLen + blockM - 1) / blockM}),
      index(DType::i32, {1, heads, count.shape[2], maxBlocks}),
      o(q.dtype, {1, heads, qLen, v.shape[3]}), lse(DType::f32, {1, heads, qLen}), qs(q.values()),
      ks(k.values()), vs(v.values()) {
  valueDim = v.shape[3];
  std::mt19937_64 random(seed);
  for (int64_t list = 0; list < count.count(); ++list) {
    count.set(list, list == 0 ? 0 : list < 4 ? most : random() % most);
    std::vector<int64_t> blocks;
    for (int64_t block = -1; block <= kvLen / blockN + 1; ++block)
      blocks.push_back(block);
    std::shuffle(blocks.begin(), blocks.end(), random);
    for (int64_t i = 0; i < maxBlocks; ++i)
      index.set(list * maxBlocks + i, static_cast<size_t>(i) < blocks.size() ? blocks[i] : -1);
  }
}

std::vector<tile::Arg> AttentionCall::arguments() {
  views.clear();
  for (HostTensor *tensor : {&q, &k, &v, &count, &index, &o, &lse})
    views.push_back(tensor->view());
  std::vector<tile::Arg> result(views.begin(), views.end());
  result.push_back(tile::Arg::real(DType::f32, scale));
  return result;
}

bool AttentionCall::isVisible(int64_t query, int64_t key) const {
  return key < kvLen && (!causal || key <= query + kvLen - qLen);
}

std::vector<double> AttentionCall::reference(int64_t head, int64_t query, double &sumLog) const {
  int64_t list = head * count.shape[2] + query / blockM;
  std::vector<double> result(static_cast<size_t>(valueDim));
  double sum = 0;
  for (int64_t i = 0; i < static_cast<int64_t>(count.at(list)); ++i) {
    auto block = static_cast<int64_t>(index.at(list * maxBlocks + i));
    for (int64_t key = block * blockN; block >= 0 && key < (block + 1) * blockN; ++key) {
      if (!isVisible(query, key))
        continue;
      double score = 0;
      for (int64_t d = 0; d < headDim; ++d)
        score += qs[(head * qLen + query) * headDim + d] * ks[key * headDim + d];
      double weight = std::exp(score * scale);
      sum += weight;
      for (int64_t d = 0; d < valueDim; ++d)
        result[d] += weight * vs[key * valueDim + d];
    }
  }
  for (double &element : result)
    element = sum > 0 ? element / sum : 0;
  sumLog = sum > 0 ? std::log(sum) : -std::numeric_limits<double>::infinity();
  return result;
}

static std::string compare(const char *what, int64_t at, double found, double expected) {
  if (found == expected || std::abs(found - expected) <= 0.02 + 0.02 * std::abs(expected))
    return "";
  return std::string(what) + "[" + std::to_string(at) + "]: expected " + std::to_string(expected) +
         ", found " + std::to_string(found);
}

std::string AttentionCall::check() const {
  for (int64_t row = 0; row < heads * qLen; ++row) {
    double sumLog;
    std::vector<double> expected = reference(row / qLen, row % qLen, sumLog);
    std::string difference = compare("lse", row, lse.at(row), sumLog);
    for (int64_t d = 0; d < valueDim && difference.empty(); ++d)
      difference = compare("o", row * valueDim + d, o.at(row * valueDim + d), expected[d]);
    if (!difference.empty())
      return difference;
  }
  return "";
}

} // namespace tilec::test
