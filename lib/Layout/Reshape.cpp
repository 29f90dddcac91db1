//===- Reshape.cpp - split, permute, take, stack; which registers that renames -===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/Reshape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cassert>
#include <functional>
#include <utility>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

/// `layout` with one more axis, along which nothing moves.
static FragmentLayout insertAxis(const FragmentLayout &layout, int axis) {
  FragmentLayout result = layout;
  ++result.rank;
  for (auto *basis : {&result.reg, &result.lane, &result.warp})
    for (Coord &vector : *basis)
      vector.insert(vector.begin() + axis, 0);
  for (auto *digits : {&result.repeat, &result.warps})
    for (Digit &digit : *digits)
      digit.dim += digit.dim >= axis;
  return result;
}

/// Bits of an axis of the atom below `inner` go to the axis behind it; true if `inner` ends within
/// the atom or at its end.
static bool splitBits(FragmentLayout &layout, int axis, int64_t inner) {
  for (auto *basis : {&layout.reg, &layout.lane, &layout.warp})
    for (Coord &vector : *basis) {
      const int64_t step = std::exchange(vector[axis], 0);
      if (step == 0)
        continue;
      if (step < inner)
        vector[axis + 1] = step;
      else if (step % inner == 0)
        vector[axis] = step / inner;
      else
        return false;
    }
  return true;
}

/// Digits of an axis go to the axis behind it until `left` steps are counted, the rest stays.
static bool splitDigits(SmallVector<Digit> &digits, int axis, int64_t &left) {
  SmallVector<Digit> result;
  for (const Digit &digit : digits) {
    if (digit.dim != axis) {
      appendDigit(result, digit);
      continue;
    }
    if (digit.count % left != 0 && left % digit.count != 0)
      return false;
    const int64_t inside = std::min(digit.count, left);
    appendDigit(result, {axis + 1, inside});
    appendDigit(result, {axis, digit.count / inside});
    left /= inside;
  }
  digits = std::move(result);
  return true;
}

std::optional<FragmentLayout> tilec::splitAxis(const FragmentLayout &layout, int axis,
                                               int64_t outer, int64_t inner) {
  assert(axis >= 0 && axis < layout.rank && "no such axis");
  if (outer == 1)
    return insertAxis(layout, axis);
  const int64_t atom = layout.atomExtents()[axis];
  FragmentLayout result = insertAxis(layout, axis + 1);
  if (inner < atom && !llvm::isPowerOf2_64(inner))
    return std::nullopt;
  if (inner > atom && inner % atom != 0)
    return std::nullopt;
  int64_t left = std::max<int64_t>(inner / atom, 1);
  if (!splitBits(result, axis, inner) || !splitDigits(result.repeat, axis, left) ||
      !splitDigits(result.warps, axis, left) || left != 1)
    return std::nullopt;
  return result;
}

FragmentLayout tilec::permuteAxes(const FragmentLayout &layout, ArrayRef<int64_t> dims) {
  FragmentLayout result = layout;
  for (auto *basis : {&result.reg, &result.lane, &result.warp})
    for (Coord &vector : *basis) {
      const Coord old = vector;
      for (auto [axis, dim] : llvm::enumerate(dims))
        vector[axis] = old[dim];
    }
  for (auto *digits : {&result.repeat, &result.warps})
    for (Digit &digit : *digits)
      if (digit.dim >= 0)
        digit.dim = static_cast<int>(llvm::find(dims, digit.dim) - dims.begin());
  return result;
}

std::optional<FragmentLayout> tilec::takeAxis(const FragmentLayout &layout, int axis) {
  if (!layout.laneBitsAlong(axis).empty() || layout.warpsSplit(axis))
    return std::nullopt;
  return layout.slice(axis);
}

FragmentLayout tilec::stackAxis(const FragmentLayout &layout, int axis, int64_t count) {
  FragmentLayout result = insertAxis(layout, axis);
  if (axis == layout.rank && llvm::isPowerOf2_64(count)) {
    // Neighbours in memory are neighbours in registers.
    SmallVector<Coord> steps;
    for (int64_t step = 1; step < count; step *= 2) {
      steps.emplace_back(result.rank, 0);
      steps.back().back() = step;
    }
    result.reg.insert(result.reg.begin(), steps.begin(), steps.end());
    return result;
  }
  SmallVector<Digit> repeat;
  auto slower = llvm::find_if(result.repeat, [&](const Digit &digit) { return digit.dim < axis; });
  repeat.append(result.repeat.begin(), slower);
  appendDigit(repeat, {axis, count});
  for (const Digit &digit : llvm::make_range(slower, result.repeat.end()))
    appendDigit(repeat, digit);
  result.repeat = std::move(repeat);
  return result;
}

std::optional<SmallVector<int64_t>>
tilec::registerSources(const FragmentLayout &from, const FragmentLayout &to,
                       ArrayRef<int64_t> shape,
                       llvm::function_ref<Coord(ArrayRef<int64_t>)> source) {
  SmallVector<int64_t> table(to.numRegs(), -1);
  if (from.numWarps() != to.numWarps())
    return std::nullopt;
  for (int64_t warp = 0; warp < to.numWarps(); ++warp)
    for (int64_t lane = 0; lane < 32; ++lane) {
      const auto thread = from.firstCopy(warp, lane);
      for (auto [reg, taken] : llvm::enumerate(table)) {
        const Coord c = to.coords(warp, lane, static_cast<int64_t>(reg));
        if (!llvm::all_of_zip(c, shape, std::less<int64_t>()))
          continue;
        const std::optional<Holder> held = from.holder(source(c));
        if (!held || std::pair(held->warp, held->lane) != thread ||
            (taken >= 0 && taken != held->reg))
          return std::nullopt;
        taken = held->reg;
      }
    }
  return table;
}
