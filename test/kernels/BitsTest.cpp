//===- BitsTest.cpp - integers, shifts, bit patterns, exactly -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernels of ops/Bits.cpp on every pair of a list of numbers with all the edges.

#include "Harness.h"

#include <bit>
#include <cstring>

using namespace tile::test;
using tile::DType;

namespace {
int widthOf(DType dtype) { return static_cast<int>(8 * tile::byteSize(dtype)); }

/// The low bits of `value` as a signed number.
int64_t cut(uint64_t value, int width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// Integers exactly: a double does not hold all of 64 bits.
void put(GuardedTensor &tensor, int64_t element, int64_t value) {
  std::memcpy(tensor.address(element), &value, tile::byteSize(tensor.dtype()));
}
int64_t take(const GuardedTensor &tensor, int64_t element) {
  uint64_t value = 0;
  std::memcpy(&value, tensor.address(element), tile::byteSize(tensor.dtype()));
  return cut(value, widthOf(tensor.dtype()));
}

/// 0, small ones, powers of two and their neighbours, the ends, and some others.
std::vector<int64_t> edges(int width, Random &random) {
  std::vector<int64_t> values;
  for (int64_t value : {0, 1, -1, 2, -2, 3, 7, -7, 31, 32, 33, 63, 64, 65, 100})
    values.push_back(cut(static_cast<uint64_t>(value), width));
  for (int bit = 3; bit < width; bit += 5)
    for (int64_t near : {-1, 0, 1})
      values.push_back(cut((uint64_t(1) << bit) + static_cast<uint64_t>(near), width));
  for (uint64_t end : {uint64_t(1) << (width - 1), (uint64_t(1) << (width - 1)) - 1,
                       (uint64_t(1) << (width - 1)) + 1})
    values.push_back(cut(end, width));
  for (int i = 0; i < 6; ++i)
    values.push_back(cut(random(), width));
  return values;
}

/// In the order of `arithmetic` in ops/Bits.cpp.
constexpr int64_t operations = 15;

/// What the language says the operation gives, in numbers of `width` bits.
int64_t expectedOf(int64_t operation, int64_t x, int64_t y, int width) {
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  uint64_t a = static_cast<uint64_t>(x) & mask, b = static_cast<uint64_t>(y) & mask;
  auto count = static_cast<uint64_t>(width);
  auto result = [&]() -> uint64_t {
    switch (operation) {
    case 0:
      return y == 0 ? 0 : y == -1 ? 0 - a : static_cast<uint64_t>(x / y);
    case 1:
      return y == 0 ? a : y == -1 ? 0 : static_cast<uint64_t>(x % y);
    case 2:
      return b == 0 ? 0 : a / b;
    case 3:
      return b == 0 ? a : a % b;
    case 4:
      return std::min(a, b);
    case 5:
      return std::max(a, b);
    case 6:
      return b < count ? a << b : 0;
    case 7:
      return static_cast<uint64_t>(x >> (b < count ? b : count - 1));
    case 8:
      return b < count ? a >> b : 0;
    case 9:
      return a < b;
    case 10:
      return a <= b;
    case 11:
      return b < count ? a >> b & 1 : 0;
    case 12:
      return static_cast<uint64_t>(std::popcount(a));
    case 13:
      return static_cast<uint64_t>(std::countl_zero(a)) - (64 - count);
    default:
      return a == 0 ? count : static_cast<uint64_t>(std::countr_zero(a));
    }
  };
  return cut(result(), width);
}

class IntegerPairs : public KernelTest {};

TEST_P(IntegerPairs, OfAllEdges) {
  int width = widthOf(variant().dtype());
  std::vector<int64_t> values = edges(width, random);
  auto count = static_cast<int64_t>(values.size());
  GuardedTensor x(variant().dtype(), {count}), y(variant().dtype(), {count});
  GuardedTensor o(variant().dtype(), {operations, count, count});
  for (int64_t i = 0; i < count; ++i) {
    put(x, i, values[i]);
    put(y, i, values[i]);
  }
  EXPECT_OK(run(variant(), {x, y, o}));
  for (int64_t i = 0; i < o.elements(); ++i) {
    int64_t a = values[i / count % count], b = values[i % count], operation = i / count / count;
    ASSERT_EQ(take(o, i), expectedOf(operation, a, b, width))
        << "operation " << operation << " of " << a << ", " << b;
  }
}
TILE_INSTANTIATE(IntegerPairs, "integer_pairs");

class IntegerScalars : public KernelTest {};

TEST_P(IntegerScalars, OfAllEdges) {
  std::vector<int64_t> values = edges(64, random);
  auto side = static_cast<int64_t>(values.size());
  GuardedTensor x(DType::i64, {side * side}), y(DType::i64, {side * side});
  GuardedTensor o(DType::i64, {operations, side * side});
  for (int64_t i = 0; i < side * side; ++i) {
    put(x, i, values[i / side]);
    put(y, i, values[i % side]);
  }
  EXPECT_OK(run(variant(), {x, y, o}));
  for (int64_t i = 0; i < o.elements(); ++i) {
    int64_t a = take(x, i % (side * side)), b = take(y, i % (side * side));
    int64_t operation = i / (side * side);
    ASSERT_EQ(take(o, i), expectedOf(operation, a, b, 64))
        << "operation " << operation << " of " << a << ", " << b;
  }
}
TILE_INSTANTIATE(IntegerScalars, "integer_scalars");

class FlipSign : public KernelTest {};

TEST_P(FlipSign, BitsOfEveryKindOfNumber) {
  DType type = variant().dtype();
  int width = widthOf(type);
  DType integer = width == 32 ? DType::i32 : width == 16 ? DType::i16 : DType::i8;
  // All of them, or a sample with both zeros, denormals, infinities and NaN.
  int64_t count = width == 32 ? 5000 : int64_t(1) << width;
  GuardedTensor x(type, {count}), bits(integer, {count}), wide(DType::i64, {count});
  GuardedTensor value(DType::f32, {count}), o(type, {count});
  for (int64_t i = 0; i < count; ++i)
    put(x, i, width == 32 ? static_cast<int64_t>(random() * (i % 3 + 1) << (i % 20)) : i);
  for (auto [at, word] : {std::pair(0, 0u),
                          {1, 0x80000000u},
                          {2, 0x7f800000u},
                          {3, 1u},
                          {4, 0x7fc12345u},
                          {5, 0xff800001u}})
    if (width == 32)
      put(x, at, word);
  EXPECT_OK(run(variant(), {x, bits, wide, value, o}));
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t word = static_cast<uint64_t>(take(x, i)) & mask;
    ASSERT_EQ(static_cast<uint64_t>(take(bits, i)) & mask, word);
    ASSERT_EQ(static_cast<uint64_t>(take(wide, i)), word);
    ASSERT_EQ(value.get(i), static_cast<double>(static_cast<float>(word))) << word;
    ASSERT_EQ(static_cast<uint64_t>(take(o, i)) & mask, word ^ (uint64_t(1) << (width - 1)));
  }
}
TILE_INSTANTIATE(FlipSign, "flip_sign");

class UnpackMask : public KernelTest {};

TEST_P(UnpackMask, WordsOfThirtyTwo) {
  for (auto [rows, words] :
       {std::pair(1, 1), std::pair(5, 8), std::pair(13, 19), std::pair(3, 0)}) {
    GuardedTensor x(DType::i32, {rows, words}), o(DType::i8, {rows, words, 32});
    GuardedTensor count(DType::i32, {rows});
    for (int64_t i = 0; i < x.elements(); ++i)
      put(x, i, i == 0 ? -1 : static_cast<int64_t>(random()));
    EXPECT_OK(run(variant(), {x, o, count}));
    std::vector<double> ones(rows, 0.0);
    for (int64_t i = 0; i < o.elements(); ++i) {
      auto bit = static_cast<double>(static_cast<uint64_t>(take(x, i / 32)) >> (i % 32) & 1);
      ASSERT_EQ(o.get(i), bit) << i;
      ones[i / 32 / words] += bit;
    }
    EXPECT_EQ(count.values(), ones);
  }
}
TILE_INSTANTIATE(UnpackMask, "unpack_mask");
} // namespace
