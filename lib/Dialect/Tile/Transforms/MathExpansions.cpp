//===- MathExpansions.cpp - functions from multiplications and powers -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Polynomials are minimax in x * x on their interval, with errors below 2^-27; what remains is the
// rounding of f32.
//===----------------------------------------------------------------------===//
#include "MathExpansions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

Value tilec::floatConstant(OpBuilder &builder, Location loc, Type type, double value) {
  TypedAttr attribute = builder.getFloatAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attribute = DenseElementsAttr::get(tensor, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

namespace {
/// Builds elementwise code on one type at one place.
struct Emitter {
  OpBuilder &b;
  Location loc;
  Type type; // f32 or a tensor of it

  Value real(double value) { return tilec::floatConstant(b, loc, type, value); }
  Value integer(int32_t value) {
    TypedAttr attribute = b.getI32IntegerAttr(value);
    if (auto tensor = dyn_cast<RankedTensorType>(integerType()))
      attribute = DenseElementsAttr::get(tensor, static_cast<Attribute>(attribute));
    return arith::ConstantOp::create(b, loc, attribute);
  }
  Type integerType() {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor.clone(b.getI32Type());
    return b.getI32Type();
  }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  /// c[0] + c[1] * x + c[2] * x^2 + ...
  Value polynomial(Value x, ArrayRef<double> c) {
    Value sum = real(c.back());
    for (double coefficient : llvm::reverse(c.drop_back()))
      sum = fma(sum, x, real(coefficient));
    return sum;
  }
};
} // namespace

/// From 0.55 on 1 - 2 / (1 + exp(2 |x|)), whose two terms then leave all but the last bit; below, x
/// times a polynomial, since that difference would be rounding error alone.
Value tilec::expandTanh(OpBuilder &builder, Location loc, Value x) {
  Emitter e{builder, loc, x.getType()};
  Value size = math::AbsFOp::create(builder, loc, x), one = e.real(1.0);
  Value power = math::Exp2Op::create(builder, loc, e.mul(size, e.real(2 * llvm::numbers::log2e)));
  Value sum = arith::AddFOp::create(builder, loc, power, one);
  Value reciprocal = arith::DivFOp::create(builder, loc, one, sum, arith::FastMathFlags::arcp);
  Value large = e.fma(reciprocal, e.real(-2.0), one);
  large = math::CopySignOp::create(builder, loc, large, x);

  Value square = e.mul(x, x);
  Value rest =
      e.polynomial(square, {-0.33333316445350647, 0.13332585990428925, -0.05385230854153633,
                            0.021071679890155792, -0.0062742396257817745});
  Value small = e.fma(e.mul(x, square), rest, x);
  Value isSmall =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT, size, e.real(0.55));
  return e.select(isSmall, small, large);
}

/// x = quarter * pi/2 + rest with |rest| a little above pi/4. Adding 1.5 * 2^23 rounds to a whole
/// number and leaves it in the low bits. pi/2 is three numbers, from large to small; the first
/// multiply-add is exact, because both terms are multiples of 2^-23 and their sum is below 1.
Value tilec::expandSine(OpBuilder &builder, Location loc, Value x, bool cosine) {
  Emitter e{builder, loc, x.getType()};
  Value magic = e.real(12582912.0);
  Value shifted = e.fma(x, e.real(0.63661977236758134), magic);
  Value quarters = e.sub(shifted, magic);
  Value rest = e.fma(quarters, e.real(-1.5707963705062866), x);
  rest = e.fma(quarters, e.real(4.3711388286737929e-08), rest);
  rest = e.fma(quarters, e.real(1.7151245100059125e-15), rest);
  Value bits = arith::BitcastOp::create(builder, loc, e.integerType(), shifted);
  if (cosine) // a quarter turn ahead
    bits = arith::AddIOp::create(builder, loc, bits, e.integer(1));

  Value square = e.mul(rest, rest);
  Value sine =
      e.polynomial(square, {-0.16666650772094727, 0.008331939578056335, -0.0001948597637237981});
  sine = e.fma(e.mul(rest, square), sine, rest);
  Value cosineOfRest = e.polynomial(
      square, {1.0, -0.5, 0.04166664928197861, -0.0013887423556298018, 2.443363882775884e-05});
  auto isSet = [&](int32_t bit) -> Value {
    Value masked = arith::AndIOp::create(builder, loc, bits, e.integer(bit));
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, masked, e.integer(0));
  };
  Value result = e.select(isSet(1), cosineOfRest, sine);
  return e.select(isSet(2), arith::NegFOp::create(builder, loc, result), result);
}
