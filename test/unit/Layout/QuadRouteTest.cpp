//===- QuadRouteTest.cpp - routes carried out lane by lane -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/QuadRoute.h"
#include "gtest/gtest.h"

#include <algorithm>
#include <random>

using namespace tilec;

namespace {
/// What each lane reads of each part, by carrying out the route: lane and part of the source,
/// packed.
using Result = std::vector<std::array<std::pair<int, int64_t>, kQuadLanes>>;

/// Fails if a lane would have to send two words in a round, or if a part comes from nowhere.
Result carryOut(const QuadTable &table, const std::vector<QuadBatch> &batches,
                int64_t partsPerWord) {
  Result result(table.size());
  std::vector<int> covered(table.size(), 0);
  for (const QuadBatch &batch : batches) {
    for (const auto &word : batch.words) {
      EXPECT_LE(static_cast<int64_t>(word.size()), partsPerWord);
      for (int64_t part : word)
        ++covered[part];
      for (int reader = 0; reader < kQuadLanes; ++reader) // its own, unless a round brings it
        for (int64_t part : word)
          result[part][reader] = {reader, table[part][reader].part};
    }
    for (const QuadRound &round : batch.rounds) {
      std::array<std::optional<llvm::SmallVector<int64_t, 4>>, kQuadLanes> sent;
      for (int reader = 0; reader < kQuadLanes; ++reader) {
        if (round.word[reader] < 0)
          continue;
        const auto &word = batch.words[round.word[reader]];
        int lane = table[word.front()][reader].lane;
        auto parts = sourceParts(table, word, reader);
        EXPECT_TRUE(!sent[lane] || *sent[lane] == parts) << "lane " << lane << " sends two words";
        sent[lane] = parts;
        for (auto [part, source] : llvm::zip(word, parts))
          result[part][reader] = {lane, source};
      }
    }
  }
  EXPECT_EQ(covered, std::vector<int>(table.size(), 1));
  return result;
}

void check(const QuadTable &table, int64_t partsPerWord) {
  Result result = carryOut(table, routeQuad(table, partsPerWord), partsPerWord);
  for (size_t part = 0; part < table.size(); ++part)
    for (int reader = 0; reader < kQuadLanes; ++reader)
      if (QuadSource wanted = table[part][reader]; wanted.lane >= 0)
        EXPECT_EQ(result[part][reader], std::pair(wanted.lane, wanted.part))
            << part << ", " << reader;
}

int64_t roundsOf(const std::vector<QuadBatch> &batches) {
  int64_t sum = 0;
  for (const QuadBatch &batch : batches)
    sum += static_cast<int64_t>(batch.rounds.size());
  return sum;
}

// The accumulator's bytes as the next product's operand: a word per register of the operand.
TEST(QuadRoute, BytesOfAProductForTheNext) {
  const auto from = wgmmaAccumulator(64, 128, {}), to = wgmmaOperand8(64, 128, {});
  const llvm::SmallVector<int64_t> shape{64, 128};
  auto table = quadTable(from, to, shape, 2);
  ASSERT_TRUE(table);
  check(*table, 2);
  EXPECT_EQ(roundsOf(routeQuad(*table, 2)), to.numRegs() / 4);
}

TEST(QuadRoute, OneWordForAllLanesIsSentOnce) {
  QuadTable table{{QuadSource{2, 5}, QuadSource{2, 5}, QuadSource{2, 5}, QuadSource{2, 5}}};
  check(table, 1);
  EXPECT_EQ(roundsOf(routeQuad(table, 1)), 1);
}

TEST(QuadRoute, WhatStaysIsNotSent) {
  QuadTable table{{QuadSource{0, 1}, QuadSource{1, 7}, QuadSource{}, QuadSource{3, 1}}};
  check(table, 2);
  EXPECT_EQ(roundsOf(routeQuad(table, 2)), 0);
}

// A transpose of lanes and registers: three words of four have to move, and three rounds do it.
TEST(QuadRoute, Transpose) {
  QuadTable table;
  for (int64_t part = 0; part < 4; ++part) {
    table.emplace_back();
    for (int reader = 0; reader < kQuadLanes; ++reader)
      table.back()[reader] = {static_cast<int>(part), reader};
  }
  check(table, 1);
  EXPECT_EQ(roundsOf(routeQuad(table, 1)), 3);
}

TEST(QuadRoute, AnyTable) {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    QuadTable table(1 + random() % 12);
    const int64_t lanes = 1 + random() % 4, parts = 1 + random() % 8;
    for (auto &readers : table)
      for (QuadSource &source : readers)
        if (random() % 8 != 0)
          source = {static_cast<int>(random() % lanes), static_cast<int64_t>(random() % parts)};
    check(table, 1 + random() % 4);
  }
}

// Where quads differ there is no table.
TEST(QuadRoute, OnlyWhatEveryQuadDoes) {
  const llvm::SmallVector<int64_t> shape{16, 8};
  EXPECT_FALSE(quadTable(replicated(shape, 1), mmaAccumulator(16, 8, {}), shape, 1));
}
} // namespace
