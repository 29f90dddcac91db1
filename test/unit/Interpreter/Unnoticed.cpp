//===- Unnoticed.cpp - changes of kernels that nothing can notice ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Unnoticed.h"

namespace tilec::test {

namespace {
constexpr const char *inChunk =
    "the first element of a chunk that is not empty is there; an index that a launch "
    "cannot bring out of its range; a branch around work on nothing; a key of a tile that no mask "
    "touches is there, where its scores are computed again";
constexpr const char *merged =
    "copies of a group that is not closed belong to the next one, which the wait covers";
constexpr const char *landed = "the consumers have waited for every copy; the producer's threads "
                               "wait for their own before they leave";
constexpr const char *last = "the last release of a slot: nobody waits for it any more";
constexpr const char *besideAnother =
    "two slots are given back one after the other: either barrier is enough for both";
constexpr const char *givenBackLater =
    "the queries are given back behind the number of the next item, and the "
    "producer has waited for them";
constexpr const char *lockstep =
    "one thread gives b back before a, and the producer has waited for a";
constexpr const char *onlyProducts =
    "nothing but products of one shape touches the registers; kept, as ptxas looks for it";
constexpr const char *earlierFence =
    "the fence in front of the other product lies behind the same writes";
constexpr const char *ownElements =
    "each thread meets only elements that it wrote or read itself, which the pass that "
    "places barriers proves for global memory only";
constexpr const char *order = "an arrival that never happens keeps the order of issue, for speed";
constexpr const char *firstMaximum =
    "the first tile's maximum lies farther above -inf than any bound, or is -inf itself; one "
    "whose scores are computed again lies above the bound, and a lower reference is as right";
} // namespace

const std::vector<Unnoticed> unnoticed = {
    {"axpy", "predicate", 3, inChunk},
    {"softmax", "predicate", 2, inChunk},
    {"scaled_gemm_scheduled", "predicate", 1, inChunk},
    {"order_by_cost", "predicate", 3, inChunk},
    {"jagged_copy", "predicate", 6, inChunk},
    {"histogram", "predicate", 3, inChunk},
    {"split_logsumexp", "predicate", 2, inChunk},
    {"top_k", "predicate", 3, inChunk},
    {"paged_copy", "predicate", 4, inChunk},
    {"attention", "predicate", 2, inChunk},
    {"attention", "barrier", 1, ownElements},
    {"attention", "proxy fence", 1, ownElements},
    {"attention_scheduled", "predicate", 9, inChunk},
    {"dense_attention_scheduled", "predicate", 6, inChunk},
    {"gemm", "copies' commit", 1, merged},
    {"gemm8", "copies' commit", 1, merged},
    {"gathered_gemm", "copies' commit", 1, merged},
    {"gathered_gemm_scheduled", "copies' commit", 1, landed},
    {"gathered_gemm_scheduled", "copies' wait", 1, landed},
    {"gathered_gemm_scheduled", "copies' wait for less", 1, landed},
    {"gathered_gemm_scheduled", "products' fence", 1, onlyProducts},
    {"gathered_gemm_scheduled", "mbarrier wait", 1, lockstep},
    {"gathered_gemm_scheduled", "mbarrier arrival", 2, last},
    {"gathered_gemm_scheduled", "mbarrier arrival's predicate", 2, last},
    {"gemm_scheduled", "products' fence", 1, onlyProducts},
    {"scaled_gemm_scheduled", "products' fence", 1, onlyProducts},
    {"attention_scheduled", "products' fence", 2, earlierFence},
    {"dense_attention_scheduled", "products' fence", 2, earlierFence},
    {"gemm_scheduled", "mbarrier wait", 1, lockstep},
    {"scaled_gemm_scheduled", "mbarrier wait", 1, lockstep},
    {"gemm_scheduled", "mbarrier arrival", 2, last},
    {"scaled_gemm_scheduled", "mbarrier arrival", 2, last},
    {"attention_scheduled", "mbarrier arrival", 2, last},
    {"dense_attention_scheduled", "mbarrier arrival", 2, last},
    {"gemm_scheduled", "mbarrier arrival's predicate", 2, last},
    {"scaled_gemm_scheduled", "mbarrier arrival's predicate", 2, last},
    {"attention_scheduled", "mbarrier arrival's predicate", 2, last},
    {"dense_attention_scheduled", "mbarrier arrival's predicate", 2, last},
    {"attention_scheduled", "warp barrier", 1, last},
    {"dense_attention_scheduled", "warp barrier", 1, last},
    {"attention_scheduled", "mbarrier count", 1, last},
    {"dense_attention_scheduled", "mbarrier count", 1, last},
    {"item_attention_scheduled", "warp barrier", 2, besideAnother},
    {"item_attention_scheduled", "mbarrier wait", 1, givenBackLater},
    {"dense_attention_scheduled", "named barrier", 1,
     "a turn orders the issue of products for their speed, not data"},
    {"paged_copy", "barrier", 1, ownElements},
    {"top_k", "barrier", 4, ownElements},
    {"split_logsumexp", "barrier", 2,
     "release and acquire are between CTAs, and the interpreter runs one after the other"},
    {"histogram", "mask", 1,
     "numbers outside have a bin that nobody reads, and would be dropped behind it"},
    {"layer_norm", "mask", 1, "the first parts of a long row are whole"},
    {"softmax", "mask", 1, firstMaximum},
    {"attention_scheduled", "mask", 1, firstMaximum},
    {"dense_attention_scheduled", "mask", 2, firstMaximum},
    {"register_attention_scheduled", "mask", 1, firstMaximum},
    {"item_attention_scheduled", "mask", 2, firstMaximum},
    {"group_attention_scheduled", "mask", 3, firstMaximum},
    {"item_attention_scheduled", "predicate", 9, inChunk},
    {"item_attention_scheduled", "products' fence", 2, earlierFence},
    {"register_attention_scheduled", "predicate", 7, inChunk},
    {"register_attention_scheduled", "products' fence", 2, earlierFence},
    {"register_attention_scheduled", "named barrier", 1, order},
    {"paired_attention_scheduled", "predicate", 10, inChunk},
    {"group_attention_scheduled", "predicate", 7, inChunk},
    {"paired_attention_scheduled", "products' fence", 4, earlierFence},
    {"group_attention_scheduled", "products' fence", 2, earlierFence},
    {"paired_attention_scheduled", "mbarrier arrival", 5, last},
    {"group_attention_scheduled", "mbarrier arrival", 4, last},
    {"paired_attention_scheduled", "mbarrier arrival's predicate", 5, last},
    {"group_attention_scheduled", "mbarrier arrival's predicate", 4, last},
    {"paired_attention_scheduled", "warp barrier", 1, last},
    {"group_attention_scheduled", "warp barrier", 1, last},
    {"paired_attention_scheduled", "mbarrier count", 1, last},
    {"group_attention_scheduled", "mbarrier count", 1, last},
    {"paired_attention_scheduled", "named barrier", 2, order},
    {"group_attention_scheduled", "named barrier", 1, order},
    {"pair_lists", "barrier", 1, "behind the last list nothing follows"},
    {"pair_lists", "predicate", 5, inChunk},
    {"pair_lists", "mask", 1,
     "the bit shifted by 16 times the number of the list, which is below 2"},
    {"block_lists", "mask", 1, "the author stores under the same mask"},
    {"block_lists", "swizzle of an address", 1, "a tile is filled with one number"},
};

} // namespace tilec::test
