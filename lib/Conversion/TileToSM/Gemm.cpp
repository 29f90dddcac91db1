//===- Gemm.cpp - which instruction multiplies ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

Value tilec::to_sm::wordsOfA(Emitter e, Value fragment) {
  auto type = cast<VectorType>(fragment.getType());
  auto words = VectorType::get({type.getNumElements() / 2}, e.builder.getI32Type());
  return vector::BitCastOp::create(e.builder, e.loc, words, fragment);
}

Value tilec::to_sm::registersOfA(Emitter e, Value words, int64_t block, int64_t step,
                                 int64_t kSteps) {
  // A K step of 16 columns is two atoms of the accumulator: 8 elements, in the instruction's order.
  return slice(e, words, 4 * (step + kSteps * block), 4);
}

Product tilec::to_sm::productOf(tile::GemmOp op) {
  return {op,
          op.getA().getType(),
          op.getB().getType(),
          op.getAcc().getType(),
          op.getTransposeA(),
          op.getTransposeB()};
}

bool tilec::to_sm::feedsAccumulator(const FragmentLayout &a, const FragmentLayout &acc) {
  SmallVector<Digit> warps;
  for (const Digit &digit : acc.warps)
    appendDigit(warps, {digit.dim == 1 ? -1 : digit.dim, digit.count});
  FragmentLayout expected = acc.warp.empty()
                                ? mmaAccumulator(acc.coverage()[0], a.coverage()[1], warps)
                                : wgmmaAccumulator(acc.coverage()[0], a.coverage()[1], warps);
  return a == expected;
}

LogicalResult tilec::to_sm::checkProduct(const Product &product) {
  FragmentLayout acc = layoutOf(product.acc);
  Coord covered = acc.coverage();
  FragmentLayout expected = acc.warp.empty() ? mmaAccumulator(covered[0], covered[1], acc.warps)
                                             : wgmmaAccumulator(covered[0], covered[1], acc.warps);
  if (acc != expected)
    return product.op->emitOpError("expected an accumulator laid out for wgmma or mma.sync; run "
                                   "'tile-assign-layouts' first");
  int64_t step = kOfInstruction(product.element());
  if (product.k() % step != 0)
    return product.op->emitOpError()
           << "expected a contracted axis of a multiple of " << step << " elements of "
           << product.element() << ", found " << product.k();
  auto fragment = dyn_cast<RankedTensorType>(product.a);
  if (!fragment)
    return success();
  if (fragment.getElementTypeBitWidth() != 16)
    return product.op->emitOpError()
           << "takes its first operand from registers in f16 or bf16 only, found "
           << fragment.getElementType() << "; store it to a shared tile";
  if (!feedsAccumulator(layoutOf(fragment), acc))
    return product.op->emitOpError("expected a first operand laid out as the accumulator's rows; a "
                                   "tile.convert_layout is missing");
  return success();
}

namespace {
class GemmLowering : public TilePattern<tile::GemmOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::GemmOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(checkProduct(productOf(op))))
      return failure();
    Emitter e(rewriter, op.getLoc());
    GemmOperands operands{adaptor.getA(), adaptor.getB(), adaptor.getAcc()};
    bool warpgroups = !layoutOf(op.getAcc().getType()).warp.empty();
    FailureOr<Value> result =
        warpgroups ? lowerToWgmma(e, state, op, operands) : lowerToMmaSync(e, state, op, operands);
    if (failed(result))
      return failure();
    rewriter.replaceOp(op, *result);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateGemmPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<GemmLowering>(types, patterns.getContext(), state);
}
