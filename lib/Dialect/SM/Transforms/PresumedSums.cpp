//===- PresumedSums.cpp - sums of weights and their reference -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "PresumedSums.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace tilec;

/// Where a row's sum is above the first, a weight may have become infinite, in f32 or bf16. Where
/// that of a row without a reference is below the second, weights that count may have become 0.
static constexpr double kMostScaled = 0x1p120, kLeastScaled = 0x1p-60;

Value tilec::splat(OpBuilder &b, Location loc, Type type, double value) {
  auto elements = SplatElementsAttr::get(cast<ShapedType>(type), b.getF32FloatAttr(value));
  return arith::ConstantOp::create(b, loc, cast<TypedAttr>(elements));
}

/// True in all lanes of the warp if the condition holds for a row of one of them.
Value PresumedSums::any(OpBuilder &b, Value ofRows) const {
  Value result;
  for (int64_t row = 0; row < block.rows(); ++row) {
    Value one = vector::ExtractOp::create(b, loc, ofRows, row);
    result = result ? arith::OrIOp::create(b, loc, result, one).getResult() : one;
  }
  return sm::VoteOp::create(b, loc, sm::VoteMode::Any, result);
}

/// Ordered: NaN does not satisfy it. Such a row is NaN in any way.
Value PresumedSums::compare(OpBuilder &b, arith::CmpFPredicate predicate, Value value,
                            double with) const {
  return arith::CmpFOp::create(b, loc, predicate, value, splat(b, loc, value.getType(), with));
}

/// Rows that nothing was summed up of yet: their reference is -inf, and their weights are relative
/// to 0.
Value PresumedSums::isUnset(OpBuilder &b) const {
  return compare(b, arith::CmpFPredicate::OEQ, block.reference,
                 -std::numeric_limits<double>::infinity());
}

Value PresumedSums::needCorrection(OpBuilder &b) const {
  Value above = compare(b, arith::CmpFPredicate::OGT, sums, std::exp2(block.lag));
  return any(b, arith::OrIOp::create(b, loc, above, isUnset(b)));
}

Value PresumedSums::greatest(OpBuilder &b) const {
  Value result = sums;
  for (Value lanes : block.lanesOfRow)
    result = arith::MaxNumFOp::create(
        b, loc, result, sm::ShuffleOp::create(b, loc, sm::ShuffleMode::Xor, result, lanes));
  return result;
}

Value PresumedSums::areLost(OpBuilder &b, Value greatest) const {
  Value large = compare(b, arith::CmpFPredicate::OGT, greatest, kMostScaled);
  Value small = compare(b, arith::CmpFPredicate::OLT, greatest, kLeastScaled);
  return any(b,
             arith::OrIOp::create(b, loc, large, arith::AndIOp::create(b, loc, small, isUnset(b))));
}

Value PresumedSums::movement(OpBuilder &b, Value greatest) const {
  constexpr int64_t mantissaBits = 23, bias = 127;
  auto integers = VectorType::get({block.rows()}, b.getI32Type());
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(integers, static_cast<int32_t>(value)))
        .getResult();
  };
  Value bits = arith::BitcastOp::create(b, loc, integers, greatest);
  Value exponent = arith::SubIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(mantissaBits)), number(bias));
  Value moved = arith::SIToFPOp::create(b, loc, greatest.getType(), exponent);
  Value above = compare(b, arith::CmpFPredicate::OGT, greatest, std::exp2(block.lag));
  Value moves = arith::OrIOp::create(b, loc, above, isUnset(b));
  return arith::SelectOp::create(b, loc, moves, moved, splat(b, loc, greatest.getType(), 0));
}
