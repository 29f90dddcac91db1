//===- Shape.cpp - positions and broadcasts ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// A position is the thread's part plus a constant per register.
class IotaLowering : public TilePattern<tile::IotaOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::IotaOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    FragmentLayout layout = layoutOf(op.getType());
    SmallVector<int32_t> offsets;
    for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg)
      offsets.push_back(static_cast<int32_t>(layout.regCoords(reg)[0]));
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    Value constant = arith::ConstantOp::create(rewriter, op.getLoc(),
                                               DenseElementsAttr::get(type, ArrayRef(offsets)));
    Value base = vector::BroadcastOp::create(rewriter, op.getLoc(), type,
                                             threadCoords(e, state, layout)[0].value);
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, base, constant,
                                               arith::IntegerOverflowFlags::nsw);
    return success();
  }
};

/// The body is converted with all else.
class AgainLowering : public TilePattern<tile::AgainOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::AgainOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto again = sm::AgainOp::create(rewriter, op.getLoc(), adaptor.getValue().getType(),
                                     adaptor.getValue());
    rewriter.inlineRegionBefore(op.getBody(), again.getBody(), again.getBody().end());
    rewriter.replaceOp(op, again.getResult());
    return success();
  }
};

class YieldLowering : public TilePattern<tile::YieldOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::YieldOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<sm::YieldOp>(op, adaptor.getValue());
    return success();
  }
};

class BroadcastLowering : public TilePattern<tile::BroadcastOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::BroadcastOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    if (!isa<RankedTensorType>(op.getSource().getType())) {
      rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type, adaptor.getSource());
      return success();
    }
    std::optional<SmallVector<int64_t>> table = registerTable(op);
    if (!table)
      return op.emitOpError("expected a source laid out as the result without the new axes; a "
                            "tile.convert_layout is missing");
    rewriter.replaceOp(op, permute(Emitter(rewriter, op.getLoc()), adaptor.getSource(), *table));
    return success();
  }

private:
  /// The source register that each register of the result repeats.
  static std::optional<SmallVector<int64_t>> registerTable(tile::BroadcastOp op) {
    FragmentLayout layout = layoutOf(op.getType());
    SmallVector<int64_t> table = llvm::to_vector(llvm::seq(int64_t(0), layout.numRegs()));
    for (int axis = layout.rank; axis-- > 0;) {
      if (llvm::is_contained(op.getDims(), axis))
        continue;
      for (int64_t &reg : table)
        reg = layout.sliceRegister(axis, reg);
      layout = layout.slice(axis);
    }
    auto source = cast<RankedTensorType>(op.getSource().getType());
    auto permutation = registerPermutation(layoutOf(source), layout, source.getShape());
    if (!permutation)
      return std::nullopt;
    for (int64_t &reg : table)
      reg = (*permutation)[reg];
    return table;
  }
};
} // namespace

void tilec::to_sm::populateShapePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         KernelState &state) {
  patterns.add<IotaLowering, AgainLowering, YieldLowering, BroadcastLowering>(
      types, patterns.getContext(), state);
}
