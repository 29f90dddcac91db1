//===- Bits.cpp - unsigned arithmetic and bit patterns ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Bits.h"
#include "Integers.h"

namespace tile::inline dsl::detail {

using namespace mlir::arith;

Variable unsignedBinary(Unsigned operation, Element element, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  Axes axes = axesOf(b, {&x, &y});
  mlir::Value left = b.spread(x, element, axes), right = b.spread(y, element, axes);
  mlir::Location at = b.location(x.loc);
  switch (operation) {
  case Unsigned::div:
    return b.make(quotient(b, /*isSigned=*/false, left, right, x.loc), axes);
  case Unsigned::rem:
    return b.make(remainder(b, /*isSigned=*/false, left, right, x.loc), axes);
  case Unsigned::min:
    return b.make(MinUIOp::create(b, at, left, right), axes);
  case Unsigned::max:
    return b.make(MaxUIOp::create(b, at, left, right), axes);
  case Unsigned::shr:
    return b.make(shiftRight(b, /*isSigned=*/false, left, right, x.loc), axes);
  }
  return {};
}

Variable unsignedCompare(bool orEqual, Element element, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  Axes axes = axesOf(b, {&x, &y});
  mlir::Value left = b.spread(x, element, axes), right = b.spread(y, element, axes);
  CmpIPredicate predicate = orEqual ? CmpIPredicate::ule : CmpIPredicate::ult;
  return b.make(CmpIOp::create(b, b.location(x.loc), predicate, left, right), axes);
}

Variable countBits(BitCount what, const Input &x) {
  Builder &b = builderOf({&x});
  mlir::Value value = b.get(*x.variable(), x.loc);
  mlir::Location at = b.location(x.loc);
  const Axes &axes = x.variable()->axes();
  switch (what) {
  case BitCount::ones:
    return b.make(mlir::math::CtPopOp::create(b, at, value), axes);
  case BitCount::leadingZeros:
    return b.make(mlir::math::CountLeadingZerosOp::create(b, at, value), axes);
  case BitCount::trailingZeros:
    return b.make(mlir::math::CountTrailingZerosOp::create(b, at, value), axes);
  }
  return {};
}

Variable unsignedCast(Element from, Element to, const Input &x) {
  Builder &b = builderOf({&x});
  mlir::Value value = b.get(*x.variable(), x.loc);
  const Axes &axes = x.variable()->axes();
  mlir::Location at = b.location(x.loc);
  mlir::Type type = b.type(to, axes);
  if (from == to)
    return *x.variable();
  if (isFloat(to))
    return b.make(UIToFPOp::create(b, at, type, value), axes);
  if (byteSize(from) < byteSize(to))
    return b.make(ExtUIOp::create(b, at, type, value), axes);
  return b.make(TruncIOp::create(b, at, type, value), axes);
}

Variable unsignedIndex(Element from, const Input &x) {
  if (!x.variable()->axes().empty())
    fail(x.loc, "unsigned_index takes a scalar, but the operand has axes " +
                    text(x.variable()->axes()) + "; reduce it first");
  return unsignedCast(from, Element::i64, x);
}

Variable bitcast(Element to, const Variable &x, Loc loc) {
  Input input{x, loc};
  Builder &b = builderOf({&input});
  mlir::Value value = b.get(x, loc);
  mlir::Type type = b.type(to, x.axes());
  if (value.getType() == type)
    return x;
  return b.make(BitcastOp::create(b, b.location(loc), type, value), x.axes());
}

Variable testBit(Element element, const Input &word, const Input &position) {
  Builder &b = builderOf({&word, &position});
  Axes axes = axesOf(b, {&word, &position});
  mlir::Value words = b.spread(word, element, axes), bits = b.spread(position, element, axes);
  mlir::Value moved = shiftRight(b, /*isSigned=*/false, words, bits, word.loc);
  mlir::Location at = b.location(word.loc);
  mlir::Value one = b.constant(words.getType(), int64_t(1), word.loc);
  mlir::Value low = AndIOp::create(b, at, moved, one);
  return b.make(CmpIOp::create(b, at, CmpIPredicate::eq, low, one), axes);
}

} // namespace tile::inline dsl::detail
