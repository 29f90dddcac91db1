//===- TopK.cpp - the k largest elements of each row ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A row is read once. Elements above a threshold are appended, in their order, to a list in shared
// memory; where the list overflows it is cut down to its k largest, whose smallest is the new
// threshold. Of a row in random order few elements pass: k of the first `capacity`, and about
// k * log(length / capacity) more.

#include "tile/dsl/Dsl.h"

#include <limits>

using namespace tile;

namespace {
struct Config {
  int most = 2048;     // k at most
  int chunk = 2048;    // elements of a row read at once
  int capacity = 8192; // of the list: at least most + chunk
  int part = 2048;     // of the list, worked on at once; divides the capacity
  int warps = 8, ctas_per_sm = 3;
};
TILE_CONFIG(Config, most, chunk, capacity, part, warps, ctas_per_sm);

constexpr int lowest = std::numeric_limits<int>::min();

/// Integers in the order of the floats: -0 lies below +0, and every NaN is the largest of all.
Fragment<i32> ordered(const Fragment<f32> &x) {
  auto bits = bitcast<i32>(x);
  return where(x == x, bits ^ ((bits >> 31) & 0x7fffffff), 0x7fffffff);
}

Fragment<f32> unordered(const Fragment<i32> &key) {
  return bitcast<f32>(key ^ ((key >> 31) & 0x7fffffff));
}

/// The list of candidates.
struct Candidates {
  Axis slot, part, digit;
  Shared<i32> keys, positions, bins;
  Index count;
  Fragment<i32> threshold; // what is not above it cannot be among the k largest

  Index parts() const { return ceil_div(count, part.extent()); }
  Shared<i32> keys_of(const Index &i) const { return keys.slice(slot, i * part.extent(), part); }
  Shared<i32> positions_of(const Index &i) const {
    return positions.slice(slot, i * part.extent(), part);
  }
  /// Which slots of part i are in use.
  Fragment<i1> live(Kernel &k, const Index &i) const {
    return k.iota(part) < cast<i32>(count - i * part.extent());
  }
};

/// The k-th largest key of the list, which holds at least k: eleven bits at a time. `left` comes as
/// k and becomes how many keys equal to it are among the k largest.
Fragment<i32> find_kth(Kernel &k, Candidates &list, Fragment<i32> &left) {
  auto found = k.fragment<i32>({}, 0); // its high bits, as those of an unsigned number
  for (auto [shift, bits] : {std::pair{21, 11}, {10, 11}, {0, 10}}) {
    store(k.fragment<i32>({list.digit}, 0), list.bins);
    k.loop(list.parts(), [&, shift = shift, bits = bits](Index i) {
      auto key = load(list.keys_of(i)) ^ lowest;
      auto counts = list.live(k, i);
      if (shift + bits < 32)
        counts = counts & (shift_right_logical(key, shift + bits) == found);
      auto digit = shift_right_logical(key, shift) & ((1 << bits) - 1);
      atomic_add(list.bins(digit).where(counts), 1);
    });
    // How many keys have this digit or a larger one.
    auto counts = scan_sum(load(list.bins), list.digit, {.reverse = true});
    auto enough = counts >= left;
    auto chosen = reduce_max(where(enough, k.iota(list.digit), 0), list.digit);
    left -= reduce_max(where(enough, 0, counts), list.digit);
    found = (found << bits) | chosen;
  }
  return found ^ lowest;
}

/// Keeps the k largest of the list, in their order; of equal ones the first.
void shrink(Kernel &k, Candidates &list, const Dim &most) {
  auto left = cast<i32>(k.index(most));
  auto kth = find_kth(k, list, left);
  auto kept = k.fragment<i32>({}, 0), equals = kept; // of the parts so far
  k.loop(list.parts(), [&](Index i) {
    auto key = load(list.keys_of(i)), position = load(list.positions_of(i));
    auto live = list.live(k, i);
    auto above = live & (key > kth), equal = live & (key == kth);
    // Both counts in one number.
    auto flags = cast<i32>(above) + (cast<i32>(equal) << 16);
    auto before = scan_sum(flags, list.part, {.exclusive = true});
    auto all = reduce_sum(flags, list.part);
    auto first = kept - min(equals, left);
    auto equals_before = equals + (before >> 16);
    auto keeps = above | (equal & (equals_before < left));
    auto place = first + (before & 0xffff) + min(equals_before, left);
    // Never to a later part: what is there is still to be read.
    store(key, list.keys(place).where(keeps));
    store(position, list.positions(place).where(keeps));
    equals += all >> 16;
    kept = first + (all & 0xffff) + min(equals, left);
  });
  list.threshold = kth;
  list.count = k.index(most);
}

/// The min(k, length) largest of the first `length` elements of each row, in the order of their
/// positions; of equal ones those with the lowest positions. NaN is larger than everything, as in
/// torch. Behind them positions of -1 and values of -inf.
template <class T> void top_k(Kernel &k, const Config &cfg) {
  Dim rows("rows"), cols("cols"), most("k");
  auto X = k.input<f32>("x", {rows, cols});
  auto Length = k.input<i32>("length", {rows});
  auto Position = k.output<i32>("position", {rows, most});
  auto Value = k.output<f32>("value", {rows, min(most, cfg.most)}); // refuses a larger k

  Axis n("n", cfg.chunk), slot("slot", cfg.capacity), part("part", cfg.part);
  Axis digit("digit", 2048), out("out", cfg.most);
  auto [row] = k.grid(rows);
  Index length = clamp(Length(row), 0, cols);
  Candidates list{slot,
                  part,
                  digit,
                  k.alloc_shared<i32>({slot}),
                  k.alloc_shared<i32>({slot}),
                  k.alloc_shared<i32>({digit}),
                  k.index(0),
                  k.fragment<i32>({}, lowest)};
  store(k.fragment<i32>({slot}, 0), list.keys);
  store(k.fragment<i32>({slot}, 0), list.positions);

  auto next = load(X(row, n.at(0).limit(length)));
  k.loop(ceil_div(length, cfg.chunk), [&](Index i) {
    auto key = ordered(next);
    auto here = n.at(i).limit(length);
    next = load(X(row, n.at(i + 1).limit(length))); // under way during this chunk's work
    Fragment<i1> chosen;
    Fragment<i32> place;
    Index added;
    auto choose = [&] {
      chosen = here.valid() & (key > list.threshold);
      auto flags = cast<i32>(chosen);
      place = scan_sum(flags, n, {.exclusive = true});
      added = to_index(reduce_sum(flags, n));
    };
    choose();
    k.when(list.count + added > cfg.capacity, [&] {
      shrink(k, list, most);
      choose();
    });
    place += cast<i32>(list.count);
    store(key, list.keys(place).where(chosen));
    store(here.position(), list.positions(place).where(chosen));
    list.count += added;
  });
  k.when(list.count > most, [&] { shrink(k, list, most); });

  auto there = k.iota(out) < cast<i32>(list.count);
  auto to = out.from(0).limit(most);
  auto positions = load(list.positions.slice(slot, 0, out));
  auto keys = load(list.keys.slice(slot, 0, out));
  store(where(there, positions, -1), Position(row, to));
  store(where(there, unordered(keys), -inf), Value(row, to));
}

TILE_KERNEL(top_k, Config, f32);
} // namespace
