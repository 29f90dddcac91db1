//===- Breadth.h - statements beyond loads, stores and loops ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Gathers, scatters, atomics, scans, axes taken apart, parts of shared tiles. Where several
// elements meet, the result is the same in any order.
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_BREADTH_H
#define TILEC_TEST_UNIT_FUZZ_BREADTH_H

#include "Expressions.h"

namespace tilec::fuzz {

class Breadth : protected Expressions {
protected:
  using Expressions::Expressions;

  void gatherTile(Random &random);
  void scatterTile(Random &random);
  void countShared(Random &random);
  void addToMemory(Random &random);
  void scanTile(Random &random);
  void splitAxis(Random &random);
  void partOfTile(Random &random);

private:
  /// Different ones for different elements of the axis; some past its end.
  Tile places(Random &random, const Axis &axis) {
    auto at = k.iota(axis) + pick(random, 0, 3);
    return pick(random, 0, 1) ? at : static_cast<int>(axis.extent()) - 1 - at;
  }
};

/// Rows, or elements along either axis, at any index.
inline void Breadth::gatherTile(Random &random) {
  double pad = static_cast<double>(pick(random, -2, 2));
  switch (pick(random, 0, 3)) {
  case 0: {
    Tile index = (expression(random, alongM) & 63) - 5;
    Tile tile = load(In(index, window(random, n, cols)).where(condition(random, alongM)), pad);
    return add(both, tile);
  }
  case 1: {
    Tile index = expression(random, both) & 31;
    Tile tile = load(In(index, window(random, n, cols)), pad);
    return add(both, tile);
  }
  case 2: {
    auto tile = k.alloc_shared<i32>({m, n});
    copy(In((expression(random, alongM) & 31) - 1, window(random, n, cols)), tile, pad);
    Tile value = load(tile);
    return add(both, value);
  }
  default: {
    Tile tile = load(Row(expression(random, alongN) & 127), pad);
    return add(alongN, tile);
  }
  }
}

/// Rows of a result, or elements of a shared tile, each at a place of its own.
inline void Breadth::scatterTile(Random &random) {
  if (pick(random, 0, 1)) {
    Tile value = expression(random, both);
    Tile index = places(random, m);
    return store(
        value, OutBoth(cta, pick(random, 0, slots - 1), index, n).where(condition(random, alongM)));
  }
  auto tile = k.alloc_shared<i32>({n});
  store(expression(random, alongN), tile);
  Tile value = expression(random, alongN);
  store(value, tile(places(random, n)));
  Tile all = load(tile);
  add(alongN, all);
}

/// A histogram.
inline void Breadth::countShared(Random &random) {
  auto bins = k.alloc_shared<i32>({n});
  store(zero(alongN) + pick(random, -3, 3), bins);
  auto which = static_cast<unsigned>(pick(random, alongM, strays(random) ? both : alongN));
  Tile index = expression(random, which) & 63, value = expression(random, which);
  auto chosen = condition(random, which);
  switch (pick(random, 0, 3)) {
  case 0:
    atomic_max(bins(index).where(chosen), value);
    break;
  case 1:
    atomic_min(bins(index), value);
    break;
  default:
    atomic_add(bins(index).where(chosen), value);
    break;
  }
  Tile all = load(bins);
  add(alongN, all);
}

inline void Breadth::addToMemory(Random &random) {
  Index slot = unsigned_rem(number(random), slots);
  if (pick(random, 0, 1)) {
    atomic_add(OutN(cta, slot, n), expression(random, alongN));
    return;
  }
  Tile old;
  atomic_fetch_max(old, OutM(cta, slot, m), expression(random, alongM));
  add(alongM, old);
}

inline void Breadth::scanTile(Random &random) {
  auto which = static_cast<unsigned>(pick(random, alongM, both));
  bool overN = which == alongN || (which == both && pick(random, 0, 1));
  const Axis &axis = overN ? n : m;
  Tile x = expression(random, which);
  Scan options{.exclusive = pick(random, 0, 1) != 0, .reverse = pick(random, 0, 1) != 0};
  switch (pick(random, 0, 3)) {
  case 0: {
    Tile largest = argmax(x, axis);
    return add(which & ~(overN ? alongN : alongM), largest);
  }
  case 1: {
    Tile result = scan_max(x, axis, options);
    return add(which, result);
  }
  default: {
    Tile result = scan_sum(x, axis, options);
    return add(which, result);
  }
  }
}

/// Factors of m change places, or one of them is summed.
inline void Breadth::splitAxis(Random &random) {
  int inner = strays(random)     ? 7
              : shape.m % 4 == 0 ? 4
              : shape.m % 3 == 0 ? 3
              : shape.m % 5 == 0 ? 5
                                 : 1;
  Axis i("i", shape.m / inner), j("j", inner);
  Axis ij = i * j, ji = j * i;
  Tile x = expression(random, both), result = zero(none);
  auto parts = split(rename(x, m, ij), ij);
  if (pick(random, 0, 1))
    result = rename(join(parts, ji), ji, m);
  else
    result = rename(join(parts - reduce_sum(parts, j), ij), ij, m);
  add(both, result);
}

/// Rows of a shared tile, read, changed and written back.
inline void Breadth::partOfTile(Random &random) {
  auto tile = k.alloc_shared<i32>({m, n});
  store(expression(random, both), tile);
  int64_t extent = strays(random) ? shape.m + 1 : pick(random, 1, std::max(shape.m, 1));
  Axis part("part" + std::to_string(extent), extent);
  Index first = unsigned_rem(number(random), shape.m - static_cast<int64_t>(part.extent()) + 1);
  auto rows = tile.slice(m, first, part);
  auto inner = load(rows);
  store(inner * 3 + k.iota(part), rows);
  Tile all = load(tile);
  add(both, all);
}

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_BREADTH_H
