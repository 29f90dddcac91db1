//===- ReshapeTest.cpp - layouts of reshaped tiles against plain indexing ---===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/Reshape.h"
#include "LayoutProperties.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <vector>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;
using Shape = SmallVector<int64_t>;

namespace {
struct Tile {
  FragmentLayout layout;
  Shape shape;
};

/// Tiles of the kinds that kernels have, odd extents and three groups of warps among them.
std::vector<Tile> tiles() {
  std::vector<Tile> all;
  for (int64_t n : {8, 24, 40, 96, 128}) {
    all.push_back({wgmmaAccumulator(64, n, {}), {64, n}});
    all.push_back({wgmmaAccumulator(192, n, {{0, 3}}), {192, n}});
    all.push_back({wgmmaAccumulator(256, n, {{0, 2}}), {256, n}});
    all.push_back({mmaAccumulator(16, n, {{1, 2}, {-1, 2}}), {16, n}});
    all.push_back({mmaAccumulator(48, n, {{0, 3}, {1, 2}}), {48, n}});
    all.push_back({mmaAccumulator(32, n, {{1, 2}, {0, 2}}), {32, n}});
  }
  for (Shape shape : {Shape{1},
                      {6},
                      {100},
                      {128},
                      {1000},
                      {12, 18},
                      {4, 64},
                      {33, 100},
                      {2, 3, 40},
                      {16, 8, 16},
                      {5, 64, 2}})
    for (int64_t vector : {1, 4, 8})
      for (int64_t warps : {1, 6, 8})
        all.push_back({blocked(shape, vector, warps), shape});
  for (Shape shape : {Shape{6}, {12, 4}, {2, 3, 4}})
    all.push_back({replicated(shape, 4), shape});
  return all;
}

SmallVector<int64_t> divisorsOf(int64_t extent) {
  SmallVector<int64_t> divisors;
  for (int64_t d = 1; d <= extent; ++d)
    if (extent % d == 0)
      divisors.push_back(d);
  return divisors;
}

Shape splitShape(Shape shape, int axis, int64_t inner) {
  shape[axis] /= inner;
  shape.insert(shape.begin() + axis + 1, inner);
  return shape;
}

Coord joinedCoord(ArrayRef<int64_t> c, int axis, int64_t inner) {
  Coord result(c);
  result[axis] = result[axis] * inner + result[axis + 1];
  result.erase(result.begin() + axis + 1);
  return result;
}

Coord splitCoord(ArrayRef<int64_t> c, int axis, int64_t inner) {
  Coord result(c);
  result.insert(result.begin() + axis + 1, result[axis] % inner);
  result[axis] /= inner;
  return result;
}

/// By search: every element that a thread holds of `to` is in the same thread in `from`, and for a
/// register of `to` always in the same register.
void expectStays(const FragmentLayout &from, const FragmentLayout &to, ArrayRef<int64_t> shape,
                 llvm::function_ref<Coord(ArrayRef<int64_t>)> source) {
  const auto table = registerSources(from, to, shape, source);
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(static_cast<int64_t>(table->size()), to.numRegs());
  forEachHolder(to, [&](int64_t warp, int64_t lane, int64_t reg) {
    const Coord c = to.coords(warp, lane, reg);
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (c[axis] >= shape[axis])
        return;
    ASSERT_EQ(from.coords(warp, lane, (*table)[reg]), source(c));
  });
}

/// The tile of every covered element is one thread's, checked on the layout itself.
void expectGood(const FragmentLayout &layout, ArrayRef<int64_t> shape) {
  expectWellFormed(layout, shape);
  expectCopies(layout);
}

TEST(Reshape, SplitsStayInTheirThreadAndRegister) {
  int64_t done = 0;
  for (const Tile &tile : tiles())
    for (int axis = 0; axis < tile.layout.rank; ++axis)
      for (int64_t inner : divisorsOf(tile.shape[axis])) {
        const auto split = splitAxis(tile.layout, axis, tile.shape[axis] / inner, inner);
        if (!split)
          continue;
        ++done;
        const Shape shape = splitShape(tile.shape, axis, inner);
        expectGood(*split, shape);
        expectStays(tile.layout, *split, shape,
                    [&](ArrayRef<int64_t> c) { return joinedCoord(c, axis, inner); });
        for (int64_t reg = 0; reg < split->numRegs(); ++reg)
          ASSERT_EQ(joinedCoord(split->coords(0, 0, reg), axis, inner),
                    tile.layout.coords(0, 0, reg));
      }
  EXPECT_GT(done, 1000);
}

TEST(Reshape, JoinsUndoSplits) {
  for (const Tile &tile : tiles())
    for (int axis = 0; axis < tile.layout.rank; ++axis)
      for (int64_t inner : divisorsOf(tile.shape[axis])) {
        const int64_t outer = tile.shape[axis] / inner;
        const auto split = splitAxis(tile.layout, axis, outer, inner);
        if (!split)
          continue;
        const auto joined = joinAxes(*split, axis, outer, inner);
        ASSERT_TRUE(joined.has_value());
        expectGood(*joined, tile.shape);
        expectStays(*split, *joined, tile.shape,
                    [&](ArrayRef<int64_t> c) { return splitCoord(c, axis, inner); });
        ASSERT_EQ(joined->numRegs(), tile.layout.numRegs());
      }
}

TEST(Reshape, JoinsOfAnyNeighboursStayInTheirThread) {
  int64_t done = 0;
  for (const Tile &tile : tiles())
    for (int axis = 0; axis + 1 < tile.layout.rank; ++axis) {
      const int64_t outer = tile.shape[axis], inner = tile.shape[axis + 1];
      const auto joined = joinAxes(tile.layout, axis, outer, inner);
      if (!joined)
        continue;
      ++done;
      Shape shape = tile.shape;
      shape[axis] *= inner;
      shape.erase(shape.begin() + axis + 1);
      expectGood(*joined, shape);
      expectStays(tile.layout, *joined, shape,
                  [&](ArrayRef<int64_t> c) { return splitCoord(c, axis, inner); });
    }
  EXPECT_GT(done, 20);
}

TEST(Reshape, PermutationsRenameAxesOnly) {
  for (const Tile &tile : tiles()) {
    SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, tile.layout.rank));
    do {
      const FragmentLayout permuted = permuteAxes(tile.layout, dims);
      Shape shape;
      for (int64_t dim : dims)
        shape.push_back(tile.shape[dim]);
      expectGood(permuted, shape);
      forEachHolder(permuted, [&](int64_t warp, int64_t lane, int64_t reg) {
        const Coord c = permuted.coords(warp, lane, reg), old = tile.layout.coords(warp, lane, reg);
        for (size_t axis = 0; axis < dims.size(); ++axis)
          ASSERT_EQ(c[axis], old[dims[axis]]);
      });
    } while (std::next_permutation(dims.begin(), dims.end()));
  }
}

TEST(Reshape, TakeAndStackAreInverse) {
  for (const Tile &tile : tiles())
    for (int axis = 0; axis <= tile.layout.rank; ++axis)
      for (int64_t count : {1, 2, 3}) {
        const FragmentLayout stacked = stackAxis(tile.layout, axis, count);
        Shape shape = tile.shape;
        shape.insert(shape.begin() + axis, count);
        expectGood(stacked, shape);
        ASSERT_EQ(takeAxis(stacked, axis), tile.layout);
        for (int64_t position = 0; position < count; ++position)
          expectStays(stacked, tile.layout, tile.shape, [&](ArrayRef<int64_t> c) {
            Coord whole(c);
            whole.insert(whole.begin() + axis, position);
            return whole;
          });
      }
}

TEST(Reshape, TakeNeedsTheAxisInRegisters) {
  const FragmentLayout acc = wgmmaAccumulator(128, 64, {{0, 2}});
  EXPECT_EQ(takeAxis(acc, 0), std::nullopt); // lanes and warps
  EXPECT_EQ(takeAxis(acc, 1), std::nullopt); // lanes
  EXPECT_EQ(takeAxis(mmaAccumulator(16, 16, {{1, 2}}).slice(0), 0), std::nullopt);
  EXPECT_EQ(takeAxis(replicated({4}, 1), 0), replicated({4}, 1).slice(0));
}

/// Pairs of neighbours, and of the two halves of a head, lie in one thread of wgmma's accumulator.
TEST(Reshape, RotaryPairsOfAnAccumulator) {
  const FragmentLayout acc = wgmmaAccumulator(128, 128, {{0, 2}});
  const auto neighbours = splitAxis(acc, 1, 64, 2), halves = splitAxis(acc, 1, 2, 64);
  ASSERT_TRUE(neighbours && halves);
  for (auto [split, axis] : {std::pair(*neighbours, 2), std::pair(*halves, 1)}) {
    const auto one = takeAxis(split, axis);
    ASSERT_TRUE(one.has_value());
    EXPECT_EQ(stackAxis(*one, axis, 2), split);
    EXPECT_EQ(joinAxes(split, 1, axis == 2 ? 64 : 2, axis == 2 ? 2 : 64), acc);
  }
}

TEST(Reshape, WhatCannotStay) {
  EXPECT_EQ(splitAxis(wgmmaAccumulator(64, 24, {}), 1, 4, 6), std::nullopt);  // 6 is no bit of 8
  EXPECT_EQ(splitAxis(wgmmaAccumulator(64, 96, {}), 1, 8, 12), std::nullopt); // 12 cuts an atom
  EXPECT_EQ(splitAxis(wgmmaAccumulator(64, 48, {}), 1, 3, 16).has_value(), true);
  EXPECT_EQ(splitAxis(wgmmaAccumulator(192, 8, {{0, 3}}), 0, 2, 96),
            std::nullopt); // half a warpgroup
  // Padding in the inner axis would stand in the middle of the joined one.
  EXPECT_EQ(joinAxes(blocked({4, 100}, 4, 4), 0, 4, 100), std::nullopt);
  // Rows within columns: warps would have to move by less than the registers of one.
  EXPECT_EQ(joinAxes(mmaAccumulator(16, 32, {{1, 2}}), 0, 16, 32), std::nullopt);
}
} // namespace
