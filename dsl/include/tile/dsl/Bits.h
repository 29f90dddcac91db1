//===- Bits.h - unsigned arithmetic, shifts, bit patterns -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Integers have no sign of their own: the operators of Fragment and Index read them as signed, the
// functions here as unsigned. Every operation is defined for all operands:
//   - a shift by the width or more (or by a negative count) shifts everything out: 0 is left, of
//     `>>` the sign;
//   - a quotient by 0 is 0 and its remainder the dividend; the lowest number divided by -1 is
//     itself.

#ifndef TILE_DSL_BITS_H
#define TILE_DSL_BITS_H

#include "tile/dsl/Fragment.h"

namespace tile::inline dsl {

namespace detail {
enum class Unsigned : uint8_t { div, rem, min, max, shr };
enum class BitCount : uint8_t { ones, leadingZeros, trailingZeros };

Variable unsignedBinary(Unsigned operation, Element element, const Input &a, const Input &b);
/// Less, or less or equal.
Variable unsignedCompare(bool orEqual, Element element, const Input &a, const Input &b);
Variable countBits(BitCount what, const Input &x);
Variable unsignedCast(Element from, Element to, const Input &x);
Variable unsignedIndex(Element from, const Input &x);
Variable bitcast(Element to, const Variable &x, Loc loc);
Variable testBit(Element element, const Input &word, const Input &position);

template <Element E> inline constexpr int widthOf = 0;
template <> inline constexpr int widthOf<Element::f32> = 32;
template <> inline constexpr int widthOf<Element::i32> = 32;
template <> inline constexpr int widthOf<Element::f16> = 16;
template <> inline constexpr int widthOf<Element::bf16> = 16;
template <> inline constexpr int widthOf<Element::i16> = 16;
template <> inline constexpr int widthOf<Element::e4m3> = 8;
template <> inline constexpr int widthOf<Element::e5m2> = 8;
template <> inline constexpr int widthOf<Element::i8> = 8;
template <> inline constexpr int widthOf<Element::i64> = 64;

template <class T>
concept Number = IntegerElement<T> || std::same_as<T, f32>;
/// Elements of the same number of bits.
template <class To, class From>
concept SameWidth = ElementType<To> && ElementType<From> && widthOf<elementOf<To>> != 0 &&
                    widthOf<elementOf<To>> == widthOf<elementOf<From>>;
} // namespace detail

#define TILE_UNSIGNED(NAME, OPERATION)                                                             \
  template <detail::IntegerElement T>                                                              \
  Fragment<T> NAME(const Fragment<T> &a, const std::type_identity_t<Operand<T>> &b,                \
                   Loc loc = Loc::current()) {                                                     \
    return Fragment<T>(                                                                            \
        detail::unsignedBinary(detail::Unsigned::OPERATION, detail::elementOf<T>, {a, loc}, b));   \
  }                                                                                                \
  inline Index NAME(const IndexOperand &a, const IndexOperand &b) {                                \
    return Index(detail::unsignedBinary(detail::Unsigned::OPERATION, detail::Element::i64, a, b)); \
  }
TILE_UNSIGNED(unsigned_div, div)
TILE_UNSIGNED(unsigned_rem, rem)
TILE_UNSIGNED(unsigned_min, min)
TILE_UNSIGNED(unsigned_max, max)
/// Zeros come in from the left.
TILE_UNSIGNED(shift_right_logical, shr)
#undef TILE_UNSIGNED

#define TILE_UNSIGNED_COMPARISON(NAME, OR_EQUAL)                                                   \
  template <detail::IntegerElement T>                                                              \
  Fragment<i1> NAME(const Fragment<T> &a, const std::type_identity_t<Operand<T>> &b,               \
                    Loc loc = Loc::current()) {                                                    \
    return Fragment<i1>(detail::unsignedCompare(OR_EQUAL, detail::elementOf<T>, {a, loc}, b));     \
  }                                                                                                \
  inline Fragment<i1> NAME(const IndexOperand &a, const IndexOperand &b) {                         \
    return Fragment<i1>(detail::unsignedCompare(OR_EQUAL, detail::Element::i64, a, b));            \
  }
TILE_UNSIGNED_COMPARISON(unsigned_less, false)
TILE_UNSIGNED_COMPARISON(unsigned_less_equal, true)
#undef TILE_UNSIGNED_COMPARISON

/// popcount: how many bits are 1. leading_zeros: how many above the highest 1, trailing_zeros: how
/// many below the lowest 1, which is that bit's number; the width where no bit is 1.
#define TILE_BIT_COUNT(NAME, WHAT)                                                                 \
  template <detail::IntegerElement T>                                                              \
  Fragment<T> NAME(const Fragment<T> &x, Loc loc = Loc::current()) {                               \
    return Fragment<T>(detail::countBits(detail::BitCount::WHAT, {x, loc}));                       \
  }                                                                                                \
  inline Index NAME(const Index &x, Loc loc = Loc::current()) {                                    \
    return Index(detail::countBits(detail::BitCount::WHAT, {x, loc}));                             \
  }
TILE_BIT_COUNT(popcount, ones)
TILE_BIT_COUNT(leading_zeros, leadingZeros)
TILE_BIT_COUNT(trailing_zeros, trailingZeros)
#undef TILE_BIT_COUNT

/// Bit number `position` of each word, bit 0 the lowest; false where there is no such bit. A mask
/// packed into 32-bit words: `test_bit(words, k.iota(bit))` has an axis more.
template <detail::IntegerElement T>
Fragment<i1> test_bit(const Fragment<T> &word, const std::type_identity_t<Operand<T>> &position,
                      Loc loc = Loc::current()) {
  return Fragment<i1>(detail::testBit(detail::elementOf<T>, {word, loc}, position));
}

/// Converts an integer that is read as unsigned: wider ones get zeros, narrower ones keep the low
/// bits, f32 its value.
template <detail::Number To, detail::IntegerElement From>
Fragment<To> unsigned_cast(const Fragment<From> &x, Loc loc = Loc::current()) {
  return Fragment<To>(
      detail::unsignedCast(detail::elementOf<From>, detail::elementOf<To>, {x, loc}));
}
/// A scalar that is read as unsigned as an Index.
template <detail::IntegerElement From>
Index unsigned_index(const Fragment<From> &scalar, Loc loc = Loc::current()) {
  return Index(detail::unsignedIndex(detail::elementOf<From>, {scalar, loc}));
}

/// The same bits as another type of the same width.
template <detail::ElementType To, detail::ElementType From>
  requires detail::SameWidth<To, From>
Fragment<To> bitcast(const Fragment<From> &x, Loc loc = Loc::current()) {
  return Fragment<To>(detail::bitcast(detail::elementOf<To>, x, loc));
}

} // namespace tile::inline dsl

#endif // TILE_DSL_BITS_H
