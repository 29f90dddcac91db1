//===- Unaligned.cpp - vectors at addresses of an element -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Unaligned.h"

using namespace mlir;
using namespace tilec::to_sm;

static constexpr int64_t kHalfBytes = 2, kHalfBits = 16, kWordBytes = 4;

UnalignedVector::UnalignedVector(Emitter e, VectorType type, Value address)
    : e(e), type(type), address(address) {
  if (inPairs())
    odd = e.compare(arith::CmpIPredicate::ne, e.bitAnd(address, kHalfBytes), e.i64(0));
}

bool UnalignedVector::inPairs() const {
  return storageBytes(type.getElementType()) == kHalfBytes && type.getNumElements() % 2 == 0;
}

Value UnalignedVector::wordAddress(int64_t index) const {
  return e.add(e.bitAnd(address, -kWordBytes), index * kWordBytes);
}

/// Of the second element or, if odd, of the last.
Value UnalignedVector::secondAddress() const {
  int64_t last = (type.getNumElements() - 1) * kHalfBytes;
  return e.add(address, e.select(odd, e.i64(last), e.i64(kHalfBytes)));
}

SmallVector<Value> UnalignedVector::loadPieces() const {
  SmallVector<Value> pieces;
  auto load = [&](Type piece, Value where) {
    pieces.push_back(sm::LoadGlobalOp::create(e.builder, e.loc, piece, where));
  };
  if (!inPairs()) {
    const int64_t bytes = storageBytes(type.getElementType());
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      load(type.getElementType(), e.add(address, i * bytes));
    return pieces;
  }
  load(e.builder.getI16Type(), address);
  for (int64_t i = 1; i < type.getNumElements() / 2; ++i)
    load(e.builder.getI32Type(), wordAddress(i));
  load(e.builder.getI16Type(), secondAddress());
  return pieces;
}

SmallVector<Value> UnalignedVector::padPieces(TypedAttr pad) const {
  auto constant = [&](TypedAttr value) {
    return arith::ConstantOp::create(e.builder, e.loc, value).getResult();
  };
  if (!inPairs())
    return SmallVector<Value>(type.getNumElements(), constant(pad));
  APInt bits = isa<FloatAttr>(pad) ? cast<FloatAttr>(pad).getValue().bitcastToAPInt()
                                   : cast<IntegerAttr>(pad).getValue();
  Value half = constant(e.builder.getIntegerAttr(e.builder.getI16Type(), bits));
  Value word = constant(e.builder.getIntegerAttr(e.builder.getI32Type(), bits.concat(bits)));
  SmallVector<Value> pieces(type.getNumElements() / 2 + 1, word);
  pieces.front() = pieces.back() = half;
  return pieces;
}

/// The upper half of `low` and the lower half of `high` as one word.
static Value straddle(Emitter e, Value low, Value high) {
  return e.bitOr(e.shiftRight(low, kHalfBits), e.shiftLeft(high, kHalfBits));
}

Value UnalignedVector::join(ArrayRef<Value> pieces) const {
  OpBuilder &b = e.builder;
  if (!inPairs())
    return vector::FromElementsOp::create(b, e.loc, type, pieces);
  Type word = b.getI32Type();
  SmallVector<Value> memory(pieces);
  memory.front() = arith::ExtUIOp::create(b, e.loc, word, pieces.front());
  memory.back() = arith::ExtUIOp::create(b, e.loc, word, pieces.back());
  Value second = e.select(odd, memory[1], memory.back());
  SmallVector<Value> words{e.bitOr(memory.front(), e.shiftLeft(second, kHalfBits))};
  for (size_t i = 1; i + 1 < memory.size(); ++i)
    words.push_back(e.select(odd, straddle(e, memory[i], memory[i + 1]), memory[i]));
  auto packed = VectorType::get({static_cast<int64_t>(words.size())}, word);
  Value joined = vector::FromElementsOp::create(b, e.loc, packed, words);
  return vector::BitCastOp::create(b, e.loc, type, joined);
}

void UnalignedVector::storePairs(Value value) const {
  OpBuilder &b = e.builder;
  const int64_t count = type.getNumElements() / 2;
  auto packed = VectorType::get({count}, b.getI32Type());
  Value source = vector::BitCastOp::create(b, e.loc, packed, value);
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(vector::ExtractOp::create(b, e.loc, source, ArrayRef<int64_t>{i}));
  auto storeHalf = [&](Value word, Value where) {
    Value low = arith::TruncIOp::create(b, e.loc, b.getI16Type(), word);
    sm::StoreGlobalOp::create(b, e.loc, low, where);
  };
  storeHalf(words.front(), address);
  for (int64_t i = 1; i < count; ++i) {
    Value word = e.select(odd, straddle(e, words[i - 1], words[i]), words[i]);
    sm::StoreGlobalOp::create(b, e.loc, word, wordAddress(i));
  }
  storeHalf(e.shiftRight(e.select(odd, words.back(), words.front()), kHalfBits), secondAddress());
}

void UnalignedVector::store(Value value) const {
  if (inPairs())
    return storePairs(value);
  const int64_t bytes = storageBytes(type.getElementType());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value element = vector::ExtractOp::create(e.builder, e.loc, value, ArrayRef<int64_t>{i});
    sm::StoreGlobalOp::create(e.builder, e.loc, element, e.add(address, i * bytes));
  }
}
