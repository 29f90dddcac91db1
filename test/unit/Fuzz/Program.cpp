//===- Program.cpp - random programs of the language ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything is exact, so that two targets agree in every bit: integers wrap around, floats only hold
// small integers. Variables are i32 tiles over the axes m and n, or neither, or both, and numbers
// of the CTA. A statement changes one of them, makes a new one, writes a result, or is a loop or a
// branch around further statements.
//===----------------------------------------------------------------------===//
#include "Program.h"

#include "tile/dsl/Dsl.h"

#include <deque>

using namespace tile;
using tilec::fuzz::pick;
using tilec::fuzz::Random;
using tilec::fuzz::Shape;

namespace {
struct Config {
  int64_t seed = 0;
  int statements = 10;
  /// Bit s: without statement s.
  int64_t dropped = 0;
};
TILE_CONFIG(Config, seed, statements, dropped);

/// Which axes a tile has.
enum : unsigned { none = 0, alongM = 1, alongN = 2, both = 3 };

class Program {
public:
  Program(Kernel &k, const Config &cfg);
  void run();

private:
  using Tile = Fragment<i32>;
  struct Variable {
    unsigned axes;
    Tile tile;
  };

  std::vector<Axis> axes(unsigned which) const;
  Tile zero(unsigned which) { return k.fragment<i32>(axes(which), 0); }

  // Parts of statements.
  Tile operand(Random &random, unsigned which);
  Tile expression(Random &random, unsigned which);
  Tile combine(Random &random, const Tile &x, const Tile &y);
  Tile throughFloats(Random &random, const Tile &x);
  Fragment<i1> condition(Random &random, unsigned which);
  Index number(Random &random) { return numbers[pick(random, 0, int64_t(numbers.size()) - 1)]; }
  Fragment<i1> scalarCondition(Random &random);
  Window window(Random &random, const Axis &axis, const Dim &length);

  // Statements.
  void statement(int depth);
  void body(int depth, int count);
  void assign(Random &random);
  void declare(Random &random);
  void changeNumber(Random &random);
  void reduceTile(Random &random);
  void loadTile(Random &random);
  void throughShared(Random &random);
  void copyTile(Random &random);
  void readBack(Random &random);
  void storeTile(Random &random);
  void product(Random &random);
  void countedLoop(Random &random, int depth);
  void conditionalLoop(Random &random, int depth);
  void branch(Random &random, int depth);

  void storeTo(unsigned which, const Index &slot, const Tile &value);
  void add(unsigned which, const Tile &tile) { variables.push_back({which, tile}); }

  Kernel &k;
  Config cfg;
  Shape shape;
  Dim rows{"rows"}, cols{"cols"};
  Axis m, n, kk;
  Global<i32> In, Row, Scalars, OutM, OutN, OutBoth, OutNumber;
  Index cta;
  // Deques: variables of the language must not move while a loop watches them.
  std::deque<Variable> variables;
  std::deque<Index> numbers;
  int statements = 0; // so far, nested ones included
};
} // namespace

Program::Program(Kernel &k, const Config &cfg)
    : k(k), cfg(cfg), shape(tilec::fuzz::shapeOf(cfg.seed)), m("m", shape.m), n("n", shape.n),
      kk("kk", shape.k), In(k.input<i32>("in", {rows, cols})), Row(k.input<i32>("row", {cols})),
      Scalars(k.input<i32>("scalars", {16})),
      OutM(k.inout<i32>("out_m", {tilec::fuzz::programs, tilec::fuzz::slots, shape.m})),
      OutN(k.inout<i32>("out_n", {tilec::fuzz::programs, tilec::fuzz::slots, shape.n})),
      OutBoth(k.inout<i32>("out_both", {tilec::fuzz::programs, tilec::fuzz::slots, shape.m, shape.n})),
      OutNumber(k.inout<i32>("out_number", {tilec::fuzz::programs, tilec::fuzz::slots})) {
  cta = k.grid(tilec::fuzz::programs)[0];
  numbers.push_back(cta);
  numbers.push_back(Scalars(cta));
  add(both, load(In(m.at(cta), n.at(0))));
  add(alongN, load(Row(n.from(cta))));
  add(alongM, k.iota(m) * 3);
}

std::vector<Axis> Program::axes(unsigned which) const {
  std::vector<Axis> result;
  if (which & alongM)
    result.push_back(m);
  if (which & alongN)
    result.push_back(n);
  return result;
}

/// Some value whose axes are among these.
Fragment<i32> Program::operand(Random &random, unsigned which) {
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
    if ((variable.axes & ~which) == 0)
      return variable.tile;
  }
  return zero(none) + 7;
}

Fragment<i32> Program::combine(Random &random, const Tile &x, const Tile &y) {
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
Fragment<i32> Program::throughFloats(Random &random, const Tile &x) {
  auto small = cast<f32>(x & 255);
  switch (pick(random, 0, 5)) {
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
  default:
    return cast<i32>(where(small > 99.0, -small, abs(small - 50.0)));
  }
}

Fragment<i32> Program::expression(Random &random, unsigned which) {
  Tile result = operand(random, which);
  for (int64_t i = pick(random, 1, 3); i > 0; --i) {
    result = combine(random, result, operand(random, which));
    if (pick(random, 0, 5) == 0)
      result = throughFloats(random, result);
  }
  return which == none ? result : result + zero(which);
}

Fragment<i1> Program::condition(Random &random, unsigned which) {
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

Fragment<i1> Program::scalarCondition(Random &random) {
  if (pick(random, 0, 2) == 0)
    return (number(random) & 1) == pick(random, 0, 1);
  if (pick(random, 0, 1) == 0)
    return reduce_any(condition(random, alongN), n);
  return reduce_all(condition(random, alongM), m);
}

/// Anywhere near the tensor, also before it and past its end, perhaps with a limit.
Window Program::window(Random &random, const Axis &axis, const Dim &length) {
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

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void Program::assign(Random &random) {
  Variable &variable = variables[pick(random, 0, int64_t(variables.size()) - 1)];
  Tile value = expression(random, variable.axes);
  if (variable.axes && pick(random, 0, 2) == 0)
    value = where(condition(random, variable.axes), value, variable.tile);
  variable.tile = value;
}

void Program::declare(Random &random) {
  auto which = static_cast<unsigned>(pick(random, none, both));
  Tile value = expression(random, which);
  add(which, value);
}

void Program::changeNumber(Random &random) {
  Index x = number(random), y = number(random);
  Index value = k.index(0);
  switch (pick(random, 0, 7)) {
  case 0:
    value = x + y * 3;
    break;
  case 1:
    value = x / y;
    break;
  case 2:
    value = min(x, y) % 17;
    break;
  case 3:
    value = Scalars(x & 15);
    break;
  case 4:
    value = Row(unsigned_rem(x, cols));
    break;
  case 5:
    value = (x ^ y) >> (x & 7);
    break;
  case 6:
    value = clamp(x - y, -50, 50);
    break;
  default:
    value = to_index(reduce_max(expression(random, alongN), n));
    break;
  }
  if (pick(random, 0, 1))
    numbers.push_back(value);
  else
    numbers[pick(random, 0, int64_t(numbers.size()) - 1)] = value;
}

void Program::reduceTile(Random &random) {
  auto which = static_cast<unsigned>(pick(random, alongM, both));
  bool overN = which == alongN || (which == both && pick(random, 0, 1));
  const Axis &axis = overN ? n : m;
  Tile x = expression(random, which), result = zero(none);
  switch (pick(random, 0, 4)) {
  case 0:
    result = reduce_sum(x, axis);
    break;
  case 1:
    result = reduce_max(x, axis);
    break;
  case 2:
    result = reduce_min(x, axis);
    break;
  case 3:
    result = cast<i32>(reduce_any(x > 5, axis));
    break;
  default:
    result = cast<i32>(reduce_sum(cast<f32>(x & 255), axis));
    break;
  }
  add(which & ~(overN ? alongN : alongM), result);
}

void Program::loadTile(Random &random) {
  double pad = static_cast<double>(pick(random, -2, 2));
  if (pick(random, 0, 2)) {
    auto across = window(random, n, cols);
    Tile tile = load(In(window(random, m, rows), across), pad);
    tile = where(across.valid(), tile, tile + across.position());
    add(both, tile);
  } else {
    Tile tile = load(Row(window(random, n, cols)), pad);
    add(alongN, tile);
  }
}

void Program::throughShared(Random &random) {
  auto which = static_cast<unsigned>(pick(random, alongM, both));
  auto tile = k.alloc_shared<i32>(axes(which));
  store(expression(random, which), tile);
  Tile first = load(tile);
  if (pick(random, 0, 1)) {
    store(combine(random, first, operand(random, which)) + zero(which), tile);
    first = first + load(tile);
  }
  add(which, first);
}

void Program::copyTile(Random &random) {
  auto tile = k.alloc_shared<i32>({m, n});
  copy(In(window(random, m, rows), window(random, n, cols)), tile,
       static_cast<double>(pick(random, 0, 3)));
  Tile value = load(tile);
  if (pick(random, 0, 2) == 0) {
    auto other = k.alloc_shared<i32>({m, n});
    copy(tile, other);
    value = value - load(other) * 2;
  }
  if (pick(random, 0, 2) == 0)
    copy(tile, OutBoth(cta, pick(random, 0, tilec::fuzz::slots - 1), m, n));
  add(both, value);
}

void Program::storeTo(unsigned which, const Index &slot, const Tile &value) {
  if (which == both)
    store(value, OutBoth(cta, slot, m, n));
  else if (which == alongM)
    store(value, OutM(cta, slot, m));
  else if (which == alongN)
    store(value, OutN(cta, slot, n));
  else
    store(value, OutNumber.at({cta, slot}));
}

void Program::storeTile(Random &random) {
  auto which = static_cast<unsigned>(pick(random, none, both));
  Index slot = unsigned_rem(number(random), tilec::fuzz::slots);
  Tile value = expression(random, which);
  if (which == both && pick(random, 0, 2) == 0)
    store(value, OutBoth(cta, slot, m.from(pick(random, -5, 9)), n.from(0).limit(number(random))));
  else
    storeTo(which, slot, value);
}

/// What the CTA wrote itself, through other threads.
void Program::readBack(Random &random) {
  Index slot = unsigned_rem(number(random), tilec::fuzz::slots);
  if (pick(random, 0, 1)) {
    Tile tile = load(OutBoth(cta, slot, m.from(pick(random, -2, 2)), n));
    add(both, tile);
  } else {
    numbers.push_back(OutNumber(cta, slot));
  }
}

void Program::product(Random &random) {
  if (shape.m % 16 || shape.n % 8)
    return loadTile(random);
  auto a = k.alloc_shared<bf16>({m, kk}), b = k.alloc_shared<bf16>({n, kk});
  auto along = k.iota(kk);
  store(cast<bf16>(cast<f32>((expression(random, alongM) + along) & 15)), a);
  store(cast<bf16>(cast<f32>((expression(random, alongN) ^ along) & 7)), b);
  auto sum = k.fragment<f32>({m, n}, 1.0);
  k.loop(number(random) & 3, [&](Index) { sum = gemm(a, b, sum); });
  Tile result = cast<i32>(sum);
  add(both, result);
}

void Program::countedLoop(Random &random, int depth) {
  Index count = number(random) & 3;
  int inside = static_cast<int>(pick(random, 1, 3)), stages = static_cast<int>(pick(random, 0, 3));
  auto run = [&](Index i) {
    numbers.push_back(i);
    body(depth, inside);
    numbers.pop_back();
  };
  if (stages == 0)
    return k.loop(count, run);
  k.pipelined(count, {.stages = stages}, [&](Index i) {
    auto tile = k.alloc_shared<i32>({m, n});
    copy(In(m.at(i), n.at(0)), tile);
    add(both, load(tile));
    run(i);
    variables.pop_back();
  });
}

void Program::conditionalLoop(Random &random, int depth) {
  Index left = number(random) & 3;
  k.loop_while([&] { return left > 0; },
               [&] {
                 body(depth, static_cast<int>(pick(random, 1, 3)));
                 left -= 1;
               });
}

void Program::branch(Random &random, int depth) {
  auto side = [&] { body(depth, static_cast<int>(pick(random, 1, 2))); };
  if (pick(random, 0, 1))
    k.when(scalarCondition(random), side);
  else
    k.when(scalarCondition(random), side, side);
}

/// Variables made in it end with it.
void Program::body(int depth, int count) {
  size_t tiles = variables.size(), scalars = numbers.size();
  for (int i = 0; i < count; ++i)
    statement(depth + 1);
  while (variables.size() > tiles)
    variables.pop_back();
  while (numbers.size() > scalars)
    numbers.pop_back();
}

void Program::statement(int depth) {
  int number = statements++;
  Random random(static_cast<uint64_t>(cfg.seed) * 1000003 + static_cast<uint64_t>(number));
  bool isDropped = number < tilec::fuzz::maxStatements && cfg.dropped >> number & 1;
  if (isDropped)
    return;
  int64_t kind = pick(random, 0, depth < 2 && statements < 40 ? 16 : 12);
  switch (kind) {
  case 0:
  case 1:
  case 2:
    return assign(random);
  case 3:
    return declare(random);
  case 4:
    return changeNumber(random);
  case 5:
  case 6:
    return reduceTile(random);
  case 7:
    return loadTile(random);
  case 8:
    return throughShared(random);
  case 9:
    return copyTile(random);
  case 10:
    return storeTile(random);
  case 11:
    return readBack(random);
  case 12:
    return product(random);
  case 13:
  case 14:
    return countedLoop(random, depth);
  case 15:
    return conditionalLoop(random, depth);
  default:
    return branch(random, depth);
  }
}

void Program::run() {
  for (int i = 0; i < cfg.statements; ++i)
    statement(0);
  int next[4] = {};
  for (const Variable &variable : variables)
    if (int slot = next[variable.axes]++; slot < tilec::fuzz::slots)
      storeTo(variable.axes, k.index(slot), variable.tile);
  for (size_t i = 0; i < numbers.size() && next[none] < tilec::fuzz::slots; ++i)
    store(numbers[i], OutNumber.at({cta, next[none]++}));
}

template <class T> static void random_program(Kernel &k, const Config &cfg) {
  Program(k, cfg).run();
}
TILE_KERNEL(random_program, Config, i32);
