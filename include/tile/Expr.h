//===- Expr.h - launch-time integer expressions over named dimensions -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_EXPR_H
#define TILE_EXPR_H

#include "tile/Status.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tile {

/// An extent or a grid size: `ceildiv(q_len, 128) * heads`. Grammar:
///
///   sum     = product (("+" | "-") product)*
///   product = factor ("*" factor)*
///   factor  = integer | name | call | "(" sum ")"
///   call    = ("ceildiv" | "floordiv" | "mod" | "min" | "max" | "items") "(" sum "," sum ")"
///           | "reciprocal" "(" sum ")" | "sm_count()"
///
/// `items` is a product of numbers of work items: an error if one is negative, or above 2^31 - 1.
/// Parsed once, evaluated at every launch. The compiler checks its kernels with the same parser.
class Expr {
public:
  /// `names` are the declared dimensions; evaluate() takes their values in the same order.
  static Result<Expr> parse(std::string_view text, std::span<const std::string_view> names);

  /// The value, or an error on overflow, on division by less than 1, and where `items` is none.
  Result<int64_t> evaluate(std::span<const int64_t> values, int64_t smCount) const;

  /// Index of the name if the expression is nothing but a name.
  std::optional<unsigned> asName() const;
  /// The value if the expression is nothing but an integer.
  std::optional<int64_t> asConstant() const;
  /// Indices of the names that occur, each once, in order of first appearance.
  std::vector<unsigned> usedNames() const;
  bool usesSmCount() const;

  const std::string &text() const { return source; }

private:
  friend class ExprParser;
  enum class Op : uint8_t {
    constant,
    name,
    smCount,
    add,
    sub,
    mul,
    ceilDiv,
    floorDiv,
    mod,
    min,
    max,
    items,
    reciprocal // of tile/Reciprocal.h
  };
  struct Step {
    Op op;
    int64_t value = 0; // of a constant; index of a name
  };
  static Status apply(Op op, int64_t &left, int64_t right);

  std::string source;
  std::vector<Step> steps; // postfix
};

} // namespace tile

#endif // TILE_EXPR_H
