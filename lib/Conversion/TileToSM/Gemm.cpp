//===- Gemm.cpp - which instruction multiplies ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

Value tilec::to_sm::registersOfA(Emitter e, Value fragment, int64_t block, int64_t step,
                                 int64_t kSteps) {
  // A K step of 16 columns is two atoms of the accumulator: 8 registers, in the instruction's
  // order.
  Value part = slice(e, fragment, 8 * (step + kSteps * block), 8);
  auto words = VectorType::get({4}, e.builder.getI32Type());
  return vector::BitCastOp::create(e.builder, e.loc, words, part);
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

namespace {
class GemmLowering : public TilePattern<tile::GemmOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::GemmOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (failed(check(op)))
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

private:
  /// What both instructions ask for.
  static LogicalResult check(tile::GemmOp op) {
    FragmentLayout acc = layoutOf(op.getAcc().getType());
    Coord covered = acc.coverage();
    FragmentLayout expected = acc.warp.empty()
                                  ? mmaAccumulator(covered[0], covered[1], acc.warps)
                                  : wgmmaAccumulator(covered[0], covered[1], acc.warps);
    if (acc != expected)
      return op.emitOpError("expected an accumulator laid out for wgmma or mma.sync; run "
                            "'tile-assign-layouts' first");
    int64_t step = kOfInstruction(op.getOperandElementType());
    if (op.getK() % step != 0)
      return op.emitOpError() << "expected a contracted axis of a multiple of " << step
                              << " elements of " << op.getOperandElementType() << ", found "
                              << op.getK();
    auto fragment = dyn_cast<RankedTensorType>(op.getA().getType());
    if (!fragment)
      return success();
    if (fragment.getElementTypeBitWidth() != 16)
      return op.emitOpError()
             << "takes its first operand from registers in f16 or bf16 only, found "
             << fragment.getElementType() << "; store it to a shared tile";
    if (!feedsAccumulator(layoutOf(fragment), acc))
      return op.emitOpError("expected a first operand laid out as the accumulator's rows; a "
                            "tile.convert_layout is missing");
    return success();
  }
};
} // namespace

void tilec::to_sm::populateGemmPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<GemmLowering>(types, patterns.getContext(), state);
}
