//===- Reference.cpp - what the kernels compute, in double ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Reference.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

namespace tile::test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Eight partial sums, so that the loop vectorises without reassociation.
double dot(const double *a, const double *b, int64_t count) {
  double sums[8] = {};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int lane = 0; lane < 8; ++lane)
      sums[lane] += a[i + lane] * b[i + lane];
  double rest = 0;
  for (; i < count; ++i)
    rest += a[i] * b[i];
  for (double sum : sums)
    rest += sum;
  return rest;
}

void addScaled(double *out, const double *x, double factor, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    out[i] += factor * x[i];
}

/// Keys [0, end) are visible to a query.
int64_t visibleEnd(const AttentionShape &shape, int64_t row) {
  int64_t end = shape.causal ? row + shape.kvLen - shape.qLen + 1 : shape.kvLen;
  return std::clamp<int64_t>(end, 0, shape.kvLen);
}

struct Score {
  int64_t key;
  double value;
};

/// Scores of the visible keys of one query.
std::vector<Score> scores(const AttentionInput &input, const double *q, const double *k,
                          const std::vector<int64_t> &blocks, int64_t end) {
  const AttentionShape &shape = input.shape;
  std::vector<Score> result;
  for (int64_t block : blocks)
    for (int64_t key = block * shape.blockN, stop = std::min(key + shape.blockN, end); key < stop;
         ++key)
      result.push_back({key, input.scale * dot(q, k + key * shape.headDim, shape.headDim)});
  return result;
}

/// Returns the log-sum-exp.
double attendRow(const std::vector<Score> &row, const double *v, int64_t valueDim, double *o) {
  double largest = -infinity, sum = 0;
  for (Score score : row)
    largest = std::max(largest, score.value);
  if (largest == -infinity)
    return -infinity;
  for (Score score : row) {
    double weight = std::exp(score.value - largest);
    sum += weight;
    addScaled(o, v + score.key * valueDim, weight, valueDim);
  }
  for (int64_t i = 0; i < valueDim; ++i)
    o[i] /= sum;
  return largest + std::log(sum);
}
} // namespace

void parallelFor(int64_t count, const std::function<void(int64_t)> &body) {
  std::atomic<int64_t> next = 0;
  auto work = [&] {
    for (int64_t i; (i = next++) < count;)
      body(i);
  };
  std::vector<std::jthread> threads;
  int64_t extra = std::min<int64_t>(count, std::max(1u, std::thread::hardware_concurrency())) - 1;
  for (int64_t i = 0; i < extra; ++i)
    threads.emplace_back(work);
  work();
}

std::vector<int64_t> selectedBlocks(const AttentionInput &input, int64_t batch, int64_t head,
                                    int64_t qBlock) {
  const AttentionShape &shape = input.shape;
  int64_t heads = shape.listHeads ? shape.listHeads : shape.heads;
  int64_t list = (batch * heads + shape.listHead(head)) * shape.qBlocks() + qBlock;
  int64_t count = std::clamp<int64_t>(input.blockCount[list], 0, shape.maxBlocks);
  std::vector<int64_t> blocks;
  for (int64_t i = 0; i < count; ++i) {
    int64_t block = input.blockIndex[list * shape.maxBlocks + i];
    if (block >= 0 && block < shape.kvBlocks())
      blocks.push_back(block);
  }
  return blocks;
}

AttentionResult attention(const AttentionInput &input) {
  const AttentionShape &s = input.shape;
  AttentionResult result;
  result.o.resize(s.batch * s.heads * s.qLen * s.valueDim, 0.0);
  result.lse.resize(s.batch * s.heads * s.qLen);
  parallelFor(s.batch * s.heads * s.qBlocks(), [&](int64_t work) {
    int64_t qBlock = work % s.qBlocks(), head = work / s.qBlocks() % s.heads,
            batch = work / s.qBlocks() / s.heads;
    auto blocks = selectedBlocks(input, batch, head, qBlock);
    int64_t kvRow = (batch * s.kvHeads + s.kvHead(head)) * s.kvLen;
    for (int64_t row = qBlock * s.blockM; row < std::min((qBlock + 1) * s.blockM, s.qLen); ++row) {
      int64_t out = (batch * s.heads + head) * s.qLen + row;
      auto visible = scores(input, input.q.data() + out * s.headDim,
                            input.k.data() + kvRow * s.headDim, blocks, visibleEnd(s, row));
      result.lse[out] = attendRow(visible, input.v.data() + kvRow * s.valueDim, s.valueDim,
                                  result.o.data() + out * s.valueDim);
    }
  });
  return result;
}

int64_t visiblePairs(const AttentionInput &input) {
  const AttentionShape &s = input.shape;
  int64_t pairs = 0;
  for (int64_t list = 0; list < s.batch * s.heads * s.qBlocks(); ++list) {
    int64_t qBlock = list % s.qBlocks();
    for (int64_t block :
         selectedBlocks(input, list / s.qBlocks() / s.heads, list / s.qBlocks() % s.heads, qBlock))
      for (int64_t row = qBlock * s.blockM; row < std::min((qBlock + 1) * s.blockM, s.qLen); ++row)
        pairs += std::clamp<int64_t>(visibleEnd(s, row) - block * s.blockN, 0, s.blockN);
  }
  return pairs;
}

std::vector<double> matmul(const std::vector<double> &a, const std::vector<double> &b, int64_t m,
                           int64_t n, int64_t k, bool transposeB) {
  std::vector<double> c(m * n, 0.0);
  parallelFor(m, [&](int64_t i) {
    for (int64_t j = 0; j < n && transposeB; ++j)
      c[i * n + j] = dot(a.data() + i * k, b.data() + j * k, k);
    for (int64_t l = 0; l < k && !transposeB; ++l)
      addScaled(c.data() + i * n, b.data() + l * n, a[i * k + l], n);
  });
  return c;
}

std::vector<double> softmax(const std::vector<double> &x, int64_t rows, int64_t cols) {
  std::vector<double> y(rows * cols, 0.0);
  for (int64_t row = 0; row < rows; ++row) {
    const double *in = x.data() + row * cols;
    double largest = *std::max_element(in, in + cols), sum = 0;
    if (largest == -infinity)
      continue;
    for (int64_t i = 0; i < cols; ++i)
      sum += y[row * cols + i] = std::exp(in[i] - largest);
    for (int64_t i = 0; i < cols; ++i)
      y[row * cols + i] /= sum;
  }
  return y;
}

} // namespace tile::test
