//===- Elementwise.cpp - arith and math on vectors of registers -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::to_sm;

namespace {
/// Any elementwise operation: the same one on vectors.
class ElementwiseLowering : public ConversionPattern {
public:
  ElementwiseLowering(const TypeConverter &types, MLIRContext *context)
      : ConversionPattern(types, MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                                ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op) || op->getNumRegions() != 0)
      return rewriter.notifyMatchFailure(op, "not elementwise");
    SmallVector<Type> results;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), results)))
      return rewriter.notifyMatchFailure(op, "no layout");
    rewriter.replaceOp(op, rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands,
                                           results, op->getAttrs()));
    return success();
  }
};

class ConstantLowering : public OpConversionPattern<arith::ConstantOp> {
public:
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto splat = dyn_cast<SplatElementsAttr>(op.getValue());
    if (!splat)
      return op.emitError("expected the same value in all elements of a constant fragment; build "
                          "others from tile.iota");
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseElementsAttr::get(type, splat.getSplatValue<Attribute>()));
    return success();
  }
};

/// A function that the hardware approximates in f32; narrower types go through f32.
template <typename Source, typename Target>
class ApproximationLowering : public OpConversionPattern<Source> {
public:
  using OpConversionPattern<Source>::OpConversionPattern;
  LogicalResult matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = adaptor.getOperand();
    Type type = value.getType(), wide = rewriter.getF32Type();
    if (getElementTypeOrSelf(type).getIntOrFloatBitWidth() > 32)
      return op.emitOpError() << "expected f32, f16 or bf16, found " << type;
    if (auto vector = dyn_cast<VectorType>(type))
      wide = vector.clone(wide);
    if (type != wide)
      value = arith::ExtFOp::create(rewriter, loc, wide, value);
    Value result = Target::create(rewriter, loc, value);
    if (type != wide)
      result = arith::TruncFOp::create(rewriter, loc, type, result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// 1 / x where an approximation is allowed.
class ReciprocalLowering : public OpConversionPattern<arith::DivFOp> {
public:
  using OpConversionPattern::OpConversionPattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isApproximated(op))
      return rewriter.notifyMatchFailure(op, "not an approximate reciprocal");
    rewriter.replaceOpWithNewOp<sm::RcpOp>(op, adaptor.getRhs());
    return success();
  }
};
} // namespace

bool tilec::to_sm::isApproximated(Operation *op) {
  if (auto division = dyn_cast<arith::DivFOp>(op))
    return getElementTypeOrSelf(division.getType()).isF32() &&
           bitEnumContainsAny(division.getFastmath(), arith::FastMathFlags::arcp) &&
           matchPattern(division.getLhs(), m_OneFloat());
  return isa<math::Exp2Op, math::Log2Op, math::RsqrtOp, math::SqrtOp, math::SinOp, math::CosOp,
             math::TanhOp>(op);
}

void tilec::to_sm::populateElementwisePatterns(RewritePatternSet &patterns,
                                               const TypeConverter &types) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ElementwiseLowering, ConstantLowering>(types, context);
  patterns.add<ApproximationLowering<math::Exp2Op, sm::Exp2Op>,
               ApproximationLowering<math::Log2Op, sm::Log2Op>,
               ApproximationLowering<math::RsqrtOp, sm::RsqrtOp>,
               ApproximationLowering<math::SqrtOp, sm::SqrtOp>,
               ApproximationLowering<math::SinOp, sm::SinOp>,
               ApproximationLowering<math::CosOp, sm::CosOp>,
               ApproximationLowering<math::TanhOp, sm::TanhOp>, ReciprocalLowering>(types, context,
                                                                                    /*benefit=*/2);
}
