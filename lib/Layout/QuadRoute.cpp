//===- QuadRoute.cpp - which words go from lane to lane of a quad ----------===//
// SPDX-License-Identifier: Apache-2.0
#include "tilec/Layout/QuadRoute.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace tilec;
using llvm::ArrayRef;
using llvm::SmallVector;

static constexpr int64_t kLanes = 32;
/// Words of a batch: all choices of a round are looked at.
static constexpr size_t kMaxWords = 6;

static bool isPadding(const Coord &c, ArrayRef<int64_t> shape) {
  return llvm::any_of(llvm::zip(c, shape),
                      [](auto pair) { return std::get<0>(pair) >= std::get<1>(pair); });
}

/// The nearest lane of the quad that has `c` in the register where its first holder has it.
static QuadSource nearest(const FragmentLayout &from, const Coord &c, int64_t warp, int64_t lane,
                          int64_t run) {
  int64_t held = from.holder(c)->reg;
  for (int64_t distance = 0; distance < kQuadLanes; ++distance)
    if (from.coords(warp, lane ^ distance, held) == c)
      return {static_cast<int>((lane ^ distance) % kQuadLanes), held / run};
  return {};
}

std::optional<QuadTable> tilec::quadTable(const FragmentLayout &from, const FragmentLayout &to,
                                          ArrayRef<int64_t> shape, int64_t run) {
  QuadTable table(to.numRegs() / run);
  for (int64_t warp = 0; warp < to.numWarps(); ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      for (int64_t reg = 0; reg < to.numRegs(); reg += run) {
        Coord c = to.coords(warp, lane, reg);
        if (isPadding(c, shape))
          continue;
        QuadSource source = nearest(from, c, warp, lane, run);
        QuadSource &known = table[reg / run][lane % kQuadLanes];
        if (source.lane < 0 || (known.lane >= 0 && known != source))
          return std::nullopt;
        known = source;
      }
  return table;
}

SmallVector<int64_t, 4> tilec::sourceParts(const QuadTable &table, ArrayRef<int64_t> word,
                                           int reader) {
  SmallVector<int64_t, 4> parts;
  for (int64_t part : word)
    parts.push_back(table[part][reader].part);
  return parts;
}

namespace {
/// Finds the rounds of one batch.
class Router {
public:
  Router(const QuadTable &table, QuadBatch &batch) : table(table), batch(batch) {
    for (auto &reads : pending)
      reads.assign(batch.words.size(), false);
    for (auto [number, word] : llvm::enumerate(batch.words))
      for (int reader = 0; reader < kQuadLanes; ++reader)
        pending[reader][number] = lane(number, reader) >= 0 && lane(number, reader) != reader;
  }
  void run() {
    while (
        llvm::any_of(pending, [](const auto &reads) { return llvm::is_contained(reads, true); })) {
      best = {};
      bestScore = 0;
      countDegrees();
      QuadRound round;
      search(round, 0);
      for (int reader = 0; reader < kQuadLanes; ++reader)
        if (best.word[reader] >= 0)
          pending[reader][best.word[reader]] = false;
      addLocal(best);
      batch.rounds.push_back(best);
    }
  }

private:
  int lane(size_t word, int reader) const { return table[batch.words[word].front()][reader].lane; }
  bool sendsTheSame(int wordA, int a, int wordB, int b) const {
    return sourceParts(table, batch.words[wordA], a) == sourceParts(table, batch.words[wordB], b);
  }
  /// Whether `reader` can have `word` in a round in which the readers `before` it have theirs.
  bool fits(const QuadRound &round, int word, int reader, int before) const {
    for (int other = 0; other < before; ++other)
      if (other != reader && round.word[other] >= 0 &&
          lane(round.word[other], other) == lane(word, reader) &&
          !sendsTheSame(round.word[other], other, word, reader))
        return false;
    return true;
  }
  void countDegrees();
  int64_t score(const QuadRound &round) const;
  void search(QuadRound &round, int reader);
  void addLocal(QuadRound &round) const;

  const QuadTable &table;
  QuadBatch &batch;
  std::array<std::vector<bool>, kQuadLanes> pending;
  std::array<int64_t, kQuadLanes> reads{}, sends{};
  int64_t mostUses = 0;
  QuadRound best;
  int64_t bestScore = 0;
};
} // namespace

/// How many words each lane still reads and how many different ones it sends.
void Router::countDegrees() {
  std::array<std::map<SmallVector<int64_t, 4>, bool>, kQuadLanes> sent;
  reads = {};
  for (int reader = 0; reader < kQuadLanes; ++reader)
    for (size_t word = 0; word < batch.words.size(); ++word) {
      if (!pending[reader][word])
        continue;
      ++reads[reader];
      sent[lane(word, reader)][sourceParts(table, batch.words[word], reader)] = true;
    }
  mostUses = 0;
  for (int i = 0; i < kQuadLanes; ++i) {
    sends[i] = static_cast<int64_t>(sent[i].size());
    mostUses = std::max({mostUses, sends[i], reads[i]});
  }
}

/// A lane that has as much to do as any has to take part, or the rounds become more than they need
/// to be.
int64_t Router::score(const QuadRound &round) const {
  constexpr int64_t busiest = 100, word = 1;
  int64_t sum = 0;
  std::array<bool, kQuadLanes> sending{};
  for (int reader = 0; reader < kQuadLanes; ++reader) {
    if (round.word[reader] < 0)
      continue;
    sum += word + (reads[reader] == mostUses ? busiest : 0);
    sending[lane(round.word[reader], reader)] = true;
  }
  for (int i = 0; i < kQuadLanes; ++i)
    sum += sending[i] && sends[i] == mostUses ? busiest : 0;
  return sum;
}

void Router::search(QuadRound &round, int reader) {
  if (reader == kQuadLanes) {
    if (int64_t found = score(round); found > bestScore) {
      best = round;
      bestScore = found;
    }
    return;
  }
  for (size_t word = 0; word < batch.words.size(); ++word) {
    if (!pending[reader][word] || !fits(round, static_cast<int>(word), reader, reader))
      continue;
    round.word[reader] = static_cast<int>(word);
    search(round, reader + 1);
  }
  round.word[reader] = -1;
  search(round, reader + 1);
}

/// A reader with nothing to read takes a word of its own along, if its lane sends that or nothing:
/// one choice less for who puts the words together.
void Router::addLocal(QuadRound &round) const {
  for (int reader = 0; reader < kQuadLanes; ++reader) {
    auto isInRound = [&](size_t word) {
      return llvm::any_of(batch.rounds, [&](const QuadRound &earlier) {
        return earlier.word[reader] == static_cast<int>(word);
      });
    };
    for (size_t word = 0; word < batch.words.size() && round.word[reader] < 0; ++word)
      if (lane(word, reader) == reader && !isInRound(word) &&
          fits(round, static_cast<int>(word), reader, kQuadLanes))
        round.word[reader] = static_cast<int>(word);
  }
}

std::vector<QuadBatch> tilec::routeQuad(const QuadTable &table, int64_t partsPerWord) {
  // Parts with the same lanes, in the order of their first one.
  std::vector<std::array<int, kQuadLanes>> kinds;
  std::vector<std::vector<SmallVector<int64_t, 4>>> words;
  for (auto [part, sources] : llvm::enumerate(table)) {
    std::array<int, kQuadLanes> lanes;
    for (int reader = 0; reader < kQuadLanes; ++reader)
      lanes[reader] = sources[reader].lane;
    auto kind = llvm::find(kinds, lanes) - kinds.begin();
    if (kind == static_cast<int64_t>(kinds.size())) {
      kinds.push_back(lanes);
      words.emplace_back();
    }
    if (words[kind].empty() || static_cast<int64_t>(words[kind].back().size()) == partsPerWord)
      words[kind].emplace_back();
    words[kind].back().push_back(static_cast<int64_t>(part));
  }
  std::vector<QuadBatch> batches;
  for (size_t first = 0; first < kinds.size(); first += kMaxWords)
    for (size_t number = 0;; ++number) {
      QuadBatch batch;
      for (size_t kind = first; kind < std::min(first + kMaxWords, kinds.size()); ++kind)
        if (number < words[kind].size())
          batch.words.push_back(words[kind][number]);
      if (batch.words.empty())
        break;
      Router(table, batch).run();
      batches.push_back(std::move(batch));
    }
  return batches;
}
