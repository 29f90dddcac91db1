//===- Wgmma.cpp - warpgroup matrix instructions to asm -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// nvvm.wgmma.mma_async takes no A operand from registers, and nvvm's wait is not tied to the
// accumulators, so both are asm whose outputs share registers with their inputs.
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tilec;

namespace {

StringRef ptxName(Type type) {
  if (type.isBF16())
    return "bf16";
  if (type.isF16())
    return "f16";
  return isa<Float8E4M3FNType>(type) ? "e4m3" : "e5m2";
}

/// "{$first, ..., $last}"
std::string registerList(size_t first, size_t count) {
  std::string text = "{";
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

/// The name of a descriptor operand, after the constant that belongs to it was added in `setup`.
std::string descriptorText(size_t operand, int64_t offset, StringRef name, std::string &setup) {
  std::string text = "$" + std::to_string(operand);
  if (offset == 0)
    return text;
  setup += ".reg .b64 " + name.str() + "; add.s64 " + name.str() + ", " + text + ", " +
           std::to_string(offset) + "; ";
  return name.str();
}

/// The instruction; operand `a` onwards stand after the accumulators and their tied inputs.
std::string instructionText(sm::WgmmaOp op, size_t accumulators, int64_t offsetA, int64_t offsetB) {
  size_t a = 2 * accumulators, b = a + (op.hasRegisterA() ? 4 : 1);
  std::string setup;
  std::string left =
      op.hasRegisterA() ? registerList(a, 4) : descriptorText(a, offsetA, "da", setup);
  std::string right = descriptorText(b, offsetB, "db", setup);
  std::string types = (ptxName(op.getType()) + "." + ptxName(op.getElementB())).str();
  std::string text = "{ " + setup + ".reg .pred p; setp.ne.b32 p, " +
                     std::string(op.getInit() ? "0" : "1") +
                     ", 0; wgmma.mma_async.sync.aligned.m64n" + std::to_string(op.getN()) + "k" +
                     std::to_string(op.getK()) + ".f32." + types + " " +
                     registerList(0, accumulators) + ", " + left + ", " + right + ", p, 1, 1";
  if (op.getType().getIntOrFloatBitWidth() == 16) {
    if (!op.hasRegisterA())
      text += op.getTransposeA() ? ", 1" : ", 0";
    text += op.getTransposeB() ? ", 1" : ", 0";
  }
  return text + "; }";
}

struct WgmmaLowering : ConvertOpToLLVMPattern<sm::WgmmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WgmmaOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto type = cast<VectorType>(in.getAcc().getType());
    size_t count = type.getNumElements();
    SmallVector<Value> operands = accumulators(op, in.getAcc(), b);
    SmallVector<Type> results(count, b.getF32Type());
    std::string constraints;
    for (size_t i = 0; i < count; ++i)
      constraints += "=f,";
    for (size_t i = 0; i < count; ++i)
      constraints += std::to_string(i) + ",";
    // What stays in place through a loop is computed in front of it, once.
    Operation *definition = op.getA().getDefiningOp();
    auto loop = op->getParentOfType<LoopLikeOpInterface>();
    bool inPlace = op.hasRegisterA() || !definition || !loop || !loop->isAncestor(definition);
    Offset left = inPlace ? Offset{in.getA()} : splitOffset(in.getA());
    Offset right = splitOffset(in.getB());
    llvm::append_range(operands, unpackElements(b, loc, left.base));
    constraints += op.hasRegisterA() ? "r,r,r,r,l" : "l,l";
    operands.push_back(right.base);
    SmallVector<Value> elements =
        inlineAsm(b, loc, instructionText(op, count, left.bytes, right.bytes), constraints,
                  operands, results);
    b.replaceOp(op, packElements(b, loc, type, elements));
    return success();
  }

private:
  /// With `init` the old value is not read: undef, so that no instruction sets it.
  static SmallVector<Value> accumulators(sm::WgmmaOp op, Value acc, OpBuilder &b) {
    if (!op.getInit())
      return unpackElements(b, op.getLoc(), acc);
    Value undef = LLVM::UndefOp::create(b, op.getLoc(), b.getF32Type());
    return SmallVector<Value>(cast<VectorType>(acc.getType()).getNumElements(), undef);
  }
};

struct WgmmaFenceLowering : ConvertOpToLLVMPattern<sm::WgmmaFenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WgmmaFenceOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    SmallVector<Value> results;
    if (!in.getValues().empty())
      results = tiedAsm(b, op.getLoc(), "", in.getValues());
    NVVM::WgmmaFenceAlignedOp::create(b, op.getLoc());
    b.replaceOp(op, results);
    return success();
  }
};

struct WgmmaCommitLowering : ConvertOpToLLVMPattern<sm::WgmmaCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WgmmaCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::WgmmaGroupSyncAlignedOp>(op);
    return success();
  }
};

/// A NaN other than the canonical one: arithmetic never gives it.
constexpr int32_t kNoArithmetic = 0x7fc0dead;

/// An arrival that never happens. It is predicated; what ptxas makes a branch would end the basic
/// block, and no exponential of the elements behind it could start before the wait.
struct OrderLowering : ConvertOpToLLVMPattern<sm::OrderOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::OrderOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    SmallVector<Value> elements{in.getValue()};
    if (isa<VectorType>(in.getValue().getType()))
      elements = unpackElements(b, op.getLoc(), in.getValue());
    Value sum = elements.front();
    for (Value element : ArrayRef<Value>(elements).drop_front())
      sum = LLVM::FAddOp::create(b, op.getLoc(), sum, element);
    std::string text = llvm::formatv(
        "{{ .reg .pred p; setp.eq.b32 p, $0, {0:x}; @p bar.arrive 15, 128; }", kNoArithmetic);
    inlineAsm(b, op.getLoc(), text, "f", {sum}, {});
    b.eraseOp(op);
    return success();
  }
};

/// 0 instead of `value` if the sum begins with the bit pattern of OrderLowering.
struct BehindLowering : ConvertOpToLLVMPattern<sm::BehindOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::BehindOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    Value first = unpackElements(b, loc, in.getSum()).front();
    Value bits = LLVM::BitcastOp::create(b, loc, b.getI32Type(), first);
    Value pattern = LLVM::ConstantOp::create(b, loc, b.getI32IntegerAttr(kNoArithmetic));
    Value never = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq, bits, pattern);
    Value zero = LLVM::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0));
    SmallVector<Value> elements = unpackElements(b, loc, in.getValue());
    for (Value &element : elements)
      element = LLVM::SelectOp::create(b, loc, never, zero, element);
    b.replaceOp(op, packElements(b, loc, in.getValue().getType(), elements));
    return success();
  }
};

/// An asm of no instruction: calls of asm with side effects are not merged.
struct ApartLowering : ConvertOpToLLVMPattern<sm::ApartOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::ApartOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    inlineAsm(b, op.getLoc(), "", "", {}, {});
    b.eraseOp(op);
    return success();
  }
};

struct OpaqueLowering : ConvertOpToLLVMPattern<sm::OpaqueOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::OpaqueOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    StringRef constraints = op.getType().isInteger(64) ? "=l,0" : "=r,0";
    b.replaceOp(op,
                inlineAsm(b, op.getLoc(), "", constraints, in.getValue(), in.getValue().getType()));
    return success();
  }
};

struct WgmmaWaitLowering : ConvertOpToLLVMPattern<sm::WgmmaWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::WgmmaWaitOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    std::string text = "wgmma.wait_group.sync.aligned " + std::to_string(op.getPending()) + ";";
    b.replaceOp(op, tiedAsm(b, op.getLoc(), text, in.getValues()));
    return success();
  }
};

} // namespace

void tilec::populateWgmmaPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<WgmmaLowering, WgmmaFenceLowering, WgmmaCommitLowering, WgmmaWaitLowering,
               OrderLowering, BehindLowering, ApartLowering, OpaqueLowering>(converter);
}
