//===- Bits.cpp - every operation on integers and bits --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For BitsTest.cpp.

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Empty {};
TILE_CONFIG(Empty);

/// The operations in the order of BitsTest.cpp.
constexpr int operations = 15;

template <class T, class A, class B> Fragment<T> arithmetic(int operation, const A &x, const B &y) {
  switch (operation) {
  case 0:
    return x / y;
  case 1:
    return x % y;
  case 2:
    return unsigned_div(x, y);
  case 3:
    return unsigned_rem(x, y);
  case 4:
    return unsigned_min(x, y);
  case 5:
    return unsigned_max(x, y);
  case 6:
    return x << y;
  case 7:
    return x >> y;
  case 8:
    return shift_right_logical(x, y);
  case 9:
    return cast<T>(unsigned_less(x, y));
  case 10:
    return cast<T>(unsigned_less_equal(x, y));
  case 11:
    return cast<T>(test_bit(x, y));
  case 12:
    return popcount(x) + (y & 0);
  case 13:
    return leading_zeros(x) + (y & 0);
  default:
    return trailing_zeros(x) + (y & 0);
  }
}

/// o[operation, i, j] = operation(x[i], y[j]) on tiles; past the end, x and y read as 0.
template <class T> void integer_pairs(Kernel &k, const Empty &) {
  Dim rows("rows"), cols("cols");
  auto X = k.input<T>("x", {rows});
  auto Y = k.input<T>("y", {cols});
  auto O = k.output<T>("o", {operations, rows, cols});
  Axis r("r", 16), c("c", 32);
  auto [j, i] = k.grid(ceil_div(cols, 32), ceil_div(rows, 16));
  auto x = load(X(r.at(i))), y = load(Y(c.at(j)));
  for (int operation = 0; operation < operations; ++operation)
    store(arithmetic<T>(operation, x, y), O(operation, r.at(i), c.at(j)));
}
TILE_KERNEL(integer_pairs, Empty, i32, i8, i16, i64);

/// The same on numbers of the whole CTA.
template <class T> void integer_scalars(Kernel &k, const Empty &) {
  Dim count("count");
  auto X = k.input<T>("x", {count});
  auto Y = k.input<T>("y", {count});
  auto O = k.output<T>("o", {operations, count});
  auto [i] = k.grid(count);
  Index x = X(i), y = Y(i), less = k.index(0), lessEqual = k.index(0);
  k.when(unsigned_less(x, y), [&] { less = k.index(1); });
  k.when(unsigned_less_equal(x, y), [&] { lessEqual = k.index(1); });
  const Index results[] = {x / y,
                           x % y,
                           unsigned_div(x, y),
                           unsigned_rem(x, y),
                           unsigned_min(x, y),
                           unsigned_max(x, y),
                           x << y,
                           x >> y,
                           shift_right_logical(x, y),
                           less,
                           lessEqual,
                           shift_right_logical(x, y) & 1,
                           popcount(x),
                           leading_zeros(x),
                           trailing_zeros(x)};
  for (int operation = 0; operation < operations; ++operation)
    store(results[operation], O.at({operation, i}));
}
TILE_KERNEL(integer_scalars, Empty, i64);

/// Bits of T as an integer and back, its sign bit flipped; an integer's value as unsigned.
template <class T, class I> void flip_signs(Kernel &k, int signBit) {
  Dim count("count");
  auto X = k.input<T>("x", {count});
  auto Bits = k.output<I>("bits", {count});
  auto Wide = k.output<i64>("wide", {count});
  auto Value = k.output<f32>("value", {count});
  auto O = k.output<T>("o", {count});
  Axis n("n", 64);
  auto [i] = k.grid(ceil_div(count, 64));
  auto bits = bitcast<I>(load(X(n.at(i))));
  store(bits, Bits(n.at(i)));
  store(unsigned_cast<i64>(bits), Wide(n.at(i)));
  store(unsigned_cast<f32>(bits), Value(n.at(i)));
  store(bitcast<T>(bits ^ (k.fragment<I>({}, 1) << signBit)), O(n.at(i)));
}
template <class T> void flip_sign(Kernel &k, const Empty &) {
  if constexpr (std::same_as<T, f32>)
    flip_signs<T, i32>(k, 31);
  else if constexpr (std::same_as<T, e4m3> || std::same_as<T, e5m2>)
    flip_signs<T, i8>(k, 7);
  else
    flip_signs<T, i16>(k, 15);
}
TILE_KERNEL(flip_sign, Empty, f32, f16, bf16, e4m3, e5m2);

/// Masks packed into words of 32: o[i, w, bit] = that bit of x[i, w].
template <class T> void unpack_mask(Kernel &k, const Empty &) {
  Dim rows("rows"), words("words");
  auto X = k.input<T>("x", {rows, words});
  auto O = k.output<i8>("o", {rows, words, 32});
  auto Count = k.output<i32>("count", {rows});
  Axis r("r", 4), w("w", 8), bit("bit", 32);
  auto [i] = k.grid(ceil_div(rows, 4));
  auto count = k.fragment<i32>({r}, 0);
  k.loop(ceil_div(words, 8), [&](Index j) {
    auto packed = load(X(r.at(i), w.at(j)));
    store(cast<i8>(test_bit(packed, k.iota(bit))), O(r.at(i), w.at(j), bit));
    count += reduce_sum(popcount(packed), w);
  });
  store(count, Count(r.at(i)));
}
TILE_KERNEL(unpack_mask, Empty, i32);
} // namespace
