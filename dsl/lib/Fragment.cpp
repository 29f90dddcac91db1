//===- Fragment.cpp - arithmetic on fragments and indices -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Integers.h"

namespace tile::inline dsl::detail {

using namespace mlir::arith;

Builder &builderOf(std::initializer_list<const Input *> inputs) {
  for (const Input *input : inputs)
    if (const Variable *variable = input->variable(); variable && variable->builder())
      return *variable->builder();
  fail((*inputs.begin())->loc, "no operand has a value yet");
}

Axes axesOf(Builder &b, std::initializer_list<const Input *> inputs) {
  Axes axes;
  for (const Input *input : inputs)
    if (const Variable *variable = input->variable()) {
      b.get(*variable, input->loc);
      axes = b.unite(axes, variable->axes());
    }
  return axes;
}

static mlir::Value floatBinary(Builder &b, Binary operation, mlir::Value x, mlir::Value y,
                               Loc loc) {
  mlir::Location at = b.location(loc);
  switch (operation) {
  case Binary::add:
    return AddFOp::create(b, at, x, y);
  case Binary::sub:
    return SubFOp::create(b, at, x, y);
  case Binary::mul:
    return MulFOp::create(b, at, x, y);
  case Binary::div:
    // A reciprocal and a product, within 2 ulp: a row is divided by one reciprocal.
    return DivFOp::create(b, at, x, y, FastMathFlags::arcp);
  case Binary::min:
    return MinNumFOp::create(b, at, x, y);
  case Binary::max:
    return MaxNumFOp::create(b, at, x, y);
  default:
    fail(loc, "not an operation on floats");
  }
}

static mlir::Value integerBinary(Builder &b, Binary operation, mlir::Value x, mlir::Value y,
                                 Loc loc) {
  mlir::Location at = b.location(loc);
  switch (operation) {
  case Binary::add:
    return AddIOp::create(b, at, x, y);
  case Binary::sub:
    return SubIOp::create(b, at, x, y);
  case Binary::mul:
    return MulIOp::create(b, at, x, y);
  case Binary::div:
    return quotient(b, /*isSigned=*/true, x, y, loc);
  case Binary::rem:
    return remainder(b, /*isSigned=*/true, x, y, loc);
  case Binary::min:
    return MinSIOp::create(b, at, x, y);
  case Binary::max:
    return MaxSIOp::create(b, at, x, y);
  case Binary::bitAnd:
    return AndIOp::create(b, at, x, y);
  case Binary::bitOr:
    return OrIOp::create(b, at, x, y);
  case Binary::bitXor:
    return XOrIOp::create(b, at, x, y);
  case Binary::shl:
    return shiftLeft(b, x, y, loc);
  case Binary::shr:
    return shiftRight(b, /*isSigned=*/true, x, y, loc);
  }
  return {};
}

Variable binary(Binary operation, Element element, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  Axes axes = axesOf(b, {&x, &y});
  mlir::Value left = b.spread(x, element, axes), right = b.spread(y, element, axes);
  auto emit = isFloat(element) ? floatBinary : integerBinary;
  return b.make(emit(b, operation, left, right, x.loc), axes);
}

static mlir::Value compareValues(Builder &b, Compare predicate, bool floats, mlir::Value x,
                                 mlir::Value y, Loc loc) {
  unsigned p = static_cast<unsigned>(predicate);
  if (floats) { // a comparison with NaN is false, except that it is unequal to everything
    static constexpr CmpFPredicate table[] = {CmpFPredicate::OEQ, CmpFPredicate::UNE,
                                              CmpFPredicate::OLT, CmpFPredicate::OLE,
                                              CmpFPredicate::OGT, CmpFPredicate::OGE};
    return CmpFOp::create(b, b.location(loc), table[p], x, y);
  }
  static constexpr CmpIPredicate table[] = {CmpIPredicate::eq,  CmpIPredicate::ne,
                                            CmpIPredicate::slt, CmpIPredicate::sle,
                                            CmpIPredicate::sgt, CmpIPredicate::sge};
  return CmpIOp::create(b, b.location(loc), table[p], x, y);
}

Variable compare(Compare predicate, Element element, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  Axes axes = axesOf(b, {&x, &y});
  mlir::Value left = b.spread(x, element, axes), right = b.spread(y, element, axes);
  return b.make(compareValues(b, predicate, isFloat(element), left, right, x.loc), axes);
}

Variable negate(Element element, const Input &x) {
  Builder &b = builderOf({&x});
  mlir::Value value = b.get(*x.variable(), x.loc);
  mlir::Location at = b.location(x.loc);
  mlir::Value result;
  if (isFloat(element))
    result = NegFOp::create(b, at, value);
  else if (element == Element::i1)
    result = XOrIOp::create(b, at, value, b.constant(value.getType(), int64_t(1), x.loc));
  else
    result = SubIOp::create(b, at, b.constant(value.getType(), int64_t(0), x.loc), value);
  return b.make(result, x.variable()->axes());
}

Variable select(Element element, const Input &condition, const Input &x, const Input &y) {
  Builder &b = builderOf({&condition, &x, &y});
  Axes axes = axesOf(b, {&condition, &x, &y});
  mlir::Value mask = b.spread(condition, Element::i1, axes);
  mlir::Value left = b.spread(x, element, axes), right = b.spread(y, element, axes);
  return b.make(SelectOp::create(b, b.location(condition.loc), mask, left, right), axes);
}

Variable indexBinary(Binary operation, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  mlir::Value left = b.indexValue(x), right = b.indexValue(y);
  return b.make(integerBinary(b, operation, left, right, x.loc));
}

Variable indexCompare(Compare predicate, const Input &x, const Input &y) {
  Builder &b = builderOf({&x, &y});
  mlir::Value left = b.indexValue(x), right = b.indexValue(y);
  return b.make(compareValues(b, predicate, false, left, right, x.loc));
}

Variable clampIndex(const Input &x, const Input &low, const Input &high) {
  Input atLeast{indexBinary(Binary::max, x, low), x.loc};
  return indexBinary(Binary::min, atLeast, high);
}

} // namespace tile::inline dsl::detail
