//===- Program.cpp - random programs of the language ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A statement changes a variable, makes a new one, writes a result, or is a loop or a branch around
// further statements.
//===----------------------------------------------------------------------===//
#include "Breadth.h"

using namespace tilec::fuzz;

namespace {
class Program : private Breadth {
public:
  Program(Kernel &k, const Config &cfg, bool wild = false) : Breadth(k, cfg, wild) {}
  void run();

private:
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

  int statements = 0; // so far, nested ones included
};
} // namespace

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
    copy(tile, OutBoth(cta, pick(random, 0, slots - 1), m, n));
  add(both, value);
}

void Program::storeTo(unsigned which, const Index &slot, const Tile &value) {
  if (wild && cfg.seed % 16 == 5)
    which ^= both;
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
  Index slot = unsigned_rem(number(random), slots);
  Tile value = expression(random, which);
  if (which == both && pick(random, 0, 2) == 0)
    store(value, OutBoth(cta, slot, m.from(pick(random, -5, 9)), n.from(0).limit(number(random))));
  else
    storeTo(which, slot, value);
}

/// What the CTA wrote itself, through other threads.
void Program::readBack(Random &random) {
  Index slot = unsigned_rem(number(random), slots);
  if (pick(random, 0, 1)) {
    Tile tile = load(OutBoth(cta, slot, m.from(pick(random, -2, 2)), n));
    add(both, tile);
  } else {
    numbers.push_back(OutNumber(cta, slot));
  }
}

void Program::product(Random &random) {
  if ((shape.m % 16 || shape.n % 8) && !strays(random))
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
  bool isDropped = number < maxStatements && cfg.dropped >> number & 1;
  if (isDropped)
    return;
  int64_t kind = pick(random, 0, depth < 2 && statements < 40 ? 23 : 19);
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
    return gatherTile(random);
  case 14:
    return scatterTile(random);
  case 15:
    return countShared(random);
  case 16:
    return addToMemory(random);
  case 17:
    return scanTile(random);
  case 18:
    return splitAxis(random);
  case 19:
    return partOfTile(random);
  case 20:
  case 21:
    return countedLoop(random, depth);
  case 22:
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
    if (int slot = next[variable.axes]++; slot < slots)
      storeTo(variable.axes, k.index(slot), variable.tile);
  for (size_t i = 0; i < numbers.size() && next[none] < slots; ++i)
    store(numbers[i], OutNumber.at({cta, next[none]++}));
}

template <class T> static void random_program(Kernel &k, const Config &cfg) {
  Program(k, cfg).run();
}
TILE_KERNEL(random_program, Config, i32);

template <class T> static void wild_program(Kernel &k, const Config &cfg) {
  Program(k, cfg, true).run();
}
TILE_KERNEL(wild_program, Config, i32);
