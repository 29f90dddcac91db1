//===- CompareTest.cpp - what the comparison accepts and refuses ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"

#include "Harness.h"

#include <cmath>

using namespace tile::test;
using tile::DType;

namespace {
constexpr int64_t dim = 64;

double rounded(double x) {
  double step = unit(DType::bf16, x);
  return std::nearbyint(x / step) * step;
}

AttentionResult ofSize(int64_t rows, double size, Random &random) {
  AttentionResult result{normal(random, rows * dim, size), std::vector<double>(rows, 1.0)};
  for (double &x : result.o)
    x = rounded(x);
  return result;
}

/// Attention whose rows each have one weight, off by this much of itself; O is rounded.
AttentionResult weighted(AttentionResult result, double error) {
  for (double &x : result.o)
    x = rounded(x * (1 + error));
  return result;
}

tile::Status check(const AttentionResult &found, const AttentionResult &expected) {
  return checkAttention(found, expected, DType::bf16, dim);
}

class Comparison : public testing::Test {
protected:
  Random random{17};
};
} // namespace

// Half a unit of a bf16 just above 1, the most that rounding a weight does.
TEST_F(Comparison, AcceptsRoundedWeightsOfFewRows) {
  for (int64_t rows : {1, 3, 15}) {
    auto expected = ofSize(rows, 1, random);
    EXPECT_OK(check(weighted(expected, 0x1p-8), expected));
    EXPECT_FALSE(check(weighted(expected, 0x1p-6), expected).ok());
  }
}

TEST_F(Comparison, RefusesThemOfManyRows) {
  auto expected = ofSize(64, 1, random);
  EXPECT_FALSE(check(weighted(expected, 0x1p-8), expected).ok());
  EXPECT_OK(check(weighted(expected, 0x1p-10), expected));
}

// A row that sees one key beside rows that see a thousand: one row makes up nearly all of the RMS.
TEST_F(Comparison, CountsRowsByTheirSize) {
  auto expected = ofSize(1, 1, random), small = ofSize(63, 0.03, random);
  auto found = weighted(expected, 0x1p-8);
  for (auto *result : {&expected, &found}) {
    result->o.insert(result->o.end(), small.o.begin(), small.o.end());
    result->lse.insert(result->lse.end(), small.lse.begin(), small.lse.end());
  }
  EXPECT_OK(check(found, expected));
}

TEST_F(Comparison, RefusesASingleWrongElement) {
  auto expected = ofSize(64, 1, random), found = expected;
  found.o[777] += 16.1 * unit(DType::bf16, 1);
  EXPECT_FALSE(check(found, expected).ok());
  found.o[777] = NAN;
  EXPECT_FALSE(check(found, expected).ok());
}
