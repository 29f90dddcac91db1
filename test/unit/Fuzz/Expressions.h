//===- Expressions.h - the expressions of random programs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything is exact, so that two targets agree in every bit: integers wrap around, floats only
// hold small integers, or are only rounded.
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_EXPRESSIONS_H
#define TILEC_TEST_UNIT_FUZZ_EXPRESSIONS_H

#include "Program.h"

#include "tile/dsl/Dsl.h"

#include <deque>

namespace tilec::fuzz {
using namespace tile;

struct Config {
  int64_t seed = 0;
  int statements = 10;
  /// Bit s: without statement s.
  int64_t dropped = 0;
};
TILE_CONFIG(Config, seed, statements, dropped);

/// Which axes a tile has.
enum : unsigned { none = 0, alongM = 1, alongN = 2, both = 3 };

/// The tensors and variables of a program, and values made of them: i32 tiles over the axes m and
/// n, or neither, or both, and numbers of the CTA.
class Expressions {
protected:
  using Tile = Fragment<i32>;
  struct Variable {
    unsigned axes;
    Tile tile;
  };

  /// `wild`: what does not fit together, too; such a program is for the compiler's messages.
  Expressions(Kernel &k, const Config &cfg, bool wild = false);

  std::vector<Axis> axes(unsigned which) const;
  Tile zero(unsigned which) { return k.fragment<i32>(axes(which), 0); }
  void add(unsigned which, const Tile &tile) { variables.push_back({which, tile}); }

  Tile operand(Random &random, unsigned which);
  Tile expression(Random &random, unsigned which);
  Tile combine(Random &random, const Tile &x, const Tile &y);
  Tile throughFloats(Random &random, const Tile &x);
  Fragment<i1> condition(Random &random, unsigned which);
  Index number(Random &random) { return numbers[pick(random, 0, int64_t(numbers.size()) - 1)]; }
  Fragment<i1> scalarCondition(Random &random);
  Window window(Random &random, const Axis &axis, const Dim &length);

  /// Once in a while in a wild program.
  bool strays(Random &random) { return wild && pick(random, 0, 39) == 0; }

  Kernel &k;
  Config cfg;
  bool wild;
  Shape shape;
  Dim rows{"rows"}, cols{"cols"};
  Axis m, n, kk;
  Global<i32> In, Row, Scalars, OutM, OutN, OutBoth, OutNumber;
  Index cta;
  // Deques: variables of the language must not move while a loop watches them.
  std::deque<Variable> variables;
  std::deque<Index> numbers;
};

inline Expressions::Expressions(Kernel &k, const Config &cfg, bool wild)
    : k(k), cfg(cfg), wild(wild), shape(wild ? wildShapeOf(cfg.seed) : shapeOf(cfg.seed)),
      m("m", shape.m), n("n", shape.n), kk("kk", shape.k), In(k.input<i32>("in", {rows, cols})),
      Row(k.input<i32>("row", {cols})), Scalars(k.input<i32>("scalars", {16})),
      OutM(k.inout<i32>("out_m", {programs, slots, shape.m})),
      OutN(k.inout<i32>("out_n", {programs, slots, shape.n})),
      OutBoth(k.inout<i32>("out_both", {programs, slots, shape.m, shape.n})),
      OutNumber(k.inout<i32>("out_number", {programs, slots})) {
  auto grid = k.grid(programs);
  if (cfg.seed % 3 == 2)
    grid.persistent();
  cta = grid[0];
  numbers.push_back(cta);
  numbers.push_back(Scalars(cta));
  add(both, load(In(m.at(cta), n.at(0))));
  add(alongN, load(Row(n.from(cta))));
  add(alongM, k.iota(m) * 3);
}

inline std::vector<Axis> Expressions::axes(unsigned which) const {
  std::vector<Axis> result;
  if (which & alongM)
    result.push_back(m);
  if (which & alongN)
    result.push_back(n);
  return result;
}

/// Some value whose axes are among these.
inline Fragment<i32> Expressions::operand(Random &random, unsigned which) {
  switch (pick(random, 0, 9)) {
  case 0:
    return zero(none) + pick(random, -40, 40);
  case 1:
    return zero(none) + number(random);
  case 2:
    if (which)
      return k.iota(which & alongM ? m : n);
    break;
  default:
    break;
  }
  for (int tries = 0; tries < 6; ++tries) {
    const Variable &variable = variables[pick(random, 0, int64_t(variables.size()) - 1)];
    if ((variable.axes & ~which) == 0 || strays(random))
      return variable.tile;
  }
  return zero(none) + 7;
}

inline Fragment<i32> Expressions::combine(Random &random, const Tile &x, const Tile &y) {
  switch (pick(random, 0, 19)) {
  case 0:
    return x - y;
  case 1:
    return x * y;
  case 2:
    return x / y;
  case 3:
    return x % y;
  case 4:
    return max(x, y);
  case 5:
    return min(x, y);
  case 6:
    return x & y;
  case 7:
    return x | y;
  case 8:
    return x ^ y;
  case 9:
    return x << y;
  case 10:
    return x >> (y & 31);
  case 11:
    return shift_right_logical(x, y);
  case 12:
    return unsigned_div(x, y);
  case 13:
    return unsigned_max(x, unsigned_rem(y, x));
  case 14:
    return where(x < y, x, -y);
  case 15:
    return where(unsigned_less(x, y) | (x == y), abs(x), 3);
  case 16:
    return popcount(x) + leading_zeros(y) - trailing_zeros(x);
  case 17:
    return cast<i32>(test_bit(x, y & 31)) + cast<i32>(cast<i8>(y));
  default:
    return x + y;
  }
}

/// Floats that hold small integers, or that are only rounded.
inline Fragment<i32> Expressions::throughFloats(Random &random, const Tile &x) {
  auto small = cast<f32>(x & 255);
  switch (pick(random, 0, 8)) {
  case 0:
    return cast<i32>(max(small * 3.0 - 100.0, small));
  case 1:
    return cast<i32>(cast<f32>(cast<bf16>(small)));
  case 2:
    return cast<i32>(cast<f32>(cast<f16>(small * 4.0)));
  case 3:
    return bitcast<i32>(cast<f32>(x));
  case 4:
    return bitcast<i32>(cast<f32>(cast<bf16>(cast<f32>(x))));
  case 5:
    return cast<i32>(cast<f32>(cast<e4m3>(small - 77.0)));
  case 6:
    return bitcast<i32>(cast<f32>(cast<e5m2>(cast<f32>(x), overflow::nonfinite)));
  case 7: // the other integers
    return cast<i32>((cast<i64>(x) * 40503) >> 9) + cast<i32>(cast<i8>(x));
  default:
    return cast<i32>(where(small > 99.0, -small, abs(small - 50.0)));
  }
}

inline Fragment<i32> Expressions::expression(Random &random, unsigned which) {
  Tile result = operand(random, which);
  for (int64_t i = pick(random, 1, 3); i > 0; --i) {
    result = combine(random, result, operand(random, which));
    if (pick(random, 0, 5) == 0)
      result = throughFloats(random, result);
  }
  return which == none ? result : result + zero(which);
}

inline Fragment<i1> Expressions::condition(Random &random, unsigned which) {
  auto x = expression(random, which), y = operand(random, which) + zero(which);
  switch (pick(random, 0, 4)) {
  case 0:
    return x < y;
  case 1:
    return (x & 1) == 0;
  case 2:
    return unsigned_less_equal(x, y);
  case 3:
    return !(x >= y) & (y != 3);
  default:
    return x > y;
  }
}

inline Fragment<i1> Expressions::scalarCondition(Random &random) {
  if (pick(random, 0, 2) == 0)
    return (number(random) & 1) == pick(random, 0, 1);
  if (pick(random, 0, 1) == 0)
    return reduce_any(condition(random, alongN), n);
  return reduce_all(condition(random, alongM), m);
}

/// Anywhere near the tensor, also before it and past its end, perhaps with a limit.
inline Window Expressions::window(Random &random, const Axis &axis, const Dim &length) {
  if (strays(random))
    return pick(random, 0, 1) ? kk.at(number(random)) : axis.from(k.index(int64_t(1) << 62));
  Window result = axis.at(k.index(0));
  switch (pick(random, 0, 3)) {
  case 0:
    result = axis.at(number(random) & 3);
    break;
  case 1:
    result = axis.from(k.index(pick(random, -20, 60)));
    break;
  case 2:
    result = axis.from((number(random) & 63) - 9);
    break;
  default:
    break;
  }
  if (pick(random, 0, 2) == 0)
    return result.limit((number(random) & 127) - 3);
  return pick(random, 0, 1) ? result : result.limit(length - 1);
}

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_EXPRESSIONS_H
