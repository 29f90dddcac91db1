//===- Overlap.cpp - which views share memory -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Plan.h"

#include <gtest/gtest.h>
#include <vector>

using namespace tile;

namespace {
char memory[1 << 16];

Tensor view(int64_t element, std::vector<int64_t> shape, std::vector<int64_t> strides) {
  return Tensor(memory + element * 4, DType::f32, std::span<const int64_t>(shape),
                std::span<const int64_t>(strides), Device::host);
}
} // namespace

TEST(Overlap, Ranges) {
  EXPECT_FALSE(mayOverlap(view(0, {8}, {1}), view(8, {8}, {1})));
  EXPECT_TRUE(mayOverlap(view(0, {9}, {1}), view(8, {8}, {1})));
  EXPECT_TRUE(mayOverlap(view(0, {4, 4}, {4, 1}), view(0, {4, 4}, {4, 1})));
}

TEST(Overlap, EmptyViewsShareNothing) {
  EXPECT_FALSE(mayOverlap(view(0, {0, 4}, {4, 1}), view(0, {4, 4}, {4, 1})));
}

TEST(Overlap, PartsOfAPackedTensorLieApart) {
  // [tokens, 3, heads, dim] = [8, 3, 2, 4]
  auto part = [](int64_t i) { return view(i * 8, {8, 2, 4}, {24, 4, 1}); };
  EXPECT_FALSE(mayOverlap(part(0), part(1)));
  EXPECT_FALSE(mayOverlap(part(2), part(0)));
  EXPECT_TRUE(mayOverlap(part(1), part(1)));
}

TEST(Overlap, ColumnsOfAMatrix) {
  EXPECT_FALSE(mayOverlap(view(0, {8, 16}, {32, 1}), view(16, {8, 16}, {32, 1})));
  EXPECT_TRUE(mayOverlap(view(0, {8, 17}, {32, 1}), view(16, {8, 16}, {32, 1})));
  // The second one's rows wrap around into the first one's columns.
  EXPECT_TRUE(mayOverlap(view(0, {8, 16}, {32, 1}), view(24, {7, 16}, {32, 1})));
}

TEST(Overlap, RangeOfHugeShapes) {
  int64_t huge = int64_t(1) << 40;
  EXPECT_FALSE(byteRange(view(0, {huge, huge}, {huge, 1})).has_value());
  auto range = byteRange(view(0, {2, 3}, {10, 1}));
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->second - range->first, 13u * 4);
}
