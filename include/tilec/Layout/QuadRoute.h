//===- QuadRoute.h - which words go from lane to lane of a quad ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A layout conversion within four lanes as a small routing problem. A *part* is a run of registers
// that stays together. Parts that each reader finds in one lane travel as one *word*. Words of
// different sources are sent in *rounds*: in a round every lane sends one word and reads at most
// one, which is what a shuffle instruction does.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_QUADROUTE_H
#define TILEC_LAYOUT_QUADROUTE_H

#include "tilec/Layout/FragmentLayout.h"

#include <array>
#include <vector>

namespace tilec {

constexpr int kQuadLanes = 4;

/// Where a reader finds a part of the result: lane of its quad (-1: padding, anything will do) and
/// part of the source.
struct QuadSource {
  int lane = -1;
  int64_t part = -1;
  bool operator==(const QuadSource &) const = default;
};
/// For each part of the result and each lane of a quad.
using QuadTable = std::vector<std::array<QuadSource, kQuadLanes>>;

/// The table of a conversion whose elements stay in their quad, in parts of `run` registers.
/// Nothing if it is not the same one in all quads.
std::optional<QuadTable> quadTable(const FragmentLayout &from, const FragmentLayout &to,
                                   llvm::ArrayRef<int64_t> shape, int64_t run);

/// What the lanes read in one round.
struct QuadRound {
  std::array<int, kQuadLanes> word{-1, -1, -1, -1}; // of the batch; -1: nothing
};
/// Words that share rounds. What no round brings is in the reader's own registers.
struct QuadBatch {
  std::vector<llvm::SmallVector<int64_t, 4>> words; // parts of the result that each consists of
  std::vector<QuadRound> rounds;
};
/// Routes every part of the table, in words of at most `partsPerWord`.
std::vector<QuadBatch> routeQuad(const QuadTable &table, int64_t partsPerWord);

/// The parts of the source that `reader` finds together for a word.
llvm::SmallVector<int64_t, 4> sourceParts(const QuadTable &table, llvm::ArrayRef<int64_t> word,
                                          int reader);

} // namespace tilec

#endif // TILEC_LAYOUT_QUADROUTE_H
