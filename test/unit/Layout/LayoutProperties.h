//===- LayoutProperties.h - what every fragment layout has to satisfy ------===//
// SPDX-License-Identifier: Apache-2.0
#ifndef TILEC_TEST_UNIT_LAYOUT_LAYOUTPROPERTIES_H
#define TILEC_TEST_UNIT_LAYOUT_LAYOUTPROPERTIES_H

#include "tilec/Layout/FragmentLayout.h"
#include <gtest/gtest.h>
#include <ostream>

namespace tilec {

inline void PrintTo(const Coord &c, std::ostream *os) {
  *os << '(';
  for (int64_t x : c)
    *os << x << ' ';
  *os << ')';
}

inline void PrintTo(const Holder &h, std::ostream *os) {
  *os << "warp " << h.warp << " lane " << h.lane << " reg " << h.reg;
}

/// Calls `visit(coord)` for every element of a tile.
template <typename Visitor> void forEachElement(llvm::ArrayRef<int64_t> shape, Visitor visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t index = 0; index < count; ++index) {
    Coord c(shape.size(), 0);
    int64_t rest = index;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      c[axis] = rest % shape[axis];
    visit(c);
  }
}

/// Calls `visit(warp, lane, reg)` for every register of every thread.
template <typename Visitor> void forEachHolder(const FragmentLayout &layout, Visitor visit) {
  for (int64_t warp = 0; warp < layout.numWarps(); ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      for (int64_t reg = 0; reg < layout.numRegs(); ++reg)
        visit(warp, lane, reg);
}

inline Coord dropped(Coord c, int axis) {
  c.erase(c.begin() + axis);
  return c;
}

inline void expectWellFormed(const FragmentLayout &layout, llvm::ArrayRef<int64_t> shape) {
  ASSERT_EQ(layout.verify(), std::nullopt);
  ASSERT_EQ(layout.rank, static_cast<int>(shape.size()));
  const Coord coverage = layout.coverage();
  for (size_t axis = 0; axis < shape.size(); ++axis)
    ASSERT_GE(coverage[axis], shape[axis]);
}

/// Every covered element has a holder that holds it, and nothing else is covered.
inline void expectHolders(const FragmentLayout &layout) {
  forEachElement(layout.coverage(), [&](const Coord &c) {
    const auto holder = layout.holder(c);
    ASSERT_TRUE(holder.has_value());
    ASSERT_EQ(layout.coords(holder->warp, holder->lane, holder->reg), c);
    ASSERT_TRUE(layout.isFirstCopy(holder->warp, holder->lane));
  });
  for (int axis = 0; axis < layout.rank; ++axis) {
    Coord beyond(layout.rank, 0);
    beyond[axis] = layout.coverage()[axis];
    ASSERT_EQ(layout.holder(beyond), std::nullopt);
    beyond[axis] = -1;
    ASSERT_EQ(layout.holder(beyond), std::nullopt);
  }
}

/// holder() is the first holder, copies are told from firsts, registers hold no copies, base and
/// register parts add up.
inline void expectCopies(const FragmentLayout &layout) {
  int64_t firsts = 0, covered = 1;
  for (int64_t extent : layout.coverage())
    covered *= extent;
  forEachHolder(layout, [&](int64_t warp, int64_t lane, int64_t reg) {
    const Coord c = layout.coords(warp, lane, reg), base = layout.coords(warp, lane, 0);
    const Coord offset = layout.regCoords(reg);
    for (int axis = 0; axis < layout.rank; ++axis)
      ASSERT_EQ(base[axis] + offset[axis], c[axis]);
    const auto [firstWarp, firstLane] = layout.firstCopy(warp, lane);
    ASSERT_EQ(*layout.holder(c), (Holder{firstWarp, firstLane, reg}));
    ASSERT_LE(std::pair(firstWarp, firstLane), std::pair(warp, lane));
    firsts += layout.isFirstCopy(warp, lane);
  });
  ASSERT_EQ(firsts, covered);
}

/// The slice holds the parent's elements with the axis dropped, in the parent's register order.
inline void expectSlices(const FragmentLayout &layout) {
  for (int axis = 0; axis < layout.rank; ++axis) {
    const FragmentLayout slice = layout.slice(axis);
    ASSERT_EQ(slice.verify(), std::nullopt);
    ASSERT_EQ(slice.numWarps(), layout.numWarps());
    ASSERT_EQ(slice.coverage(), dropped(layout.coverage(), axis));
    int64_t next = 0; // registers of the slice appear in order
    for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
      ASSERT_LE(layout.sliceRegister(axis, reg), next);
      next = std::max(next, layout.sliceRegister(axis, reg) + 1);
    }
    ASSERT_EQ(next, slice.numRegs());
    forEachHolder(layout, [&](int64_t warp, int64_t lane, int64_t reg) {
      ASSERT_EQ(slice.coords(warp, lane, layout.sliceRegister(axis, reg)),
                dropped(layout.coords(warp, lane, reg), axis));
    });
  }
}

/// contiguous() runs are contiguous and aligned, and cannot be doubled.
inline void expectContiguous(const FragmentLayout &layout) {
  for (int axis = 0; axis < layout.rank; ++axis) {
    const int64_t run = layout.contiguous(axis);
    ASSERT_EQ(layout.numRegs() % run, 0);
    bool longer = layout.numRegs() % (2 * run) == 0;
    for (int64_t reg = 0; reg < layout.numRegs(); ++reg) {
      Coord expected = layout.regCoords(reg / run * run);
      ASSERT_EQ(expected[axis] % run, 0);
      expected[axis] += reg % run;
      ASSERT_EQ(layout.regCoords(reg), expected);
      Coord doubled = layout.regCoords(reg / (2 * run) * (2 * run));
      doubled[axis] += reg % (2 * run);
      longer &= layout.regCoords(reg) == doubled;
    }
    // Lanes in between make a longer run of registers start at odd places: only aligned runs count.
    forEachHolder(layout, [&](int64_t warp, int64_t lane, int64_t reg) {
      if (reg % (2 * run) == 0)
        longer &= layout.coords(warp, lane, reg)[axis] % (2 * run) == 0;
    });
    ASSERT_FALSE(longer);
  }
}

inline void expectAll(const FragmentLayout &layout, llvm::ArrayRef<int64_t> shape) {
  expectWellFormed(layout, shape);
  expectHolders(layout);
  expectCopies(layout);
  expectSlices(layout);
  expectContiguous(layout);
}

} // namespace tilec

#endif // TILEC_TEST_UNIT_LAYOUT_LAYOUTPROPERTIES_H
