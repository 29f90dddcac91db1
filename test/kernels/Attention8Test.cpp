//===- Attention8Test.cpp - attention over 8-bit keys and values -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tile::test;
using tile::DType;

namespace {
class Attention8 : public KernelTest {
protected:
  void check(int64_t qLen, int64_t kvLen, int64_t heads, int64_t kvHeads);
};

/// A row of the reference and what it may be off by.
struct Row {
  std::vector<double> o, tolerance;
};

GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  GuardedTensor tensor(dtype, shape);
  tensor.setValues(values);
  return tensor;
}

/// softmax(q * keys / 8) * values over the scaled rows.
Row attend(const std::vector<double> &q, const std::vector<std::vector<double>> &keys,
           const std::vector<std::vector<double>> &values) {
  std::vector<double> scores, sizes;
  for (const auto &key : keys) {
    double score = 0, size = 0;
    for (int64_t i = 0; i < 64; ++i) {
      score += q[i] * key[i] / 8;
      size += std::abs(q[i] * key[i]) / 8;
    }
    scores.push_back(score);
    sizes.push_back(size);
  }
  double top = *std::max_element(scores.begin(), scores.end()), sum = 0;
  double largest = *std::max_element(sizes.begin(), sizes.end());
  Row row{std::vector<double>(64, 0), std::vector<double>(64, 0)};
  for (size_t j = 0; j < keys.size(); ++j) {
    double p = std::exp(scores[j] - top);
    sum += p;
    for (int64_t i = 0; i < 64; ++i) {
      row.o[i] += p * values[j][i];
      row.tolerance[i] += std::abs(p * values[j][i]);
    }
  }
  // Sums of 8-bit products are off by up to 2^-11 of their terms (Ops.h), which moves an
  // exponential, and the sum under the fraction, by as much again; bf16 rounds a probability by
  // 2^-9; the rest (f32 sums, exp2 and its argument) stays below 2^-12 for scores of this size.
  double relative =
      2 * std::expm1(largest * std::ldexp(1, -11)) + std::ldexp(1, -9) + std::ldexp(1, -12);
  for (int64_t i = 0; i < 64; ++i) {
    row.o[i] /= sum;
    row.tolerance[i] *= relative / sum;
  }
  return row;
}

void Attention8::check(int64_t qLen, int64_t kvLen, int64_t heads, int64_t kvHeads) {
  DType dtype = variant().dtype();
  const int64_t slots = 2 * kvLen + 3;
  auto q = tensorOf(dtype, {heads, qLen, 64}, normal(random, heads * qLen * 64));
  GuardedTensor k(dtype, {slots, kvHeads, 64}),
      v(dtype, {slots, kvHeads, 64}); // NaN where nobody looks
  std::vector<double> table(slots);
  std::iota(table.begin(), table.end(), 0.0);
  std::shuffle(table.begin(), table.end(), random);
  table.resize(kvLen);
  std::vector<double> scaleK, scaleV;
  for (int64_t h = 0; h < kvHeads; ++h) {
    scaleK.push_back(h == 0 ? 0.5 : 1.75);
    scaleV.push_back(h == 0 ? 3.0 : 0.25);
  }
  auto number = [&](int64_t j, int64_t h, int64_t i) {
    return (static_cast<int64_t>(table[j]) * kvHeads + h) * 64 + i;
  };
  for (int64_t j = 0; j < kvLen; ++j)
    for (int64_t i = 0; i < kvHeads * 64; ++i) {
      k.set(number(j, 0, i), normal(random, 1)[0]);
      v.set(number(j, 0, i), normal(random, 1)[0]);
    }
  auto list = tensorOf(DType::i32, {kvLen}, table);
  auto sk = tensorOf(DType::f32, {kvHeads}, scaleK), sv = tensorOf(DType::f32, {kvHeads}, scaleV);
  GuardedTensor o(DType::f32, {heads, qLen, 64});
  EXPECT_OK(run(variant(), {q, k, v, list, sk, sv, o}));

  for (int64_t h = 0; h < heads; ++h) {
    int64_t kvHead = h / (heads / kvHeads);
    std::vector<std::vector<double>> keys(kvLen), values(kvLen);
    for (int64_t j = 0; j < kvLen; ++j)
      for (int64_t i = 0; i < 64; ++i) {
        keys[j].push_back(k.get(number(j, kvHead, i)) * scaleK[kvHead]);
        values[j].push_back(v.get(number(j, kvHead, i)) * scaleV[kvHead]);
      }
    for (int64_t row = 0; row < qLen; ++row) {
      std::vector<double> line;
      for (int64_t i = 0; i < 64; ++i)
        line.push_back(q.get((h * qLen + row) * 64 + i));
      Row expected = attend(line, keys, values);
      for (int64_t i = 0; i < 64; ++i)
        ASSERT_NEAR(o.get((h * qLen + row) * 64 + i), expected.o[i], expected.tolerance[i])
            << "head " << h << ", row " << row << ", column " << i;
    }
  }
}

TEST_P(Attention8, ScalesOfKeysAndValuesCount) {
  for (auto [qLen, kvLen, heads, kvHeads] : {std::tuple(1, 1, 4, 1), std::tuple(70, 33, 2, 2),
                                             std::tuple(3, 130, 4, 2), std::tuple(64, 64, 1, 1)}) {
    SCOPED_TRACE(std::to_string(qLen) + " queries, " + std::to_string(kvLen) + " keys");
    check(qLen, kvLen, heads, kvHeads);
  }
}
TILE_INSTANTIATE(Attention8, "attention8");
} // namespace
