//===- Atomic.cpp - atomic operations and memory fences to asm ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;

namespace {

/// "add.u32": the operation and its type, as PTX writes them.
std::string operationText(sm::AtomicKind kind, Type type) {
  const std::string bits = std::to_string(type.getIntOrFloatBitWidth());
  switch (kind) {
  case sm::AtomicKind::Add:
    return "add." + (type.isF32() ? std::string("f32") : "u" + bits);
  case sm::AtomicKind::Max:
    return "max.s" + bits;
  case sm::AtomicKind::Min:
    return "min.s" + bits;
  case sm::AtomicKind::UMax:
    return "max.u" + bits;
  case sm::AtomicKind::UMin:
    return "min.u" + bits;
  case sm::AtomicKind::Inc:
    return "inc.u" + bits;
  case sm::AtomicKind::And:
  case sm::AtomicKind::Or:
  case sm::AtomicKind::Exch:
  case sm::AtomicKind::Cas:
    return (sm::stringifyAtomicKind(kind) + ".b" + bits).str();
  }
  llvm_unreachable("all kinds are listed");
}

StringRef constraintOf(Type type) {
  return type.isF32() ? "f" : type.getIntOrFloatBitWidth() == 64 ? "l" : "r";
}

/// red writes without reading back; it has no exchange and acquires nothing.
bool isReduction(sm::AtomicKind kind, sm::MemoryOrder order, bool hasOld) {
  return !hasOld && kind != sm::AtomicKind::Exch && kind != sm::AtomicKind::Cas &&
         (order == sm::MemoryOrder::Relaxed || order == sm::MemoryOrder::Release);
}

template <class Op> struct AtomicLowering : ConvertOpToLLVMPattern<Op> {
  using ConvertOpToLLVMPattern<Op>::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(Op op, typename Op::Adaptor in,
                                ConversionPatternRewriter &b) const override {
    constexpr bool global = std::is_same_v<Op, sm::AtomicGlobalOp>;
    Type type = op.getValue().getType();
    const bool reduces = isReduction(op.getKind(), op.getOrder(), static_cast<bool>(op.getOld()));
    Offset address = splitOffset(in.getAddress());
    const size_t first = reduces ? 0 : 1;
    std::string text = reduces ? "red" : "atom";
    for (StringRef part :
         {sm::stringifyMemoryOrder(op.getOrder()), sm::stringifyMemoryScope(op.getScope()),
          StringRef(global ? "global" : "shared")})
      text += "." + part.str();
    text += "." + operationText(op.getKind(), type) + (reduces ? " " : " $0, ") +
            memoryText(first, address.bytes);

    std::string constraints = reduces ? "" : "=" + constraintOf(type).str() + ",";
    constraints += global ? "l" : "r";
    SmallVector<Value> operands{address.base};
    for (Value operand : {in.getCompare(), in.getValue()})
      if (operand) {
        text += ", $" + std::to_string(first + operands.size());
        constraints += "," + constraintOf(type).str();
        operands.push_back(operand);
      }
    SmallVector<Value> results = inlineAsm(b, op.getLoc(), text + ";", constraints, operands,
                                           reduces ? TypeRange() : TypeRange(type));
    if (op.getOld())
      b.replaceOp(op, results);
    else
      b.eraseOp(op);
    return success();
  }
};

/// PTX 8.1 has one kind of fence besides the sequentially consistent one.
struct FenceLowering : ConvertOpToLLVMPattern<sm::FenceOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;
  LogicalResult matchAndRewrite(sm::FenceOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    std::string text = "fence.acq_rel." + sm::stringifyMemoryScope(op.getScope()).str() + ";";
    inlineAsm(b, op.getLoc(), text, "~{memory}", {}, {});
    b.eraseOp(op);
    return success();
  }
};

} // namespace

void tilec::populateAtomicPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<AtomicLowering<sm::AtomicGlobalOp>, AtomicLowering<sm::AtomicSharedOp>, FenceLowering>(
          converter);
}
