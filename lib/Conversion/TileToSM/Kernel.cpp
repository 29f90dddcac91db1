//===- Kernel.cpp - the kernel and what it knows of the launch --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace tilec::to_sm;

namespace {
/// `tile.kernel` -> `func.func` with the launcher's flat arguments: per tensor its address, extents
/// and strides, scalars as they are, then the launch-time dimensions, then the tensor maps.
class KernelLowering : public OpConversionPattern<tile::KernelOp> {
public:
  KernelLowering(const TypeConverter &types, MLIRContext *context, KernelState &state)
      : OpConversionPattern(types, context), state(state) {}

  LogicalResult matchAndRewrite(tile::KernelOp kernel, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<StringRef> dims = dimNames(kernel);
    TypeConverter::SignatureConversion signature(kernel.getArgumentTypes().size());
    if (failed(getTypeConverter()->convertSignatureArgs(kernel.getArgumentTypes(), signature)))
      return rewriter.notifyMatchFailure(kernel, "a parameter of unknown type");
    if (!dims.empty())
      signature.addInputs(SmallVector<Type>(dims.size(), rewriter.getI64Type()));
    size_t maps = numTensorMaps(kernel);
    if (maps != 0)
      signature.addInputs(SmallVector<Type>(maps, sm::TensorMapType::get(getContext())));

    auto type = rewriter.getFunctionType(signature.getConvertedTypes(), {});
    auto function = func::FuncOp::create(rewriter, kernel.getLoc(), kernel.getSymName(), type);
    function->setDiscardableAttrs(llvm::to_vector(kernel->getDiscardableAttrs()));
    rewriter.inlineRegionBefore(kernel.getBody(), function.getBody(), function.end());
    Block *entry = rewriter.applySignatureConversion(&function.getBody().front(), signature,
                                                     getTypeConverter());
    for (unsigned number = 0; number < kernel.getArgumentTypes().size(); ++number) {
      auto flat = signature.getInputMapping(number);
      auto values = entry->getArguments().slice(flat->inputNo, flat->size);
      state.params.emplace_back(values.begin(), values.end());
    }
    auto last = entry->getArguments().take_back(dims.size() + maps);
    for (auto [name, value] : llvm::zip(dims, last))
      state.dims[name] = value;
    state.tensorMaps.assign(last.end() - maps, last.end());
    rewriter.eraseOp(kernel);
    return success();
  }

private:
  static SmallVector<StringRef> dimNames(tile::KernelOp kernel) {
    SmallVector<StringRef> names;
    DictionaryAttr launch = kernel.getLaunch();
    if (auto dims = launch ? launch.getAs<ArrayAttr>("dims") : ArrayAttr())
      for (StringRef name : dims.getAsValueRange<StringAttr>())
        names.push_back(name);
    return names;
  }

  static size_t numTensorMaps(tile::KernelOp kernel) {
    DictionaryAttr launch = kernel.getLaunch();
    auto maps = launch ? launch.getAs<ArrayAttr>("maps") : ArrayAttr();
    return maps ? maps.size() : 0;
  }

  KernelState &state;
};

class ReturnLowering : public TilePattern<tile::ReturnOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ReturnOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<func::ReturnOp>(op);
    return success();
  }
};

class ProgramIdLowering : public TilePattern<tile::ProgramIdOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ProgramIdOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, Emitter(rewriter, op.getLoc()).widen(state.cta));
    return success();
  }
};

class NumProgramsLowering : public TilePattern<tile::NumProgramsOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::NumProgramsOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value count = sm::NumCtasOp::create(rewriter, op.getLoc());
    rewriter.replaceOp(op, Emitter(rewriter, op.getLoc()).widen(count));
    return success();
  }
};

class DimLowering : public TilePattern<tile::DimOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::DimOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto found = state.dims.find(op.getName());
    if (found == state.dims.end())
      return op.emitOpError() << "names the dimension '" << op.getName()
                              << "', which 'tile.launch' does not declare";
    rewriter.replaceOp(op, found->second);
    return success();
  }
};

/// A shared tile is its address.
class AllocSharedLowering : public TilePattern<tile::AllocSharedOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::AllocSharedOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!op.getOffset())
      return op.emitOpError("has no place in shared memory; run 'tile-allocate-shared' first");
    Emitter e(rewriter, op.getLoc());
    rewriter.replaceOp(op, e.add(state.sharedBase, *op.getOffset()));
    return success();
  }
};
} // namespace

void tilec::to_sm::populateKernelPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<KernelLowering, ReturnLowering, ProgramIdLowering, NumProgramsLowering, DimLowering,
               AllocSharedLowering>(types, patterns.getContext(), state);
}
