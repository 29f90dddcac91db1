//===- QuadExchange.cpp - longer runs per lane from the lanes of a quad -----===//
// SPDX-License-Identifier: Apache-2.0
//
// A matrix instruction leaves four bytes of a row in each of four neighbouring lanes, and the next
// four lanes' worth in the next register. Seen as words, that is a matrix: lanes along one side,
// registers along the other. Transposed, a lane has 16 bytes that follow each other. A transpose
// swaps each bit of the lane number with a bit of the register number: per swap and pair of words,
// one shuffle and three selects.
//===----------------------------------------------------------------------===//
#include "QuadExchange.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kWordBytes = 4, kQuad = 4;

static Coord along(const FragmentLayout &layout, int64_t axis, int64_t step) {
  Coord vector(layout.rank, 0);
  vector[axis] = step;
  return vector;
}

/// True if a word is `run` registers and the quad's lanes hold the words that follow along `axis`.
static bool isSpreadOverQuad(const FragmentLayout &layout, int64_t axis, int64_t run) {
  for (int64_t bit = 0; int64_t(1) << bit < run; ++bit)
    if (bit >= static_cast<int64_t>(layout.reg.size()) ||
        layout.reg[bit] != along(layout, axis, int64_t(1) << bit))
      return false;
  bool hasCopies = llvm::any_of(layout.lane, [](const Coord &vector) {
    return llvm::all_of(vector, [](int64_t step) { return step == 0; });
  });
  return !hasCopies && layout.lane[0] == along(layout, axis, run) &&
         layout.lane[1] == along(layout, axis, 2 * run) &&
         layout.atomExtents()[axis] == kQuad * run;
}

/// How many neighbouring words along `axis` a thread can collect: 4, 2, or 1 for none.
static int64_t wordsToCollect(const FragmentLayout &layout, int64_t axis, int64_t run,
                              int64_t extent) {
  const auto *digit =
      llvm::find_if(layout.repeat, [&](const Digit &digit) { return digit.dim == axis; });
  int64_t words = kQuad;
  while (words > 1 &&
         (digit == layout.repeat.end() || digit->count % words != 0 || extent % (words * run) != 0))
    words /= 2;
  return words;
}

std::optional<QuadExchange> QuadExchange::plan(const FragmentLayout &layout, int64_t axis,
                                               Type element, ArrayRef<int64_t> extents) {
  if (axis < 0 || element.isInteger(1))
    return std::nullopt;
  int64_t run = layout.contiguous(static_cast<int>(axis));
  // Words of whole elements that are four bytes apart already fill a sector per quad.
  if (storageBytes(element) == kWordBytes || run * storageBytes(element) != kWordBytes ||
      !isSpreadOverQuad(layout, axis, run))
    return std::nullopt;
  int64_t words = wordsToCollect(layout, axis, run, extents[axis]);
  if (words == 1)
    return std::nullopt;
  QuadExchange exchange{layout, layout, axis, run, words};
  FragmentLayout &to = exchange.to;
  auto position = to.reg.begin() + llvm::Log2_64(run);
  for (int64_t bit = 0; int64_t(1) << bit < words; ++bit) {
    position = to.reg.insert(position, along(layout, axis, run << bit)) + 1;
    to.lane[bit] = along(layout, axis, (kQuad * run) << bit);
  }
  to.repeat.clear();
  bool isFirst = true;
  for (Digit digit : layout.repeat) {
    if (digit.dim == axis && std::exchange(isFirst, false))
      digit.count /= words;
    appendDigit(to.repeat, digit);
  }
  return exchange;
}

/// Swaps the bits of the lane number with those of the index: afterwards lane l has at index i what
/// lane i had at index l.
static void transpose(Emitter e, ArrayRef<Value> laneBits, MutableArrayRef<Value> words) {
  for (auto [bit, isSet] : llvm::enumerate(laneBits)) {
    size_t step = size_t(1) << bit;
    for (size_t i = 0; i < words.size(); ++i) {
      if (i & step)
        continue;
      Value low = words[i], high = words[i | step];
      Value received = shuffleXor(e, e.select(isSet, low, high), static_cast<int64_t>(step));
      words[i] = e.select(isSet, received, low);
      words[i | step] = e.select(isSet, high, received);
    }
  }
}

Value QuadExchange::apply(Emitter e, const KernelState &state, Value value) const {
  auto type = cast<VectorType>(value.getType());
  Type i32 = e.builder.getI32Type();
  auto packed = VectorType::get({type.getNumElements() / run}, i32);
  Value source = vector::BitCastOp::create(e.builder, e.loc, packed, value);
  SmallVector<Value> laneBits, result(packed.getNumElements());
  for (int64_t bit = 1; bit < words; bit *= 2)
    laneBits.push_back(e.compare(arith::CmpIPredicate::ne, e.bitAnd(state.lane, bit), e.i32(0)));
  auto shifted = [&](Coord c, int64_t distance) {
    c[axis] += distance;
    return c;
  };
  for (int64_t reg = 0, end = from.numRegs(); reg < end; reg += run) {
    Coord first = from.regCoords(reg);
    if (first[axis] / (kQuad * run) % words != 0)
      continue;
    SmallVector<Value> group;
    for (int64_t i = 0; i < words; ++i) {
      int64_t word = from.holder(shifted(first, i * kQuad * run))->reg / run;
      group.push_back(vector::ExtractOp::create(e.builder, e.loc, source, ArrayRef<int64_t>{word}));
    }
    transpose(e, laneBits, group);
    for (auto [i, word] : llvm::enumerate(group))
      result[to.holder(shifted(first, static_cast<int64_t>(i) * run))->reg / run] = word;
  }
  Value joined = vector::FromElementsOp::create(e.builder, e.loc, packed, result);
  return vector::BitCastOp::create(e.builder, e.loc, type, joined);
}
