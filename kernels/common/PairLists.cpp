//===- PairLists.cpp - what two neighbouring query blocks have in common ----===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

#include <algorithm>

using namespace tile;

namespace {
struct Config {
  int entries = 256, most = 256; // of a list, and key blocks, at most
  int warps = 4;
};
TILE_CONFIG(Config, entries, most, warps);

/// From the lists of block-sparse attention those of `paired_forward`: for each pair of
/// neighbouring query blocks the key blocks that both list, and what is left to each of the two,
/// all ascending and then -1. An entry is two blocks, the first in its low half: two that both
/// list, or one of the first's and one of the second's own. A last query block without a neighbour
/// has an empty list. Blocks that are not in [0, k_blocks) are dropped; one that stands in a list
/// several times is there as often. The number of common ones is even: of an odd one the last is
/// left to both.
template <class T> void pair_lists(Kernel &k, const Config &cfg) {
  Dim batch("batch"), heads("heads"), q_blocks("q_blocks"), max_blocks("max_blocks");
  Dim pairs = ceil_div(q_blocks, 2);
  // Common blocks come in twos, and a block's number has to fit into half of an entry.
  const int longest = cfg.entries / 2 * 2, most = std::min(cfg.most, 32768);
  auto Count = k.input<T>("block_count", {batch, heads, q_blocks});
  // Refuses longer lists.
  auto Block = k.input<T>("block_index", {batch, heads, q_blocks, min(max_blocks, longest)});
  auto PairCount = k.output<i32>("pair_count", {batch, heads, pairs, 2}); // entries: common, own
  auto PairBlock = k.output<i32>("pair_index", {batch, heads, pairs, 2, max_blocks});
  auto k_blocks = k.scalar<i32>("k_blocks"); // at most `most`

  Axis member("member", 2), e("e", longest), n("n", most), half("half", longest / 2);
  Axis all = member * e;
  auto [p, h, b] = k.grid(pairs, heads, batch);
  auto members = member.at(p).limit(q_blocks);
  auto entries = e.from(0).limit(max_blocks);

  // How often each key block is listed: by the first in the low half of a number, by the second
  // above.
  auto block = load(Block(b, h, members, entries), -1);
  auto count = load(Count(b, h, members));
  auto listed = (k.iota(e) < count) & (block >= 0) & (block < min(k_blocks, most));
  auto one = k.fragment<i32>({member, e}, 1) << (k.iota(member) * 16);
  auto times = k.alloc_shared<i32>({n});
  store(k.fragment<i32>({n}, 0), times);
  atomic_add(times(join(block, all)).where(join(listed, all)), join(one, all));
  auto both = load(times);
  auto first = both & 0xffff, second = shift_right_logical(both, 16);

  auto common = min(first, second);
  auto before = scan_sum(common, n, {.exclusive = true});
  auto total = reduce_sum(common, n);
  common -= cast<i32>((common > 0) & (before + common == total)) & total; // 1 of the last, if odd
  auto own = (first - common) | ((second - common) << 16);
  auto own_before = scan_sum(own, n, {.exclusive = true});
  auto own_total = reduce_sum(own, n);
  auto repeats = reduce_max(max(first, second), n) > 1;

  auto makeList = [&](const Fragment<i32> &repeat, const Fragment<i32> &place,
                      const Fragment<i32> &length) {
    auto list = k.alloc_shared<i32>({e});
    store(k.fragment<i32>({e}, -1), list);
    store(k.iota(n), list(place).where(repeat > 0));
    k.when(repeats, [&] { store(where(k.iota(e) < length, scan_max(load(list), e), -1), list); });
    return list;
  };
  auto pack = [](const Fragment<i32> &one, const Fragment<i32> &other) {
    return (one & 0xffff) | (other << 16);
  };
  auto low = [](const Fragment<i32> &x) { return x & 0xffff; };
  auto high = [](const Fragment<i32> &x) { return shift_right_logical(x, 16); };
  auto even = total & ~1;
  auto shared = makeList(common, before, even);
  auto place = k.iota(half) * 2;
  store(pack(load(shared(place)), load(shared(place + 1))),
        PairBlock(b, h, p, 0, half.at(0).limit(max_blocks)));
  store(k.fragment<i32>({half}, -1), PairBlock(b, h, p, 0, half.at(1).limit(max_blocks)));
  auto mine = makeList(low(own), low(own_before), low(own_total));
  auto others = makeList(high(own), high(own_before), high(own_total));
  store(pack(load(mine), load(others)), PairBlock(b, h, p, 1, entries));
  store(even / 2, PairCount.at({b, h, p, 0}));
  store(max(low(own_total), high(own_total)), PairCount.at({b, h, p, 1}));
}

TILE_KERNEL(pair_lists, Config, i32);
} // namespace
