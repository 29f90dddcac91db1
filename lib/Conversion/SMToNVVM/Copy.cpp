//===- Copy.cpp - loads, stores and cp.async to LLVM and NVVM -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;

namespace {

constexpr StringLiteral sharedSymbol = "tilec_dynamic_shared";

/// The zero-length external array that stands for dynamic shared memory, made when first asked for.
LLVM::GlobalOp sharedMemory(Operation *user, OpBuilder &b) {
  auto module = user->getParentOfType<ModuleOp>();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(sharedSymbol))
    return global;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  return LLVM::GlobalOp::create(b, module.getLoc(), LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                                /*isConstant=*/false, LLVM::Linkage::External, sharedSymbol,
                                Attribute(), /*alignment=*/1024, sharedSpace);
}

struct SharedBaseLowering : ConvertOpToLLVMPattern<sm::SharedBaseOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::SharedBaseOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    Value base = LLVM::AddressOfOp::create(b, op.getLoc(), sharedMemory(op, b));
    b.replaceOpWithNewOp<LLVM::PtrToIntOp>(op, b.getI32Type(), base);
    return success();
  }
};

/// What an access moves: elements of 32 and 64 bits as they are, all else as 32-bit words (or one
/// shorter integer), so that a vector is always one instruction.
Type accessType(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  int64_t bits = width * (vector ? vector.getNumElements() : 1);
  if (width >= 32)
    return type;
  auto integer = IntegerType::get(type.getContext(), std::min<int64_t>(bits, 32));
  return bits <= 32 ? Type(integer) : VectorType::get({bits / 32}, integer);
}

unsigned accessBytes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8 *
         (vector ? vector.getNumElements() : 1);
}

Value bitcast(OpBuilder &b, Location loc, Type type, Value value) {
  return value.getType() == type ? value : LLVM::BitcastOp::create(b, loc, type, value).getResult();
}

template <class Op> struct LoadLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor in,
                                ConversionPatternRewriter &b) const override {
    Type type = this->getTypeConverter()->convertType(op.getType());
    Value loaded =
        LLVM::LoadOp::create(b, op.getLoc(), accessType(type),
                             pointerTo(b, op.getLoc(), in.getAddress()), accessBytes(type));
    b.replaceOp(op, bitcast(b, op.getLoc(), type, loaded));
    return success();
  }
};

template <class Op> struct StoreLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor in,
                                ConversionPatternRewriter &b) const override {
    Type type = in.getValue().getType();
    Value stored = bitcast(b, op.getLoc(), accessType(type), in.getValue());
    b.replaceOpWithNewOp<LLVM::StoreOp>(op, stored, pointerTo(b, op.getLoc(), in.getAddress()),
                                        accessBytes(type));
    return success();
  }
};

/// As asm: nvvm.cp.async takes no constant beside the address.
struct CpAsyncLowering : ConvertOpToLLVMPattern<sm::CpAsyncOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CpAsyncOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Offset target = splitOffset(in.getTarget()), source = splitOffset(in.getSource());
    APInt constant;
    bool whole = matchPattern(op.getSourceBytes(), m_ConstantInt(&constant)) &&
                 constant == uint64_t(op.getBytes());
    std::string text = std::string("cp.async.") + (op.getBytes() == 16 ? "cg" : "ca") +
                       ".shared.global " + memoryText(0, target.bytes) + ", " +
                       memoryText(1, source.bytes) + ", " + std::to_string(op.getBytes());
    SmallVector<Value> operands{target.base, source.base};
    if (!whole)
      operands.push_back(in.getSourceBytes());
    inlineAsm(b, op.getLoc(), text + (whole ? ";" : ", $2;"), whole ? "r,l" : "r,l,r", operands,
              {});
    b.eraseOp(op);
    return success();
  }
};

struct CpAsyncCommitLowering : ConvertOpToLLVMPattern<sm::CpAsyncCommitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CpAsyncCommitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::CpAsyncCommitGroupOp>(op);
    return success();
  }
};

/// noinc: the arrival is one of those that the barrier was made for.
struct CpAsyncArriveLowering : ConvertOpToLLVMPattern<sm::CpAsyncArriveOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CpAsyncArriveOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    inlineAsm(b, op.getLoc(), "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [$0];", "r",
              in.getBarrier(), {});
    b.eraseOp(op);
    return success();
  }
};

struct CpAsyncWaitLowering : ConvertOpToLLVMPattern<sm::CpAsyncWaitOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::CpAsyncWaitOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    b.replaceOpWithNewOp<NVVM::CpAsyncWaitGroupOp>(op, uint32_t(op.getPending()));
    return success();
  }
};

} // namespace

void tilec::populateCopyPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<SharedBaseLowering, LoadLowering<sm::LoadGlobalOp>, LoadLowering<sm::LoadSharedOp>,
               StoreLowering<sm::StoreGlobalOp>, StoreLowering<sm::StoreSharedOp>, CpAsyncLowering,
               CpAsyncArriveLowering, CpAsyncCommitLowering, CpAsyncWaitLowering>(converter);
}
