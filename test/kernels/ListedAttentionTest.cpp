//===- ListedAttentionTest.cpp - attention over lists of every kind ------===//
// SPDX-License-Identifier: Apache-2.0

#include "AttentionCase.h"

#include <limits>

using namespace tile::test;

namespace {
class ListedAttention : public AttentionKernelTest {};

TEST_P(ListedAttention, EveryKindOfList) {
  for (Lists lists :
       cases({Lists::none, Lists::one, Lists::all, Lists::some, Lists::invalid, Lists::onlyInvalid},
             {Lists::none, Lists::invalid, Lists::onlyInvalid}))
    for (auto [qLen, kvLen] : cases({std::pair(300, 300), std::pair(65, 513), std::pair(200, 100)},
                                    {std::pair(65, 200)}))
      check({.qLen = qLen, .kvLen = kvLen, .lists = lists});
}

// Few queries over very many keys. One variant is enough: filling the tensors takes long.
TEST_P(ListedAttention, LongSequences) {
  if (isInterpreted() || variant().config("head_dim") != 64 || variant().config("block_m") != 64 ||
      variant().config("block_n") != 64 || !variant().config("causal"))
    return;
  for (int64_t kvLen : {65'537, 122'880, 150'001})
    check(
        {.group = 1, .qLen = 2, .kvLen = kvLen, .lists = Lists::invalid, .memory = Memory::packed});
}

TEST_P(ListedAttention, CountsOutOfRange) {
  AttentionCase given = {.qLen = 300, .kvLen = isInterpreted() ? 100 : 300, .lists = Lists::all};
  AttentionCall call(variant(), given, random);
  const int32_t counts[] = {std::numeric_limits<int32_t>::max(),
                            std::numeric_limits<int32_t>::min(), -1,
                            static_cast<int32_t>(call.shape().maxBlocks) + 1};
  for (int64_t i = 0; i < call.blockCount.elements(); ++i)
    call.blockCount.set(i, counts[i % 4]);
  call.poisonUnselected();
  EXPECT_OK(call.runAndCheck());
}

// Twice the same block: it counts twice, for one block of queries or for both.
TEST_P(ListedAttention, DoubledEntries) {
  AttentionCall call(variant(), {.qLen = 120, .kvLen = 250, .lists = Lists::all}, random);
  const int64_t most = call.shape().maxBlocks;
  for (int64_t i = 0; i < call.blockIndex.elements(); ++i)
    call.blockIndex.set(i, static_cast<double>((i / most + i % most) % 3 / 2));
  call.poisonUnselected();
  EXPECT_OK(call.runAndCheck());
}

TEST_P(ListedAttention, NoKeys) {
  check({.qLen = 100, .kvLen = 0, .lists = Lists::invalid}); // rows of 0 and -inf
}

TILE_INSTANTIATE(ListedAttention, "block_sparse_forward");
INSTANTIATE_TEST_SUITE_P(Paired, ListedAttention, testing::ValuesIn(variants("paired_forward")),
                         variantName);
INSTANTIATE_TEST_SUITE_P(Group, ListedAttention, testing::ValuesIn(variants("group_forward")),
                         variantName);
} // namespace
