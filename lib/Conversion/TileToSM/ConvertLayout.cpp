//===- ConvertLayout.cpp - the same tile in other registers -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
class ConvertLayoutLowering : public TilePattern<tile::ConvertLayoutOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto table = registerPermutation(layoutOf(op.getSource().getType()), layoutOf(op.getType()),
                                     op.getType().getShape());
    if (!table)
      return op.emitOpError("moves elements between threads; run 'tile-materialize-scratch' first");
    rewriter.replaceOp(op, permute(Emitter(rewriter, op.getLoc()), adaptor.getSource(), *table));
    return success();
  }
};
} // namespace

void tilec::to_sm::populateConvertLayoutPatterns(RewritePatternSet &patterns,
                                                 const TypeConverter &types, KernelState &state) {
  patterns.add<ConvertLayoutLowering>(types, patterns.getContext(), state);
}
