//===- Conversion.cpp - how far a tile travels between two layouts ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/FragmentLayout.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// holder() of a tile's elements from one table per axis: every vector and digit moves along one
/// axis, so the holder of an element is the sum of its axes' parts.
class HolderTable {
public:
  HolderTable(const FragmentLayout &layout, ArrayRef<int64_t> shape) : axes(shape.size()) {
    Coord c(shape.size(), 0);
    for (auto [axis, extent] : llvm::enumerate(shape)) {
      for (c[axis] = 0; c[axis] < extent; ++c[axis])
        axes[axis].push_back(*layout.holder(c));
      c[axis] = 0;
    }
  }

  Holder of(ArrayRef<int64_t> c) const {
    Holder sum{0, 0, 0};
    for (auto [table, x] : llvm::zip(axes, c)) {
      sum.warp += table[x].warp;
      sum.lane += table[x].lane;
      sum.reg += table[x].reg;
    }
    return sum;
  }

private:
  std::vector<std::vector<Holder>> axes;
};

/// What holds for all elements of a tile that goes from one layout to another.
struct Movement {
  bool inWarp = true, inQuad = true, inThread = true;
  bool fixedRegister =
      true; // a register of `to` comes from one register of `from`, whatever the thread
  SmallVector<int64_t> source; // that register, -1 for padding
};
} // namespace

static bool within(ArrayRef<int64_t> c, ArrayRef<int64_t> extents) {
  return llvm::all_of(llvm::zip(c, extents),
                      [](auto pair) { return std::get<0>(pair) < std::get<1>(pair); });
}

static void addElement(Movement &movement, const Holder &from, std::pair<int64_t, int64_t> thread,
                       int64_t reg) {
  auto [warp, lane] = thread;
  movement.inWarp &= from.warp == warp;
  movement.inQuad &= from.warp == warp && from.lane / 4 == lane / 4;
  movement.inThread &= from.warp == warp && from.lane == lane;
  int64_t &source = movement.source[reg];
  movement.fixedRegister &= source < 0 || source == from.reg;
  source = from.reg;
}

static Movement analyse(const FragmentLayout &from, const FragmentLayout &to,
                        ArrayRef<int64_t> shape) {
  Movement movement;
  movement.source.assign(to.numRegs(), -1);
  if (from.numWarps() != to.numWarps() ||
      !llvm::all_of_zip(shape, from.coverage(), std::less_equal<int64_t>())) {
    movement.inWarp = movement.inQuad = movement.inThread = false;
    return movement;
  }
  const HolderTable table(from, shape);
  SmallVector<Coord> regCoords;
  for (int64_t reg = 0; reg < to.numRegs(); ++reg)
    regCoords.push_back(to.regCoords(reg));
  Coord c(to.rank, 0);
  for (int64_t warp = 0; warp < to.numWarps() && movement.inWarp; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane) {
      const Coord base = to.coords(warp, lane, 0);
      // A copy is as good as the first holder, and holder() speaks of the first.
      const auto thread = from.firstCopy(warp, lane);
      for (auto [reg, offset] : llvm::enumerate(regCoords)) {
        for (int axis = 0; axis < to.rank; ++axis)
          c[axis] = base[axis] + offset[axis];
        if (within(c, shape))
          addElement(movement, table.of(c), thread, static_cast<int64_t>(reg));
      }
    }
  return movement;
}

/// True if every register of `to` takes the register of the same number, or nothing.
static bool isIdentity(ArrayRef<int64_t> source) {
  return llvm::all_of(llvm::enumerate(source), [](const auto &entry) {
    return entry.value() < 0 || entry.value() == static_cast<int64_t>(entry.index());
  });
}

ConversionKind tilec::planConversion(const FragmentLayout &from, const FragmentLayout &to,
                                     ArrayRef<int64_t> shape) {
  if (from == to)
    return ConversionKind::None;
  const Movement movement = analyse(from, to, shape);
  if (movement.inThread && movement.fixedRegister)
    return from.numRegs() == to.numRegs() && isIdentity(movement.source)
               ? ConversionKind::None
               : ConversionKind::RegisterPermutation;
  if (movement.inQuad)
    return ConversionKind::QuadShuffle;
  return movement.inWarp ? ConversionKind::WarpShuffle : ConversionKind::Shared;
}

std::optional<SmallVector<int64_t>> tilec::registerPermutation(const FragmentLayout &from,
                                                               const FragmentLayout &to,
                                                               ArrayRef<int64_t> shape) {
  Movement movement = analyse(from, to, shape);
  if (!movement.inThread || !movement.fixedRegister)
    return std::nullopt;
  return std::move(movement.source);
}
