//===- Mma.cpp - matrix products in flight ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An accumulator in flight is the vector of its registers; only wgmma and the wait touch it. The
// wait also ties A's registers, which the tensor cores read until then: nothing may write them
// earlier.
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static Product productOf(pipe::MmaOp op) {
  return {op,
          op.getA().getType(),
          op.getB().getType(),
          op.getResult().getType().getTensor(),
          op.getTransposeA(),
          op.getTransposeB()};
}

namespace {
class MmaLowering : public TilePattern<pipe::MmaOp> {
public:
  MmaLowering(const TypeConverter &types, MLIRContext *context, KernelState &state)
      : TilePattern(types, context, state), pipe(state.pipe) {}

  LogicalResult matchAndRewrite(pipe::MmaOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Product product = ::productOf(op);
    if (failed(checkProduct(product)))
      return failure();
    if (layoutOf(product.acc).warp.empty())
      return op.emitOpError("expected an accumulator laid out for wgmma, which alone runs on while "
                            "the warps go on");
    Emitter e(rewriter, op.getLoc());
    GemmOperands operands{adaptor.getA(), adaptor.getB(), adaptor.getAcc()};
    bool accInFlight = isa<pipe::InflightType>(op.getAcc().getType());
    FailureOr<IssuedProduct> issued = issueWgmma(e, state, product, operands, accInFlight);
    if (failed(issued))
      return failure();
    SmallVector<Value> words = pipe.wordsInFlight.lookup(op.getAcc());
    if (issued->words)
      words.push_back(issued->words);
    pipe.wordsInFlight[op.getResult()] = std::move(words);
    llvm::append_range(pipe.chainsInFlight[op.getResult()], issued->chains);
    rewriter.replaceOp(op, concatenate(e, issued->chains));
    return success();
  }

private:
  PipeState &pipe;
};

/// The registers stay with a younger group, so nothing is tied.
class OrderLowering : public TilePattern<pipe::OrderOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::OrderOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<sm::OrderOp>(op, adaptor.getValue());
    return success();
  }
};

class MmaDrainLowering : public TilePattern<pipe::MmaDrainOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::MmaDrainOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    sm::WgmmaWaitOp::create(rewriter, op.getLoc(), ValueRange(), op.getPendingAttr());
    rewriter.eraseOp(op);
    return success();
  }
};

class MmaWaitLowering : public TilePattern<pipe::MmaWaitOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::MmaWaitOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // Several chains become one vector behind the wait; a product that a loop carries has been one
    // all along.
    SmallVector<Value> tied = state.pipe.chainsInFlight.lookup(op.getInflight());
    if (tied.empty())
      tied.push_back(adaptor.getInflight());
    size_t chains = tied.size();
    llvm::append_range(tied, state.pipe.wordsInFlight.lookup(op.getInflight()));
    auto wait = sm::WgmmaWaitOp::create(rewriter, op.getLoc(), tied, op.getPendingAttr());
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(
        op, concatenate(e, llvm::to_vector_of<Value>(wait.getResults().take_front(chains))));
    return success();
  }
};
} // namespace

void tilec::to_sm::populatePipeMmaPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           KernelState &state) {
  patterns.add<MmaLowering, MmaDrainLowering, MmaWaitLowering, OrderLowering>(
      types, patterns.getContext(), state);
}
