//===- Math.cpp - approximate functions and conversions to intrinsics -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"
#include "tilec/Dialect/SM/IR/InstructionTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilec;

namespace {

/// Calls an intrinsic on every element.
Value mapElements(OpBuilder &b, Location loc, StringRef intrinsic, Type type,
                  ArrayRef<Value> operands) {
  SmallVector<SmallVector<Value>> elements;
  for (Value operand : operands)
    elements.push_back(unpackElements(b, loc, operand));
  SmallVector<Value> results;
  for (size_t i = 0; i < elements.front().size(); ++i) {
    SmallVector<Value> arguments;
    for (auto &list : elements)
      arguments.push_back(list[i]);
    results.push_back(callIntrinsic(b, loc, intrinsic, b.getF32Type(), arguments));
  }
  return packElements(b, loc, type, results);
}

/// `Op` (of `sm`, or upstream's of the same meaning) as the intrinsic of `Row`'s table entry.
template <class Op, class Row = Op> struct ApproxLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor in,
                                ConversionPatternRewriter &b) const override {
    StringRef intrinsic = sm::findInstruction(Row::getOperationName())->target;
    Value operand = in.getOperands().front();
    b.replaceOp(op, mapElements(b, op.getLoc(), intrinsic, operand.getType(), {operand}));
    return success();
  }
};

/// An asm from one value to an f32, without side effects.
Value pureAsm(OpBuilder &b, Location loc, StringRef text, StringRef constraints, Value operand) {
  return LLVM::InlineAsmOp::create(
             b, loc, b.getF32Type(), operand, text, constraints, /*has_side_effects=*/false,
             /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr())
      .getResult(0);
}

/// There is no intrinsic for tanh: asm without side effects, one per element.
struct TanhLowering : ConvertOpToLLVMPattern<sm::TanhOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::TanhOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    SmallVector<Value> elements = unpackElements(b, op.getLoc(), in.getValue());
    for (Value &element : elements)
      element = pureAsm(b, op.getLoc(), "tanh.approx.f32 $0, $1;", "=f,f", element);
    b.replaceOp(op, packElements(b, op.getLoc(), in.getValue().getType(), elements));
    return success();
  }
};

/// Two f32 to 8-bit floats, `low` in the low byte.
Value convertPairOfBytes(OpBuilder &b, Location loc, Type element, Value low, Value high) {
  StringRef name =
      isa<Float8E4M3FNType>(element) ? "llvm.nvvm.ff.to.e4m3x2.rn" : "llvm.nvvm.ff.to.e5m2x2.rn";
  return callIntrinsic(b, loc, name, b.getI16Type(), {high, low});
}

/// Two f32 to one packed value of `element`; the first argument of the intrinsics is the high half.
Value convertPair(OpBuilder &b, Location loc, Type element, Value low, Value high) {
  if (element.isBF16() || element.isF16()) {
    StringRef name = element.isBF16() ? "llvm.nvvm.ff2bf16x2.rn" : "llvm.nvvm.ff2f16x2.rn";
    return callIntrinsic(b, loc, name, VectorType::get({2}, element), {high, low});
  }
  Value pair = convertPairOfBytes(b, loc, element, low, high);
  return LLVM::BitcastOp::create(b, loc, VectorType::get({2}, b.getI8Type()), pair);
}

/// f32 to 8-bit floats, whole words: from bytes, LLVM would put them together with shifts.
Value convertWords(OpBuilder &b, Location loc, Type element, VectorType type, Value value) {
  SmallVector<Value> source = unpackElements(b, loc, value), words;
  auto pairs = VectorType::get({2}, b.getI16Type());
  for (size_t i = 0; i < source.size(); i += 4) {
    Value low = convertPairOfBytes(b, loc, element, source[i], source[i + 1]);
    Value high = convertPairOfBytes(b, loc, element, source[i + 2], source[i + 3]);
    words.push_back(
        LLVM::BitcastOp::create(b, loc, b.getI32Type(), packElements(b, loc, pairs, {low, high})));
  }
  return fromWords(b, loc, type, words);
}

/// Rounds the elements of a vector of f32 in pairs; the last of an odd number is paired with
/// itself.
Value convertPairs(OpBuilder &b, Location loc, Type element, VectorType type, Value value) {
  SmallVector<Value> source = unpackElements(b, loc, value), results;
  for (size_t i = 0; i < source.size(); i += 2) {
    Value high = source[std::min(i + 1, source.size() - 1)];
    llvm::append_range(results,
                       unpackElements(b, loc, convertPair(b, loc, element, source[i], high)));
  }
  results.resize(source.size());
  return packElements(b, loc, type, results);
}

struct CvtPackLowering : ConvertOpToLLVMPattern<sm::CvtPackOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CvtPackOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    auto type = cast<VectorType>(getTypeConverter()->convertType(op.getType()));
    Type element = getElementTypeOrSelf(op.getType());
    bool words = element.getIntOrFloatBitWidth() == 8 && type.getNumElements() % 4 == 0;
    auto convert = words ? convertWords : convertPairs;
    b.replaceOp(op, convert(b, op.getLoc(), element, type, in.getValue()));
    return success();
  }
};

struct CvtUnpackLowering : ConvertOpToLLVMPattern<sm::CvtUnpackOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CvtUnpackOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    bool e4m3 = isa<Float8E4M3FNType>(getElementTypeOrSelf(op.getValue().getType()));
    StringRef name = e4m3 ? "llvm.nvvm.e4m3x2.to.f16x2.rn" : "llvm.nvvm.e5m2x2.to.f16x2.rn";
    auto type = cast<VectorType>(op.getType());
    auto pairs = VectorType::get({type.getNumElements() / 2}, b.getI16Type());
    SmallVector<Value> results;
    for (Value pair : unpackElements(b, loc, LLVM::BitcastOp::create(b, loc, pairs, in.getValue())))
      llvm::append_range(
          results,
          unpackElements(b, loc,
                         callIntrinsic(b, loc, name, VectorType::get({2}, b.getF16Type()), pair)));
    b.replaceOp(op, packElements(b, loc, type, results));
    return success();
  }
};

bool isVectorCast(Operation *op, bool (*narrow)(Type), Type narrowType, Type wideType) {
  return isa<VectorType>(narrowType) && narrow(getElementTypeOrSelf(narrowType)) &&
         getElementTypeOrSelf(wideType).isF32();
}

/// arith.truncf of a vector: one instruction per pair instead of one per element.
struct TruncFLowering : ConvertOpToLLVMPattern<arith::TruncFOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    auto type = cast<VectorType>(op.getType());
    b.replaceOp(op, convertPairs(b, op.getLoc(), type.getElementType(), type, in.getIn()));
    return success();
  }
};

/// arith.extf of bf16: the bits move to the upper half of a word; a pair in one word takes a shift
/// and a mask.
struct ExtFLowering : ConvertOpToLLVMPattern<arith::ExtFOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto vector = dyn_cast<VectorType>(op.getType());
    size_t count = vector ? vector.getNumElements() : 1;
    bool pairs = count % 2 == 0;
    SmallVector<Value> words, results;
    if (pairs)
      words = toWords(b, loc, in.getIn());
    else
      for (Value element : unpackElements(b, loc, in.getIn()))
        llvm::append_range(words, toWords(b, loc, element));
    Value half = constantI32(b, loc, 16), upper = constantI32(b, loc, -65536);
    for (Value word : words) {
      Value low = LLVM::ShlOp::create(b, loc, word, half);
      results.push_back(LLVM::BitcastOp::create(b, loc, b.getF32Type(), low));
      if (!pairs)
        continue;
      Value high = LLVM::AndOp::create(b, loc, word, upper);
      results.push_back(LLVM::BitcastOp::create(b, loc, b.getF32Type(), high));
    }
    b.replaceOp(op, packElements(b, loc, op.getType(), results));
    return success();
  }
};

/// arith.cmpf of bf16 compares in f32, exactly: with flushed denormals LLVM writes setp.ftz.bf16,
/// which ptxas rejects.
struct CmpFLowering : ConvertOpToLLVMPattern<arith::CmpFOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(arith::CmpFOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Type wide = b.getF32Type();
    if (auto vector = dyn_cast<VectorType>(in.getLhs().getType()))
      wide = vector.clone(wide);
    Value lhs = arith::ExtFOp::create(b, op.getLoc(), wide, in.getLhs());
    Value rhs = arith::ExtFOp::create(b, op.getLoc(), wide, in.getRhs());
    b.replaceOpWithNewOp<arith::CmpFOp>(op, op.getPredicate(), lhs, rhs);
    return success();
  }
};

/// Bits that a logical operation made, as f32, go through a move that LLVM does not see into: it
/// would make a negation or an absolute value of them, and those of the GPU flush a denormal to
/// zero.
struct BitsToFloatLowering : ConvertOpToLLVMPattern<arith::BitcastOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(arith::BitcastOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    SmallVector<Value> elements = unpackElements(b, op.getLoc(), in.getIn());
    for (Value &element : elements)
      element = pureAsm(b, op.getLoc(), "mov.b32 $0, $1;", "=f,r", element);
    b.replaceOp(op, packElements(b, op.getLoc(), op.getType(), elements));
    return success();
  }
};

bool mayBecomeSignOperation(arith::BitcastOp op) {
  return getElementTypeOrSelf(op.getType()).isF32() &&
         isa_and_nonnull<arith::XOrIOp, arith::AndIOp, arith::OrIOp>(op.getIn().getDefiningOp());
}

/// arith.divf whose flags allow an approximation: error 2 ulp over the full range, without the
/// branches of IEEE division. Without flags it stays IEEE.
struct DivFLowering : ConvertOpToLLVMPattern<arith::DivFOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    b.replaceOp(op, mapElements(b, op.getLoc(), "llvm.nvvm.div.full.ftz", op.getType(),
                                {in.getLhs(), in.getRhs()}));
    return success();
  }
};

bool isApproximate(arith::DivFOp op) {
  auto flags = op.getFastmath();
  return getElementTypeOrSelf(op.getType()).isF32() &&
         bitEnumContainsAny(flags, arith::FastMathFlags::arcp | arith::FastMathFlags::afn);
}

} // namespace

void tilec::markIllegalMath(ConversionTarget &target) {
  target.addDynamicallyLegalOp<arith::TruncFOp>([](arith::TruncFOp op) {
    auto sixteen = [](Type type) { return type.isBF16() || type.isF16(); };
    return !isVectorCast(op, sixteen, op.getType(), op.getIn().getType());
  });
  target.addDynamicallyLegalOp<arith::ExtFOp>([](arith::ExtFOp op) {
    return !getElementTypeOrSelf(op.getIn().getType()).isBF16() ||
           !getElementTypeOrSelf(op.getType()).isF32();
  });
  target.addDynamicallyLegalOp<arith::CmpFOp>(
      [](arith::CmpFOp op) { return !getElementTypeOrSelf(op.getLhs().getType()).isBF16(); });
  target.addDynamicallyLegalOp<arith::BitcastOp>(
      [](arith::BitcastOp op) { return !mayBecomeSignOperation(op); });
  target.addDynamicallyLegalOp<arith::DivFOp>([](arith::DivFOp op) { return !isApproximate(op); });
  auto notF32 = [](Operation *op) {
    return !getElementTypeOrSelf(op->getResult(0).getType()).isF32();
  };
  target.addDynamicallyLegalOp<math::Exp2Op, math::Log2Op, math::SqrtOp, math::RsqrtOp>(notF32);
}

void tilec::populateMathPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<BitsToFloatLowering, ApproxLowering<sm::Exp2Op>, ApproxLowering<sm::Log2Op>,
               ApproxLowering<sm::RcpOp>, ApproxLowering<sm::RsqrtOp>, ApproxLowering<sm::SqrtOp>,
               ApproxLowering<sm::SinOp>, ApproxLowering<sm::CosOp>,
               ApproxLowering<math::Exp2Op, sm::Exp2Op>, ApproxLowering<math::Log2Op, sm::Log2Op>,
               ApproxLowering<math::SqrtOp, sm::SqrtOp>, ApproxLowering<math::RsqrtOp, sm::RsqrtOp>,
               TanhLowering, CvtPackLowering, CvtUnpackLowering, TruncFLowering, ExtFLowering,
               CmpFLowering, DivFLowering>(converter);
}
