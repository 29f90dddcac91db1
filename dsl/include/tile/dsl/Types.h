//===- Types.h - element types and source locations -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_TYPES_H
#define TILE_DSL_TYPES_H

#include <concepts>
#include <cstdint>
#include <limits>
#include <source_location>
#include <string>

/// The embedded language. Everything lives in `tile::dsl`, an inline namespace: kernels write
/// `using namespace tile`, and the runtime's `tile::Kernel` stays another symbol.
namespace tile::inline dsl {

/// The author's line. Functions take `Loc loc = Loc::current()` last.
using Loc = std::source_location;

// Element types. The small floats and i1 only name a type; they hold no value on the host.
using f32 = float;
struct f16 {};
struct bf16 {};
struct e4m3 {};
struct e5m2 {};
struct i1 {};
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;

inline constexpr double inf = std::numeric_limits<double>::infinity();
inline constexpr double log2e = 1.4426950408889634074;
inline constexpr double ln2 = 0.6931471805599453094;

namespace detail {

enum class Element : uint8_t { f32, f16, bf16, e4m3, e5m2, i1, i8, i16, i32, i64 };

template <class T> struct ElementTraits {
  static constexpr bool known = false;
};
template <Element E> struct KnownElement {
  static constexpr bool known = true;
  static constexpr Element value = E;
};
template <> struct ElementTraits<f32> : KnownElement<Element::f32> {};
template <> struct ElementTraits<f16> : KnownElement<Element::f16> {};
template <> struct ElementTraits<bf16> : KnownElement<Element::bf16> {};
template <> struct ElementTraits<e4m3> : KnownElement<Element::e4m3> {};
template <> struct ElementTraits<e5m2> : KnownElement<Element::e5m2> {};
template <> struct ElementTraits<i1> : KnownElement<Element::i1> {};
template <> struct ElementTraits<i8> : KnownElement<Element::i8> {};
template <> struct ElementTraits<i16> : KnownElement<Element::i16> {};
template <> struct ElementTraits<i32> : KnownElement<Element::i32> {};
template <> struct ElementTraits<i64> : KnownElement<Element::i64> {};

template <class T>
concept ElementType = ElementTraits<T>::known;
template <class T>
concept IntegerElement =
    std::same_as<T, i8> || std::same_as<T, i16> || std::same_as<T, i32> || std::same_as<T, i64>;
/// What arithmetic runs on. Narrow floats are for memory and matrix products: cast to f32 first.
template <class T>
concept Arithmetic = std::same_as<T, f32> || IntegerElement<T>;
/// Floats of 8 bits.
template <class T>
concept Float8 = std::same_as<T, e4m3> || std::same_as<T, e5m2>;
/// Element types that a matrix product takes together.
template <class A, class B>
concept Multiplicands = std::same_as<A, B> || (Float8<A> && Float8<B>);
template <class T>
concept Bits = std::same_as<T, i1> || IntegerElement<T>;
/// A C++ number that may stand where a T is expected: no fraction for an integer, no bool.
template <class N, class T>
concept LiteralOf = std::is_arithmetic_v<N> && !std::same_as<N, bool> &&
                    (std::integral<N> || !IntegerElement<T>) && !std::same_as<T, i1>;

template <ElementType T> inline constexpr Element elementOf = ElementTraits<T>::value;

/// "bf16"
const char *name(Element element);

/// Ends the building of the kernel with an error at the author's line.
[[noreturn]] void fail(Loc loc, const std::string &message);

} // namespace detail
} // namespace tile::inline dsl

#endif // TILE_DSL_TYPES_H
