//===- Cast.cpp - conversions to and from 8-bit floats ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The hardware converts pairs: to 8 bits from f32, saturating, and from 8 bits to f16, which holds
// every value of both types. f32 holds every value of the other float types, so that each
// conversion rounds once.
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;
using namespace tilec::to_sm;

static bool isFloat8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// The magnitude from which on a rounded value is past the largest finite one: halfway to what
/// would follow it. 448 is even, so a tie stays; 57344 is odd.
static Value overflows(Emitter e, Value wide, Type type) {
  bool e4m3 = isa<Float8E4M3FNType>(type);
  auto limit = e.builder.getF32FloatAttr(e4m3 ? 464.0f : 61440.0f);
  Value bound = arith::ConstantOp::create(
      e.builder, e.loc, DenseElementsAttr::get(cast<VectorType>(wide.getType()), limit.getValue()));
  Value magnitude = math::AbsFOp::create(e.builder, e.loc, wide);
  auto predicate = e4m3 ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OGE;
  return arith::CmpFOp::create(e.builder, e.loc, predicate, magnitude, bound);
}

/// An even number of f32 as `type`. Without saturation, what follows the largest finite value in
/// the order of the bits is the infinity of e5m2 and the NaN of e4m3.
static Value narrow(Emitter e, Value wide, Type type, bool saturate) {
  auto result = cast<VectorType>(wide.getType()).clone(type);
  Value packed = sm::CvtPackOp::create(e.builder, e.loc, result, wide);
  if (saturate)
    return packed;
  auto bytes = result.clone(e.builder.getI8Type());
  Value bits = arith::BitcastOp::create(e.builder, e.loc, bytes, packed);
  Value step = arith::ExtUIOp::create(e.builder, e.loc, bytes, overflows(e, wide, type));
  bits = arith::AddIOp::create(e.builder, e.loc, bits, step);
  return arith::BitcastOp::create(e.builder, e.loc, result, bits);
}

/// `value`, an even number of elements, as `type`.
static Value convert(Emitter e, Value value, Type type, bool saturate) {
  auto source = cast<VectorType>(value.getType());
  Type f16 = e.builder.getF16Type(), f32 = e.builder.getF32Type();
  if (isFloat8(source.getElementType())) {
    value = sm::CvtUnpackOp::create(e.builder, e.loc, source.clone(f16), value);
    if (type == f16)
      return value;
  }
  if (!getElementTypeOrSelf(value.getType()).isF32())
    value = arith::ExtFOp::create(e.builder, e.loc, source.clone(f32), value);
  if (isFloat8(type))
    return narrow(e, value, type, saturate);
  if (type != f32)
    value = arith::TruncFOp::create(e.builder, e.loc, source.clone(type), value);
  return value;
}

namespace {
class CastLowering : public OpConversionPattern<tile::CastOp> {
public:
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(tile::CastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value value = adaptor.getSource();
    Type target = getElementTypeOrSelf(op.getType());
    auto vector = dyn_cast<VectorType>(value.getType());
    int64_t count = vector ? vector.getNumElements() : 1;
    if (!vector) {
      Value pair = vector::BroadcastOp::create(rewriter, op.getLoc(),
                                               VectorType::get({2}, value.getType()), value);
      pair = convert(e, pair, target, op.getSaturate());
      rewriter.replaceOpWithNewOp<vector::ExtractOp>(op, pair, ArrayRef<int64_t>{0});
      return success();
    }
    if (count % 2 != 0) {
      SmallVector<int64_t> padded = llvm::to_vector(llvm::seq<int64_t>(count));
      padded.push_back(count - 1);
      value = permute(e, value, padded);
    }
    value = convert(e, value, target, op.getSaturate());
    rewriter.replaceOp(op, count % 2 == 0 ? value : slice(e, value, 0, count));
    return success();
  }
};
} // namespace

void tilec::to_sm::populateCastPatterns(RewritePatternSet &patterns, const TypeConverter &types) {
  patterns.add<CastLowering>(types, patterns.getContext());
}
