//===- JoinAxes.cpp - two axes of a layout become one ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything that moves along one of the two axes is listed with its step along the joined one, and
// sorted. A layout has bits below, then digits of registers, then digits of warps: what is not in
// that order has no layout. Registers are free to be bits or digits, since their numbers may
// change.
//===----------------------------------------------------------------------===//
#include "tilec/Layout/Reshape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cassert>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// What moves `count` steps along the joined axis.
struct Mover {
  enum Kind { RegisterBit, ThreadBit, RegisterDigit, WarpDigit } kind;
  int64_t step, count;
  size_t number; // of a warp digit in its list

  bool isBit() const { return kind == RegisterBit || kind == ThreadBit; }
};

class Joiner {
public:
  Joiner(const FragmentLayout &layout, int axis, int64_t inner)
      : layout(layout), axis(axis), inner(inner) {}

  std::optional<FragmentLayout> run();

private:
  void collectBits(ArrayRef<Coord> basis, Mover::Kind kind);
  void collectDigits(ArrayRef<Digit> digits, Mover::Kind kind, std::array<int64_t, 2> &steps);
  bool sortMovers();
  SmallVector<Coord> joined(ArrayRef<Coord> basis) const;
  int joined(int dim) const { return dim > axis ? dim - 1 : dim; }
  SmallVector<Coord> registerBits() const;
  SmallVector<Digit> registerDigits() const;

  const FragmentLayout &layout;
  int axis;
  int64_t inner;
  SmallVector<Mover> movers;
  size_t bits = 0; // movers of the atom, in front of all others
};
} // namespace

void Joiner::collectBits(ArrayRef<Coord> basis, Mover::Kind kind) {
  for (const Coord &vector : basis)
    if (int64_t step = vector[axis + 1] + inner * vector[axis])
      movers.push_back({kind, step, 2, 0});
}

/// `steps`: of the next digit along each of the two axes.
void Joiner::collectDigits(ArrayRef<Digit> digits, Mover::Kind kind,
                           std::array<int64_t, 2> &steps) {
  for (auto [number, digit] : llvm::enumerate(digits)) {
    if (digit.dim != axis && digit.dim != axis + 1)
      continue;
    int64_t &step = steps[digit.dim - axis];
    movers.push_back({kind, step, digit.count, number});
    step *= digit.count;
  }
}

/// Sorts by step; false if no layout has this order.
bool Joiner::sortMovers() {
  llvm::sort(movers, [](const Mover &a, const Mover &b) { return a.step < b.step; });
  auto mayBeBits = [](const Mover &mover) {
    return mover.isBit() ||
           (mover.kind == Mover::RegisterDigit && llvm::isPowerOf2_64(mover.count));
  };
  const size_t possible = llvm::find_if_not(movers, mayBeBits) - movers.begin();
  for (size_t i = 0; i < movers.size(); ++i)
    if (movers[i].isBit()) {
      if (i < possible)
        bits = i + 1;
      else if (movers[i].kind == Mover::ThreadBit)
        return false;
    }
  const Mover *last = nullptr;
  for (const Mover &mover : ArrayRef(movers).drop_front(bits)) {
    if (last && (mover.kind != Mover::WarpDigit || mover.number < last->number))
      return false;
    if (mover.kind == Mover::WarpDigit)
      last = &mover;
  }
  return true;
}

SmallVector<Coord> Joiner::joined(ArrayRef<Coord> basis) const {
  SmallVector<Coord> result;
  for (Coord vector : basis) {
    vector[axis] = vector[axis] * inner + vector[axis + 1];
    vector.erase(vector.begin() + axis + 1);
    result.push_back(std::move(vector));
  }
  return result;
}

/// The last axis first, along each axis by step: the order of the instructions' layouts.
SmallVector<Coord> Joiner::registerBits() const {
  SmallVector<std::pair<int, int64_t>> steps; // axis, step
  for (const Coord &vector : joined(layout.reg))
    for (auto [dim, step] : llvm::enumerate(vector))
      if (step != 0 && static_cast<int>(dim) != axis)
        steps.push_back({static_cast<int>(dim), step});
  for (const Mover &mover : ArrayRef(movers).take_front(bits))
    if (mover.kind != Mover::ThreadBit)
      for (int64_t step = mover.step; step < mover.step * mover.count; step *= 2)
        steps.push_back({axis, step});
  llvm::sort(steps, [](auto a, auto b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  SmallVector<Coord> result;
  for (auto [dim, step] : steps) {
    result.emplace_back(layout.rank - 1, 0);
    result.back()[dim] = step;
  }
  return result;
}

SmallVector<Digit> Joiner::registerDigits() const {
  SmallVector<Digit> all;
  for (const Digit &digit : layout.repeat)
    if (digit.dim != axis && digit.dim != axis + 1)
      all.push_back({joined(digit.dim), digit.count});
  for (const Mover &mover : ArrayRef(movers).drop_front(bits))
    if (mover.kind != Mover::WarpDigit)
      all.push_back({axis, mover.count});
  SmallVector<Digit> result;
  for (int dim = layout.rank - 2; dim >= 0; --dim) // the last axis first, as above
    for (const Digit &digit : all)
      if (digit.dim == dim)
        appendDigit(result, digit);
  return result;
}

std::optional<FragmentLayout> Joiner::run() {
  collectBits(layout.reg, Mover::RegisterBit);
  collectBits(layout.lane, Mover::ThreadBit);
  collectBits(layout.warp, Mover::ThreadBit);
  const Coord atom = layout.atomExtents();
  std::array<int64_t, 2> steps{atom[axis] * inner, atom[axis + 1]};
  collectDigits(layout.repeat, Mover::RegisterDigit, steps);
  collectDigits(layout.warps, Mover::WarpDigit, steps);
  if (!sortMovers())
    return std::nullopt;

  FragmentLayout result;
  result.rank = layout.rank - 1;
  result.reg = registerBits();
  result.lane = joined(layout.lane);
  result.warp = joined(layout.warp);
  result.repeat = registerDigits();
  for (const Digit &digit : layout.warps)
    appendDigit(result.warps, {joined(digit.dim), digit.count});
  return result;
}

std::optional<FragmentLayout> tilec::joinAxes(const FragmentLayout &layout, int axis, int64_t outer,
                                              int64_t inner) {
  assert(axis >= 0 && axis + 1 < layout.rank && "no two axes to join");
  const Coord covered = layout.coverage();
  if (covered[axis + 1] != inner && !(outer == 1 && covered[axis] == 1))
    return std::nullopt;
  return Joiner(layout, axis, inner).run();
}
