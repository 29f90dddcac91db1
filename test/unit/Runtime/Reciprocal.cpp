//===- Reciprocal.cpp - quotients by products are the quotients --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Reciprocal.h"

#include "tile/Expr.h"

#include <gtest/gtest.h>

using namespace tile;

namespace {
constexpr uint64_t largest = (uint64_t(1) << 31) - 1; // of a dividend

/// What a kernel computes.
uint64_t quotient(uint64_t dividend, uint64_t reciprocal) {
  uint32_t factor = static_cast<uint32_t>(reciprocal);
  return static_cast<uint32_t>((dividend * factor) >> 31) >> (reciprocal >> 32);
}

/// Where a rounded factor would show first: in front of and at each multiple, and at the ends.
void checkDivisor(uint64_t divisor) {
  uint64_t inverse = reciprocal(static_cast<int64_t>(divisor));
  ASSERT_LE(inverse >> 32, 31u) << divisor;
  uint64_t last = largest / divisor * divisor;
  for (uint64_t multiple : {divisor, 2 * divisor, last / divisor / 2 * divisor, last})
    for (uint64_t dividend : {multiple - 1, multiple, multiple + 1})
      if (dividend <= largest)
        ASSERT_EQ(quotient(dividend, inverse), dividend / divisor) << dividend << " / " << divisor;
  for (uint64_t dividend : {uint64_t(0), uint64_t(1), largest - 1, largest})
    ASSERT_EQ(quotient(dividend, inverse), dividend / divisor) << dividend << " / " << divisor;
}

TEST(Reciprocal, EveryKindOfDivisor) {
  for (uint64_t divisor = 1; divisor < 70000; ++divisor)
    checkDivisor(divisor);
  for (uint64_t power = 1 << 16; power <= largest; power <<= 1)
    for (uint64_t divisor :
         {power - 1, power, power + 1, power + power / 2 + 1, largest - power + 1})
      if (divisor <= largest)
        checkDivisor(divisor);
}

TEST(Reciprocal, OfMoreThanTheDividend) {
  for (int64_t divisor : {int64_t(1) << 31, int64_t(UINT32_MAX), int64_t(1) << 32, INT64_MAX})
    EXPECT_EQ(quotient(largest, reciprocal(divisor)), 0u) << divisor;
}

TEST(Reciprocal, InAnExpression) {
  std::string_view names[] = {"heads", "len"};
  auto expr = Expr::parse("reciprocal(ceildiv(len, 128) * heads)", names);
  ASSERT_TRUE(expr.ok()) << expr.message();
  int64_t values[] = {3, 1000};
  EXPECT_EQ(*expr->evaluate(values, 1), static_cast<int64_t>(reciprocal(24)));
  auto missing = Expr::parse("reciprocal(len", names);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.message().find("expected ')'"), std::string::npos) << missing.message();
}
} // namespace
