//===- Gemm.cpp - which instruction multiplies ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

Value tilec::to_sm::wordsOfA(Emitter e, Value fragment) {
  auto type = cast<VectorType>(fragment.getType());
  int64_t bits = type.getNumElements() * type.getElementTypeBitWidth();
  auto words = VectorType::get({bits / 32}, e.builder.getI32Type());
  return vector::BitCastOp::create(e.builder, e.loc, words, fragment);
}

Value tilec::to_sm::registersOfA(Emitter e, Value words, int64_t block, int64_t step,
                                 int64_t kSteps) {
  // A K step is two atoms of the accumulator (16 columns, 8 elements) or one of the 8-bit operand
  // (32 columns, 16 elements), in the instruction's order.
  return slice(e, words, 4 * (step + kSteps * block), 4);
}

Type Product::elementA() const {
  if (auto shared = dyn_cast<tile::SharedType>(a))
    return shared.getElementType();
  return cast<RankedTensorType>(a).getElementType();
}

TypeAttr tilec::to_sm::mixedType(Type a, Type b) { return a == b ? TypeAttr() : TypeAttr::get(b); }

Product tilec::to_sm::productOf(tile::GemmOp op) {
  return {op,
          op.getA().getType(),
          op.getB().getType(),
          op.getAcc().getType(),
          op.getTransposeA(),
          op.getTransposeB()};
}

bool tilec::to_sm::feedsAccumulator(const FragmentLayout &a, const FragmentLayout &acc,
                                    int64_t bits) {
  SmallVector<Digit> warps;
  for (const Digit &digit : acc.warps)
    appendDigit(warps, {digit.dim == 1 ? -1 : digit.dim, digit.count});
  bool onWarps = acc.warp.empty();
  auto expected = bits == 8 ? (onWarps ? mmaOperand8 : wgmmaOperand8)
                            : (onWarps ? mmaAccumulator : wgmmaAccumulator);
  return a == expected(acc.coverage()[0], a.coverage()[1], warps);
}

LogicalResult tilec::to_sm::checkProduct(const Product &product) {
  FragmentLayout acc = layoutOf(product.acc);
  Coord covered = acc.coverage();
  FragmentLayout expected = acc.warp.empty() ? mmaAccumulator(covered[0], covered[1], acc.warps)
                                             : wgmmaAccumulator(covered[0], covered[1], acc.warps);
  if (acc != expected)
    return product.op->emitOpError("expected an accumulator laid out for wgmma or mma.sync; run "
                                   "'tile-assign-layouts' first");
  int64_t step = kOfInstruction(product.elementB());
  if (product.k() % step != 0)
    return product.op->emitOpError()
           << "expected a contracted axis of a multiple of " << step << " elements of "
           << product.elementB() << ", found " << product.k();
  auto fragment = dyn_cast<RankedTensorType>(product.a);
  if (!fragment)
    return success();
  if (!feedsAccumulator(layoutOf(fragment), acc, fragment.getElementTypeBitWidth()))
    return product.op->emitOpError("expected a first operand laid out for the accumulator's "
                                   "instruction; a tile.convert_layout is missing");
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
