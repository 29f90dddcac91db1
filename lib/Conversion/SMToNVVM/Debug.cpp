//===- Debug.cpp - printing by the driver's vprintf, traps ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tilec;

namespace {

/// `int vprintf(const char *format, void *values)`, which every driver has.
LLVM::LLVMFuncOp vprintfIn(ModuleOp module, ConversionPatternRewriter &b) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>("vprintf"))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer, pointer});
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), "vprintf", type);
}

Value textAddress(ModuleOp module, StringRef text, Location loc, ConversionPatternRewriter &b) {
  std::string bytes = (text + StringRef("\0", 1)).str(), name;
  for (unsigned number = 0; name.empty() || module.lookupSymbol(name); ++number)
    name = "tile_text_" + std::to_string(number);
  LLVM::GlobalOp global;
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
    global = LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                    name, b.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, loc, global);
}

struct PrintLowering : ConvertOpToLLVMPattern<sm::PrintOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(sm::PrintOp op, OpAdaptor in,
                                ConversionPatternRewriter &b) const override {
    Location loc = op.getLoc();
    auto module = op->getParentOfType<ModuleOp>();
    LLVM::LLVMFuncOp print = vprintfIn(module, b);
    Value format = textAddress(module, op.getFormat(), loc, b);
    Value values = packValues(op, in.getValues(), b);
    LLVM::CallOp::create(b, loc, print, ValueRange{format, values});
    b.eraseOp(op);
    return success();
  }

private:
  /// The values as printf promotes them, one after the other at their natural alignment.
  static Value packValues(sm::PrintOp op, ValueRange values, ConversionPatternRewriter &b) {
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    if (values.empty())
      return LLVM::ZeroOp::create(b, loc, pointer);
    SmallVector<Value> promoted;
    for (Value value : values)
      promoted.push_back(value.getType().isF32()
                             ? Value(LLVM::FPExtOp::create(b, loc, b.getF64Type(), value))
                             : value);
    auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                 llvm::to_vector(ValueRange(promoted).getTypes()));
    Value place = allocate(op, type, b);
    for (auto [index, value] : llvm::enumerate(promoted)) {
      Value field = LLVM::GEPOp::create(b, loc, pointer, type, place,
                                        ArrayRef<LLVM::GEPArg>{0, static_cast<int32_t>(index)});
      LLVM::StoreOp::create(b, loc, value, field);
    }
    return place;
  }

  /// On the stack, at the kernel's entry: there it has a fixed place.
  static Value allocate(sm::PrintOp op, Type type, ConversionPatternRewriter &b) {
    OpBuilder::InsertionGuard guard(b);
    auto function = op->getParentOfType<FunctionOpInterface>();
    b.setInsertionPointToStart(&function.getFunctionBody().front());
    Type pointer = LLVM::LLVMPointerType::get(b.getContext());
    return LLVM::AllocaOp::create(b, op.getLoc(), pointer, type, constantI32(b, op.getLoc(), 1),
                                  /*alignment=*/8);
  }
};

struct TrapLowering : ConvertOpToLLVMPattern<sm::TrapOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult matchAndRewrite(sm::TrapOp op, OpAdaptor,
                                ConversionPatternRewriter &b) const override {
    inlineAsm(b, op.getLoc(), "trap;", "", {}, {});
    b.eraseOp(op);
    return success();
  }
};

} // namespace

void tilec::populateDebugPatterns(LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<PrintLowering, TrapLowering>(converter);
}
