//===- Emitter.cpp - arithmetic and vectors of one thread -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec::to_sm;

Value Emitter::constant(Type type, int64_t value) const {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}
Value Emitter::i32(int64_t value) const { return constant(builder.getI32Type(), value); }
Value Emitter::i64(int64_t value) const { return constant(builder.getI64Type(), value); }

Value Emitter::add(Value a, Value b) const {
  return builder.createOrFold<arith::AddIOp>(loc, a, b);
}
Value Emitter::add(Value a, int64_t b) const {
  return b == 0 ? a : add(a, constant(a.getType(), b));
}
Value Emitter::sub(Value a, Value b) const {
  return builder.createOrFold<arith::SubIOp>(loc, a, b);
}
Value Emitter::mul(Value a, Value b) const {
  return builder.createOrFold<arith::MulIOp>(loc, a, b);
}
Value Emitter::mul(Value a, int64_t b) const {
  if (b > 0 && llvm::isPowerOf2_64(b))
    return shiftLeft(a, llvm::Log2_64(b));
  return mul(a, constant(a.getType(), b));
}

Value Emitter::div(Value a, int64_t b) const {
  if (llvm::isPowerOf2_64(b))
    return shiftRight(a, llvm::Log2_64(b));
  return builder.createOrFold<arith::DivUIOp>(loc, a, constant(a.getType(), b));
}
Value Emitter::rem(Value a, int64_t b) const {
  if (llvm::isPowerOf2_64(b))
    return bitAnd(a, b - 1);
  return builder.createOrFold<arith::RemUIOp>(loc, a, constant(a.getType(), b));
}

Value Emitter::shiftLeft(Value a, int64_t bits) const {
  if (bits == 0)
    return a;
  return builder.createOrFold<arith::ShLIOp>(loc, a, constant(a.getType(), bits));
}
Value Emitter::shiftRight(Value a, int64_t bits) const {
  if (bits == 0)
    return a;
  return builder.createOrFold<arith::ShRUIOp>(loc, a, constant(a.getType(), bits));
}

Value Emitter::bitAnd(Value a, Value b) const {
  return builder.createOrFold<arith::AndIOp>(loc, a, b);
}
Value Emitter::bitAnd(Value a, int64_t b) const {
  return b == 0 ? constant(a.getType(), 0) : bitAnd(a, constant(a.getType(), b));
}
Value Emitter::bitOr(Value a, Value b) const {
  return builder.createOrFold<arith::OrIOp>(loc, a, b);
}
Value Emitter::bitXor(Value a, Value b) const {
  return builder.createOrFold<arith::XOrIOp>(loc, a, b);
}
Value Emitter::bitXor(Value a, int64_t b) const {
  return b == 0 ? a : bitXor(a, constant(a.getType(), b));
}

Value Emitter::min(Value a, Value b) const {
  return builder.createOrFold<arith::MinSIOp>(loc, a, b);
}
Value Emitter::max(Value a, Value b) const {
  return builder.createOrFold<arith::MaxSIOp>(loc, a, b);
}
Value Emitter::compare(arith::CmpIPredicate predicate, Value a, Value b) const {
  return builder.createOrFold<arith::CmpIOp>(loc, predicate, a, b);
}
Value Emitter::select(Value condition, Value a, Value b) const {
  return builder.createOrFold<arith::SelectOp>(loc, condition, a, b);
}
Value Emitter::widen(Value a) const {
  return builder.createOrFold<arith::ExtUIOp>(loc, builder.getI64Type(), a);
}
Value Emitter::narrow(Value a) const {
  return builder.createOrFold<arith::TruncIOp>(loc, builder.getI32Type(), a);
}
Value Emitter::both(Value a, Value b) const {
  if (!a || !b)
    return a ? a : b;
  return bitAnd(a, b);
}

Type tilec::to_sm::storageType(Type element) {
  return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element;
}

int64_t tilec::to_sm::storageBytes(Type element) {
  return storageType(element).getIntOrFloatBitWidth() / 8;
}

Value tilec::to_sm::slice(Emitter e, Value vector, int64_t first, int64_t count) {
  if (first == 0 && count == cast<VectorType>(vector.getType()).getNumElements())
    return vector;
  return permute(e, vector, llvm::to_vector(llvm::seq(first, first + count)));
}

Value tilec::to_sm::concatenate(Emitter e, ArrayRef<Value> vectors) {
  Value result = vectors.front();
  for (Value next : vectors.drop_front()) {
    int64_t total = cast<VectorType>(result.getType()).getNumElements() +
                    cast<VectorType>(next.getType()).getNumElements();
    result = vector::ShuffleOp::create(e.builder, e.loc, result, next,
                                       llvm::to_vector(llvm::seq<int64_t>(0, total)));
  }
  return result;
}

Value tilec::to_sm::permute(Emitter e, Value source, ArrayRef<int64_t> table) {
  SmallVector<int64_t> mask;
  for (int64_t index : table)
    mask.push_back(std::max<int64_t>(0, index));
  int64_t count = cast<VectorType>(source.getType()).getNumElements();
  if (mask == llvm::to_vector(llvm::seq<int64_t>(0, count)))
    return source;
  return vector::ShuffleOp::create(e.builder, e.loc, source, source, mask);
}

Value tilec::to_sm::shuffle(Emitter e, sm::ShuffleMode mode, Value value, Value lane) {
  Type type = value.getType();
  unsigned width = type.getIntOrFloatBitWidth();
  OpBuilder &builder = e.builder;
  if (width == 32)
    return sm::ShuffleOp::create(builder, e.loc, mode, value, lane);
  Type bits = builder.getIntegerType(width);
  if (!type.isInteger())
    value = arith::BitcastOp::create(builder, e.loc, bits, value);
  if (width < 32) {
    value = arith::ExtUIOp::create(builder, e.loc, builder.getI32Type(), value);
    value = sm::ShuffleOp::create(builder, e.loc, mode, value, lane);
    value = arith::TruncIOp::create(builder, e.loc, bits, value);
  } else {
    Value whole = vector::BroadcastOp::create(builder, e.loc, VectorType::get({1}, bits), value);
    whole = sm::ShuffleOp::create(builder, e.loc, mode, whole, lane);
    value = vector::ExtractOp::create(builder, e.loc, whole, ArrayRef<int64_t>{0});
  }
  return type.isInteger() ? value : arith::BitcastOp::create(builder, e.loc, type, value).getOut();
}

Value tilec::to_sm::shuffleXor(Emitter e, Value value, int64_t distance) {
  return shuffle(e, sm::ShuffleMode::Xor, value, e.i32(distance));
}
