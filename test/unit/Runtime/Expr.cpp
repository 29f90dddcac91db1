//===- Expr.cpp - launch-time expressions ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Expr.h"

#include <gtest/gtest.h>
#include <limits>

using namespace tile;

namespace {
constexpr std::string_view names[] = {"a", "b", "q_len"};
constexpr int64_t largest = std::numeric_limits<int64_t>::max();

int64_t valueOf(std::string_view text, int64_t a = 7, int64_t b = 3, int64_t qLen = 4096) {
  Result<Expr> expr = Expr::parse(text, names);
  EXPECT_TRUE(expr.ok()) << expr.message();
  if (!expr.ok())
    return -1;
  int64_t values[] = {a, b, qLen};
  Result<int64_t> value = expr->evaluate(values, 132);
  EXPECT_TRUE(value.ok()) << value.message();
  return value.ok() ? *value : -1;
}

std::string parseError(std::string_view text) { return Expr::parse(text, names).message(); }

std::string evaluateError(std::string_view text, int64_t a, int64_t b) {
  Result<Expr> expr = Expr::parse(text, names);
  EXPECT_TRUE(expr.ok()) << expr.message();
  int64_t values[] = {a, b, 0};
  return expr->evaluate(values, 132).message();
}
} // namespace

TEST(Expr, Values) {
  EXPECT_EQ(valueOf("128"), 128);
  EXPECT_EQ(valueOf(" q_len "), 4096);
  EXPECT_EQ(valueOf("a + b * 2"), 13);
  EXPECT_EQ(valueOf("(a + b) * 2"), 20);
  EXPECT_EQ(valueOf("a - b - 1"), 3);
  EXPECT_EQ(valueOf("ceildiv(q_len, 128)"), 32);
  EXPECT_EQ(valueOf("ceildiv(q_len + 1, 128)"), 33);
  EXPECT_EQ(valueOf("ceildiv(0, 128)"), 0);
  EXPECT_EQ(valueOf("floordiv(a, b)"), 2);
  EXPECT_EQ(valueOf("mod(a, b)"), 1);
  EXPECT_EQ(valueOf("min(a, max(b, 5))"), 5);
  EXPECT_EQ(valueOf("min(sm_count() * 2, q_len)"), 264);
}

TEST(Expr, DivisionRoundsTowardsItsName) {
  EXPECT_EQ(valueOf("floordiv(b - a, b)"), -2); // -4 / 3
  EXPECT_EQ(valueOf("ceildiv(b - a, b)"), -1);
  EXPECT_EQ(valueOf("mod(b - a, b)"), 2);
}

TEST(Expr, Kinds) {
  EXPECT_EQ(Expr::parse("b", names)->asName(), 1u);
  EXPECT_EQ(Expr::parse("b + 0", names)->asName(), std::nullopt);
  EXPECT_EQ(Expr::parse("64", names)->asConstant(), 64);
  EXPECT_EQ(Expr::parse("b", names)->asConstant(), std::nullopt);
  EXPECT_EQ(Expr::parse("q_len * a + q_len", names)->usedNames(), (std::vector<unsigned>{2, 0}));
  EXPECT_TRUE(Expr::parse("1 + sm_count()", names)->usesSmCount());
  EXPECT_FALSE(Expr::parse("1 + a", names)->usesSmCount());
}

TEST(Expr, ParseErrors) {
  EXPECT_EQ(parseError(""),
            "in the expression '': expected a name, an integer or '(', found the end");
  EXPECT_EQ(parseError("a b"),
            "in the expression 'a b': expected an operator or the end, found 'b'");
  EXPECT_EQ(parseError("a +"),
            "in the expression 'a +': expected a name, an integer or '(', found the end");
  EXPECT_EQ(parseError("(a"), "in the expression '(a': expected ')', found the end");
  EXPECT_EQ(parseError("min(a)"), "in the expression 'min(a)': expected ',', found ')'");
  EXPECT_EQ(parseError("a / b"),
            "in the expression 'a / b': expected an operator or the end, found '/ b'");
  EXPECT_EQ(parseError("kv_len"),
            "in the expression 'kv_len': unknown name 'kv_len'; known are a, b, q_len");
  EXPECT_EQ(parseError("div(a, b)"), "in the expression 'div(a, b)': unknown function 'div'; known "
                                     "are ceildiv, floordiv, mod, min, max, items, reciprocal, "
                                     "sm_count");
  EXPECT_EQ(parseError("9223372036854775808"),
            "in the expression '9223372036854775808': integer does not fit 64 bits");
}

TEST(Expr, DeepNestingIsAnError) {
  std::string parentheses = std::string(100000, '(') + "a" + std::string(100000, ')');
  EXPECT_NE(parseError(parentheses).find("nested too deeply"), std::string::npos);
  std::string calls;
  for (int i = 0; i < 100000; ++i)
    calls += "min(a, ";
  EXPECT_NE(parseError(calls).find("nested too deeply"), std::string::npos);
}

TEST(Expr, EvaluateErrors) {
  EXPECT_EQ(evaluateError("ceildiv(a, b)", 1, 0),
            "in the expression 'ceildiv(a, b)': division by 0");
  EXPECT_EQ(evaluateError("mod(a, b)", 1, -2), "in the expression 'mod(a, b)': division by -2");
  EXPECT_EQ(evaluateError("a * b", largest, 2),
            "in the expression 'a * b': the value does not fit 64 bits");
  EXPECT_EQ(evaluateError("a + b", largest, 1),
            "in the expression 'a + b': the value does not fit 64 bits");
}

TEST(Expr, WorkItemsAreLimited) {
  EXPECT_EQ(valueOf("items(a, b)"), 21);
  EXPECT_EQ(valueOf("items(1, 2147483647)"), 2147483647);
  EXPECT_EQ(valueOf("items(a, 0)"), 0);
  constexpr auto *expression = "min(items(items(1, a), b), 132)";
  const std::string in = "in the expression '" + std::string(expression) + "': expected ";
  EXPECT_EQ(evaluateError(expression, 65536, 32768),
            in + "at most 2147483647 work items, found more at 32768");
  EXPECT_EQ(evaluateError(expression, largest, 1),
            in + "at most 2147483647 work items, found more at 9223372036854775807");
  // As extents of a grid that is not persistent, both are refused, though their product is none.
  EXPECT_EQ(evaluateError(expression, -3, -4),
            in + "a non-negative number of work items, found -3");
  EXPECT_EQ(evaluateError(expression, 3, -4), in + "a non-negative number of work items, found -4");
}
