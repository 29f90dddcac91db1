//===- Index.h - device integers for addresses and loops --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_INDEX_H
#define TILE_DSL_INDEX_H

#include "tile/dsl/Value.h"

namespace tile::inline dsl {

template <detail::ElementType T> class Fragment;
class Index;

namespace detail {
enum class Binary : uint8_t { add, sub, mul, div, rem, min, max, bitAnd, bitOr, bitXor, shl, shr };
enum class Compare : uint8_t { eq, ne, lt, le, gt, ge };

Variable indexBinary(Binary operation, const Input &a, const Input &b);
Variable indexCompare(Compare predicate, const Input &a, const Input &b);
Variable clampIndex(const Input &x, const Input &low, const Input &high);
} // namespace detail

/// Where an Index is expected: an Index, an integer or a Dim.
struct IndexOperand : detail::Input {
  IndexOperand(const Index &index, Loc loc = Loc::current());
  IndexOperand(const Dim &dim, Loc loc = Loc::current()) : Input{dim, loc} {}
  template <std::integral N>
    requires(!std::same_as<N, bool>)
  IndexOperand(N value, Loc loc = Loc::current()) : Input{static_cast<int64_t>(value), loc} {}
};

/// A 64-bit integer of the device, the same in the whole CTA: a program id, a loop counter, an
/// entry of a list. Division and remainder truncate, as in C++. Bits.h says what a division by 0
/// and a shift by 64 or more give, and has the unsigned operations.
class Index : public detail::Variable {
public:
  Index() = default;
  explicit Index(detail::Variable variable) : Variable(std::move(variable)) {}

#define TILE_INDEX_OPERATOR(SYMBOL, NAME)                                                          \
  friend Index operator SYMBOL(const IndexOperand &a, const IndexOperand &b) {                     \
    return Index(detail::indexBinary(detail::Binary::NAME, a, b));                                 \
  }                                                                                                \
  Index &operator SYMBOL## = (const IndexOperand &b) {                                             \
    return *this = Index(detail::indexBinary(detail::Binary::NAME, {*this, b.loc}, b));            \
  }
  TILE_INDEX_OPERATOR(+, add)
  TILE_INDEX_OPERATOR(-, sub)
  TILE_INDEX_OPERATOR(*, mul)
  TILE_INDEX_OPERATOR(/, div)
  TILE_INDEX_OPERATOR(%, rem)
  TILE_INDEX_OPERATOR(&, bitAnd)
  TILE_INDEX_OPERATOR(|, bitOr)
  TILE_INDEX_OPERATOR(^, bitXor)
  TILE_INDEX_OPERATOR(<<, shl)
  TILE_INDEX_OPERATOR(>>, shr)
#undef TILE_INDEX_OPERATOR
  // Defined in Fragment.h: a comparison gives a scalar of the device, for `k.when` and `where`.
  friend Fragment<i1> operator==(const IndexOperand &a, const IndexOperand &b);
  friend Fragment<i1> operator!=(const IndexOperand &a, const IndexOperand &b);
  friend Fragment<i1> operator<(const IndexOperand &a, const IndexOperand &b);
  friend Fragment<i1> operator<=(const IndexOperand &a, const IndexOperand &b);
  friend Fragment<i1> operator>(const IndexOperand &a, const IndexOperand &b);
  friend Fragment<i1> operator>=(const IndexOperand &a, const IndexOperand &b);

  friend Index min(const IndexOperand &a, const IndexOperand &b) {
    return Index(detail::indexBinary(detail::Binary::min, a, b));
  }
  friend Index max(const IndexOperand &a, const IndexOperand &b) {
    return Index(detail::indexBinary(detail::Binary::max, a, b));
  }
  /// `x` brought into [low, high]; low <= high.
  friend Index clamp(const IndexOperand &x, const IndexOperand &low, const IndexOperand &high) {
    return Index(detail::clampIndex(x, low, high));
  }
  /// a / b rounded up; a >= 0, b >= 1.
  friend Index ceil_div(const IndexOperand &a, const IndexOperand &b) {
    return (Index(detail::indexBinary(detail::Binary::add, a, b)) - IndexOperand(1, a.loc)) / b;
  }
};

inline IndexOperand::IndexOperand(const Index &index, Loc loc) : Input{index, loc} {}

} // namespace tile::inline dsl

#endif // TILE_DSL_INDEX_H
