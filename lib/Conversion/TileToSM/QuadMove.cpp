//===- QuadMove.cpp - parts of a tile from lane to lane of a quad ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "QuadMove.h"

#include <map>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kWordBits = 32;

namespace {
/// Emits the words and rounds of a route.
class Mover {
public:
  Mover(Emitter e, const KernelState &state, const QuadTable &table, Value source)
      : e(e), state(state), table(table), source(source) {
    part = cast<VectorType>(source.getType()).getElementType();
    int64_t bits = part.getIntOrFloatBitWidth();
    perWord = bits == 1 || bits > kWordBits ? 1 : kWordBits / bits;
  }
  SmallVector<Value> run();

private:
  using Parts = SmallVector<int64_t, 4>;
  /// One choice of a value, and the lanes of a quad that make it.
  struct Choice {
    Value value;
    unsigned lanes = 0;
  };

  Value pack(Parts parts);
  Value unpack(Value word, int64_t position);
  /// True in these lanes of each quad.
  Value isIn(unsigned lanes);
  Value choose(ArrayRef<Choice> choices);
  Value sendRound(const QuadBatch &batch, const QuadRound &round);
  Value wordOf(const QuadBatch &batch, int word, ArrayRef<Value> received);
  Parts sourceOf(const QuadBatch &batch, int word, int reader) const {
    return sourceParts(table, batch.words[word], reader);
  }
  int laneOf(const QuadBatch &batch, int word, int reader) const {
    return table[batch.words[word].front()][reader].lane;
  }

  Emitter e;
  const KernelState &state;
  const QuadTable &table;
  Value source;
  Type part;
  int64_t perWord;
  std::map<Parts, Value> packed;
  std::map<unsigned, Value> conditions;
};
} // namespace

/// These parts of the source as one word.
Value Mover::pack(Parts parts) {
  Value &known = packed[parts];
  if (known)
    return known;
  SmallVector<Value> values;
  for (int64_t number : parts)
    values.push_back(vector::ExtractOp::create(e.builder, e.loc, source,
                                               ArrayRef<int64_t>{std::max<int64_t>(number, 0)}));
  if (perWord == 1)
    return known = values.front();
  values.resize(perWord, values.front());
  Value vector =
      vector::FromElementsOp::create(e.builder, e.loc, VectorType::get({perWord}, part), values);
  vector = vector::BitCastOp::create(e.builder, e.loc, VectorType::get({1}, e.builder.getI32Type()),
                                     vector);
  return known = vector::ExtractOp::create(e.builder, e.loc, vector, ArrayRef<int64_t>{0});
}

Value Mover::unpack(Value word, int64_t position) {
  if (perWord == 1)
    return word;
  Value vector =
      vector::BroadcastOp::create(e.builder, e.loc, VectorType::get({1}, word.getType()), word);
  vector = vector::BitCastOp::create(e.builder, e.loc, VectorType::get({perWord}, part), vector);
  return vector::ExtractOp::create(e.builder, e.loc, vector, ArrayRef<int64_t>{position});
}

Value Mover::isIn(unsigned lanes) {
  Value &known = conditions[lanes];
  if (known)
    return known;
  constexpr unsigned everyQuad = 0x11111111;
  Value bits = e.i32(static_cast<int32_t>(lanes * everyQuad));
  Value bit = arith::ShRUIOp::create(e.builder, e.loc, bits, state.lane);
  return known = arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), bit);
}

/// Lanes that no choice names get any of them.
Value Mover::choose(ArrayRef<Choice> choices) {
  Value result = choices.front().value;
  for (const Choice &choice : choices.drop_front())
    result = e.select(isIn(choice.lanes), choice.value, result);
  return result;
}

/// What every lane receives.
Value Mover::sendRound(const QuadBatch &batch, const QuadRound &round) {
  std::map<Parts, unsigned> senders;
  unsigned targets = 0;
  SmallVector<int> distances;
  for (int reader = 0; reader < kQuadLanes; ++reader) {
    int from = reader;
    if (int word = round.word[reader]; word >= 0) {
      from = laneOf(batch, word, reader);
      senders[sourceOf(batch, word, reader)] |= 1u << from;
      distances.push_back(from ^ reader);
    }
    targets |= static_cast<unsigned>(from) << (2 * reader);
  }
  SmallVector<Choice> choices;
  for (const auto &[parts, lanes] : senders)
    choices.push_back({pack(parts), lanes});
  Value sent = choose(choices);
  if (llvm::all_equal(distances))
    return shuffleXor(e, sent, distances.front());
  // Two bits per reader.
  Value mine = e.shiftLeft(e.bitAnd(state.lane, kQuadLanes - 1), 1);
  Value from = arith::ShRUIOp::create(e.builder, e.loc, e.i32(static_cast<int32_t>(targets)), mine);
  Value lane = arith::OrIOp::create(e.builder, e.loc, e.bitAnd(state.lane, 32 - kQuadLanes),
                                    e.bitAnd(from, kQuadLanes - 1));
  return shuffle(e, sm::ShuffleMode::Idx, sent, lane);
}

/// A word of the result: each reader's from the round that brought it, or its own.
Value Mover::wordOf(const QuadBatch &batch, int word, ArrayRef<Value> received) {
  SmallVector<Choice> choices;
  unsigned done = 0;
  for (auto [round, value] : llvm::zip(batch.rounds, received)) {
    unsigned lanes = 0;
    for (int reader = 0; reader < kQuadLanes; ++reader)
      lanes |= unsigned(round.word[reader] == word) << reader;
    if (lanes != 0)
      choices.push_back({value, lanes});
    done |= lanes;
  }
  std::map<Parts, unsigned> own;
  for (int reader = 0; reader < kQuadLanes; ++reader)
    if (!(done >> reader & 1) && laneOf(batch, word, reader) == reader)
      own[sourceOf(batch, word, reader)] |= 1u << reader;
  for (const auto &[parts, lanes] : own)
    choices.push_back({pack(parts), lanes});
  return choices.empty() ? pack(sourceOf(batch, word, 0)) : choose(choices);
}

SmallVector<Value> Mover::run() {
  SmallVector<Value> result(table.size());
  for (const QuadBatch &batch : routeQuad(table, perWord)) {
    SmallVector<Value> received;
    for (const QuadRound &round : batch.rounds)
      received.push_back(sendRound(batch, round));
    for (auto [number, parts] : llvm::enumerate(batch.words)) {
      Value word = wordOf(batch, static_cast<int>(number), received);
      for (auto [position, where] : llvm::enumerate(parts))
        result[where] = unpack(word, static_cast<int64_t>(position));
    }
  }
  return result;
}

SmallVector<Value> tilec::to_sm::moveInQuad(Emitter e, const KernelState &state,
                                            const QuadTable &table, Value source) {
  return Mover(e, state, table, source).run();
}
