//===- Fragment.h - tiles in registers --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_FRAGMENT_H
#define TILE_DSL_FRAGMENT_H

#include "tile/dsl/Index.h"

namespace tile::inline dsl {

namespace detail {
Variable binary(Binary operation, Element element, const Input &a, const Input &b);
Variable compare(Compare predicate, Element element, const Input &a, const Input &b);
Variable negate(Element element, const Input &a);
Variable select(Element element, const Input &condition, const Input &a, const Input &b);
} // namespace detail

/// Where a Fragment<T> is expected: a fragment, or a number, which stands for a tile full of it;
/// for integer elements also an Index or a Dim (brought into the range of T).
template <detail::ElementType T> struct Operand : detail::Input {
  Operand(const Fragment<T> &fragment, Loc loc = Loc::current());
  template <class N>
    requires detail::LiteralOf<N, T>
  Operand(N value, Loc loc = Loc::current()) : Input{literal(value), loc} {}
  Operand(const Index &index, Loc loc = Loc::current())
    requires detail::IntegerElement<T>
      : Input{index, loc} {}
  Operand(const Dim &dim, Loc loc = Loc::current())
    requires detail::IntegerElement<T>
      : Input{dim, loc} {}

private:
  template <class N> static std::variant<int64_t, double, Dim, detail::Variable> literal(N value) {
    if constexpr (std::integral<N>)
      return static_cast<int64_t>(value);
    else
      return static_cast<double>(value);
  }
};

/// A tile of T in registers, or a scalar if it has no axes. Operands of different axes broadcast;
/// the result has the axes of both. It has no conversion to bool: `where` chooses per element,
/// `k.when` branches on a scalar. Bits.h says what a division by 0 and a shift by the width or more
/// give, and has the unsigned operations.
template <detail::ElementType T> class Fragment : public detail::Variable {
  static constexpr detail::Element element = detail::elementOf<T>;

public:
  Fragment() = default;
  explicit Fragment(detail::Variable variable) : Variable(std::move(variable)) {}

#define TILE_OPERATOR(SYMBOL, NAME, REQUIRES)                                                      \
  friend Fragment operator SYMBOL(const Operand<T> &a, const Operand<T> &b)                        \
    requires REQUIRES<T>                                                                           \
  {                                                                                                \
    return Fragment(detail::binary(detail::Binary::NAME, element, a, b));                          \
  }                                                                                                \
  Fragment &operator SYMBOL## = (const Operand<T> &b)                                              \
    requires REQUIRES<T>                                                                           \
  {                                                                                                \
    return *this = Fragment(detail::binary(detail::Binary::NAME, element, {*this, b.loc}, b));     \
  }
  TILE_OPERATOR(+, add, detail::Arithmetic)
  TILE_OPERATOR(-, sub, detail::Arithmetic)
  TILE_OPERATOR(*, mul, detail::Arithmetic)
  TILE_OPERATOR(/, div, detail::Arithmetic)
  TILE_OPERATOR(%, rem, detail::IntegerElement)
  TILE_OPERATOR(&, bitAnd, detail::Bits)
  TILE_OPERATOR(|, bitOr, detail::Bits)
  TILE_OPERATOR(^, bitXor, detail::Bits)
  TILE_OPERATOR(<<, shl, detail::IntegerElement)
  TILE_OPERATOR(>>, shr, detail::IntegerElement)
#undef TILE_OPERATOR
#define TILE_COMPARISON(SYMBOL, NAME)                                                              \
  friend Fragment<i1> operator SYMBOL(const Operand<T> &a, const Operand<T> &b)                    \
    requires detail::Arithmetic<T>                                                                 \
  {                                                                                                \
    return Fragment<i1>(detail::compare(detail::Compare::NAME, element, a, b));                    \
  }
  TILE_COMPARISON(==, eq)
  TILE_COMPARISON(!=, ne)
  TILE_COMPARISON(<, lt)
  TILE_COMPARISON(<=, le)
  TILE_COMPARISON(>, gt)
  TILE_COMPARISON(>=, ge)
#undef TILE_COMPARISON

  friend Fragment operator-(const Operand<T> &a)
    requires detail::Arithmetic<T>
  {
    return Fragment(detail::negate(element, a));
  }
  friend Fragment operator!(const Operand<T> &a)
    requires std::same_as<T, i1>
  {
    return Fragment(detail::negate(element, a));
  }

  /// The operand that is a number wins over NaN.
  friend Fragment max(const Operand<T> &a, const Operand<T> &b)
    requires detail::Arithmetic<T>
  {
    return Fragment(detail::binary(detail::Binary::max, element, a, b));
  }
  friend Fragment min(const Operand<T> &a, const Operand<T> &b)
    requires detail::Arithmetic<T>
  {
    return Fragment(detail::binary(detail::Binary::min, element, a, b));
  }
  /// a where the condition holds, b elsewhere, element by element.
  friend Fragment where(const Operand<i1> &condition, const Operand<T> &a, const Operand<T> &b) {
    return Fragment(detail::select(element, condition, a, b));
  }
};

template <detail::ElementType T>
inline Operand<T>::Operand(const Fragment<T> &fragment, Loc loc) : Input{fragment, loc} {}

#define TILE_INDEX_COMPARISON(SYMBOL, NAME)                                                        \
  inline Fragment<i1> operator SYMBOL(const IndexOperand &a, const IndexOperand &b) {              \
    return Fragment<i1>(detail::indexCompare(detail::Compare::NAME, a, b));                        \
  }
TILE_INDEX_COMPARISON(==, eq)
TILE_INDEX_COMPARISON(!=, ne)
TILE_INDEX_COMPARISON(<, lt)
TILE_INDEX_COMPARISON(<=, le)
TILE_INDEX_COMPARISON(>, gt)
TILE_INDEX_COMPARISON(>=, ge)
#undef TILE_INDEX_COMPARISON

/// Two numbers: the result is f32.
inline Fragment<f32> where(const Operand<i1> &condition, double a, double b) {
  return Fragment<f32>(
      detail::select(detail::Element::f32, condition, {a, condition.loc}, {b, condition.loc}));
}

} // namespace tile::inline dsl

#endif // TILE_DSL_FRAGMENT_H
