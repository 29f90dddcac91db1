//===- PairListsTest.cpp - what neighbouring lists have in common ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <limits>

using namespace tile::test;
using tile::DType;

namespace {
using List = std::vector<int64_t>;

struct Pair {
  List common, own[2];
};

/// Both ascending, with repetitions.
Pair divide(const List &first, const List &second) {
  Pair pair;
  std::set_intersection(first.begin(), first.end(), second.begin(), second.end(),
                        std::back_inserter(pair.common));
  pair.common.resize(pair.common.size() / 2 * 2);
  for (int i : {0, 1}) {
    const List &list = i ? second : first;
    std::set_difference(list.begin(), list.end(), pair.common.begin(), pair.common.end(),
                        std::back_inserter(pair.own[i]));
  }
  return pair;
}

/// Two blocks in an entry.
double entryOf(int64_t first, int64_t second) {
  return static_cast<double>(second * 65536 + (first & 0xffff));
}

class PairLists : public KernelTest {
protected:
  int64_t entry(int64_t kBlocks) {
    int64_t any = pick(random, 0, 30);
    if (any == 0)
      return pick(random, 0, 1) ? -1 : std::numeric_limits<int32_t>::min();
    if (any == 1)
      return pick(random, 0, 1) ? kBlocks : std::numeric_limits<int32_t>::max();
    return pick(random, 0, kBlocks - 1);
  }

  /// A list of each kind, in random order: empty, of anything with repetitions, without, as
  /// `before`.
  List list(int64_t kBlocks, int64_t most, const List &before) {
    List result(pick(random, 0, most));
    switch (pick(random, 0, 4)) {
    case 0:
      return {};
    case 1:
      result = before;
      break;
    case 2:
      std::generate(result.begin(), result.end(), [&] { return entry(kBlocks); });
      break;
    default:
      result.clear();
      for (int64_t i = 0; i < kBlocks; ++i)
        result.push_back(i);
    }
    std::shuffle(result.begin(), result.end(), random);
    auto size = static_cast<int64_t>(result.size());
    result.resize(std::min(size, pick(random, 0, 1) ? most : pick(random, 0, most)));
    return result;
  }

  void check(int64_t qBlocks, int64_t kBlocks, int64_t maxBlocks);
};

void PairLists::check(int64_t qBlocks, int64_t kBlocks, int64_t maxBlocks) {
  SCOPED_TRACE(testing::Message() << qBlocks << " x " << kBlocks << ", lists of " << maxBlocks);
  const int64_t batch = 2, heads = 2, pairs = (qBlocks + 1) / 2;
  GuardedTensor count(DType::i32, {batch, heads, qBlocks}),
      pairCount(DType::i32, {batch, heads, pairs, 2});
  GuardedTensor index(DType::i32, {batch, heads, qBlocks, maxBlocks},
                      paddedStrides({batch, heads, qBlocks, maxBlocks}, 3));
  GuardedTensor pairIndex(DType::i32, {batch, heads, pairs, 2, maxBlocks});
  std::vector<double> counts, lists;
  List before;
  for (int64_t all = 0; all < batch * heads; ++all)
    for (int64_t p = 0; p < pairs; ++p) {
      List valid[2];
      for (int64_t i = 0; i < std::min<int64_t>(2, qBlocks - 2 * p); ++i) {
        int64_t row = all * qBlocks + 2 * p + i;
        List entries = before = list(kBlocks, maxBlocks, before);
        auto length = static_cast<int64_t>(entries.size());
        bool isFull = length == maxBlocks, isEmpty = length == 0;
        count.set(row, static_cast<double>(length + (isFull    ? pick(random, 0, 2)
                                                     : isEmpty ? -pick(random, 0, 2)
                                                               : 0)));
        for (int64_t at = 0; at < maxBlocks; ++at) // behind the list anything
          index.set(row * maxBlocks + at,
                    static_cast<double>(at < length ? entries[at] : pick(random, 0, kBlocks - 1)));
        std::copy_if(entries.begin(), entries.end(), std::back_inserter(valid[i]),
                     [&](int64_t block) { return block >= 0 && block < kBlocks; });
        std::sort(valid[i].begin(), valid[i].end());
      }
      Pair pair = divide(valid[0], valid[1]);
      counts.push_back(static_cast<double>(pair.common.size() / 2));
      counts.push_back(static_cast<double>(std::max(pair.own[0].size(), pair.own[1].size())));
      pair.common.resize(2 * maxBlocks, -1);
      for (List &own : pair.own)
        own.resize(maxBlocks, -1);
      for (int64_t at = 0; at < maxBlocks; ++at)
        lists.push_back(entryOf(pair.common[2 * at], pair.common[2 * at + 1]));
      for (int64_t at = 0; at < maxBlocks; ++at)
        lists.push_back(entryOf(pair.own[0][at], pair.own[1][at]));
    }
  EXPECT_OK(run(variant(),
                {count, index, pairCount, pairIndex, tile::Arg::integer(DType::i32, kBlocks)}));
  EXPECT_EQ(pairCount.values(), counts);
  EXPECT_EQ(pairIndex.values(), lists);
}

TEST_P(PairLists, EveryKindOfList) {
  const int64_t most = variant().config("most"), entries = variant().config("entries");
  for (auto [qBlocks, kBlocks, maxBlocks] : cases<std::array<int64_t, 3>>(
           {{1, 1, 1}, {2, most, entries}, {41, 7, 9}, {40, most - 1, 64}, {7, 100, entries}},
           {{5, most, 64}, {2, 7, 9}}))
    check(qBlocks, kBlocks, maxBlocks);
}
TILE_INSTANTIATE(PairLists, "pair_lists");
} // namespace
