//===- Matrix.cpp - mma, ldmatrix and stmatrix to NVVM --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;

namespace {

std::string mmaIntrinsic(sm::MmaOp op) {
  if (op.getType().isBF16())
    return "llvm.nvvm.mma.m16n8k16.row.col.bf16";
  if (op.getType().isF16())
    return "llvm.nvvm.mma.m16n8k16.row.col.f32.f32";
  auto name = [](Type type) { return isa<Float8E4M3FNType>(type) ? "e4m3." : "e5m2."; };
  return std::string("llvm.nvvm.mma.m16n8k32.row.col.f32.") + name(op.getType()) +
         name(op.getElementB()) + "f32";
}

struct MmaLowering : ConvertOpToLLVMPattern<sm::MmaOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::MmaOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    SmallVector<Value> operands = unpackElements(b, loc, in.getA());
    llvm::append_range(operands, unpackElements(b, loc, in.getB()));
    if (op.getType().isF16()) // the one intrinsic whose words are pairs of halves
      for (Value &word : operands)
        word = LLVM::BitcastOp::create(b, loc, VectorType::get({2}, b.getF16Type()), word);
    llvm::append_range(operands, unpackElements(b, loc, in.getC()));
    auto type =
        LLVM::LLVMStructType::getLiteral(getContext(), SmallVector<Type>(4, b.getF32Type()));
    Value result = callIntrinsic(b, loc, mmaIntrinsic(op), type, operands);
    SmallVector<Value> elements;
    for (int64_t i = 0; i < 4; ++i)
      elements.push_back(LLVM::ExtractValueOp::create(b, loc, result, i));
    b.replaceOp(op, packElements(b, loc, in.getC().getType(), elements));
    return success();
  }
};

/// As asm: nvvm.ldmatrix takes no constant beside the address.
struct LdmatrixLowering : ConvertOpToLLVMPattern<sm::LdmatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::LdmatrixOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    int64_t count = op.getType().getNumElements();
    Offset address = splitOffset(in.getAddress());
    std::string registers, constraints;
    for (int64_t i = 0; i < count; ++i) {
      registers += (i ? ", $" : "$") + std::to_string(i);
      constraints += "=r,";
    }
    std::string text = "ldmatrix.sync.aligned.m8n8.x" + std::to_string(count) +
                       (op.getTranspose() ? ".trans" : "") + ".shared.b16 {" + registers + "}, " +
                       memoryText(count, address.bytes) + ";";
    SmallVector<Value> words = inlineAsm(b, op.getLoc(), text, constraints + "r", address.base,
                                         SmallVector<Type>(count, b.getI32Type()));
    b.replaceOp(op, packElements(b, op.getLoc(), op.getType(), words));
    return success();
  }
};

struct StmatrixLowering : ConvertOpToLLVMPattern<sm::StmatrixOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::StmatrixOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    b.replaceOpWithNewOp<NVVM::StMatrixOp>(
        op, pointerTo(b, loc, in.getAddress()), unpackElements(b, loc, in.getValue()),
        op.getTranspose() ? NVVM::MMALayout::col : NVVM::MMALayout::row,
        NVVM::LdStMatrixShapeAttr::get(getContext(), 8, 8), NVVM::LdStMatrixEltType::B16);
    return success();
  }
};

} // namespace

void tilec::populateMatrixPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<MmaLowering, LdmatrixLowering, StmatrixLowering>(converter);
}
