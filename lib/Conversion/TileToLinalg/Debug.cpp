//===- Debug.cpp - printing and checking on the host ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "tilec/Conversion/TileToLinalg.h"
#include "tilec/Dialect/Tile/IR/DebugText.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace tilec::host {

/// One call prints one line, so that lines of CTAs on other threads stay whole.
static LLVM::LLVMFuncOp printfIn(ModuleOp module) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>("printf"))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMFunctionType::get(b.getI32Type(), {pointer}, /*isVarArg=*/true);
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), "printf", type);
}

Value textAddress(OpBuilder &b, Location loc, StringRef text) {
  auto module = b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string bytes = (text + StringRef("\0", 1)).str(), name;
  for (unsigned number = 0; name.empty() || module.lookupSymbol(name); ++number)
    name = "text." + std::to_string(number);
  OpBuilder global = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  auto constant = LLVM::GlobalOp::create(global, loc, type, /*isConstant=*/true,
                                         LLVM::Linkage::Internal, name, b.getStringAttr(bytes));
  return LLVM::AddressOfOp::create(b, loc, constant);
}

/// As printf takes it: i32, i64 or a double.
static Value promote(OpBuilder &b, Location loc, Value value) {
  Type type = value.getType();
  if (isa<FloatType>(type))
    return type.isF64() ? value : arith::ExtFOp::create(b, loc, b.getF64Type(), value).getOut();
  if (type.isInteger(1))
    return arith::ExtUIOp::create(b, loc, b.getI32Type(), value);
  return type.getIntOrFloatBitWidth() < 32
             ? arith::ExtSIOp::create(b, loc, b.getI32Type(), value).getOut()
             : value;
}

/// Does something with each element, or with the scalar.
static void forEachElement(OpBuilder &b, Location loc, Value value,
                           function_ref<void(OpBuilder &, ValueRange, Value)> body) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return body(b, {}, value);
  SmallVector<Value> begin, end;
  for (int64_t size : type.getShape()) {
    begin.push_back(indexConstant(b, loc, 0));
    end.push_back(indexConstant(b, loc, size));
  }
  forEachIndex(b, loc, begin, end, [&](OpBuilder &nested, ValueRange indices) {
    body(nested, indices, tensor::ExtractOp::create(nested, loc, value, indices));
  });
}

LogicalResult lower(tile::PrintOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  LLVM::LLVMFuncOp print = printfIn(op->getParentOfType<ModuleOp>());
  Value format = textAddress(b, loc, printFormat(op));
  forEachElement(b, loc, op.getValue(), [&](OpBuilder &nested, ValueRange indices, Value element) {
    SmallVector<Value> arguments{format};
    for (Value index : indices)
      arguments.push_back(arith::IndexCastOp::create(nested, loc, nested.getI32Type(), index));
    arguments.push_back(promote(nested, loc, element));
    arguments.push_back(state.programId);
    LLVM::CallOp::create(nested, loc, print, arguments);
  });
  return success();
}

/// The assertion becomes the end of the CTA once control flow has no structure: host-checks.
LogicalResult lower(tile::CheckOp op, OpBuilder &b, KernelState &) {
  Location loc = op.getLoc();
  std::string text = checkText(op);
  forEachElement(b, loc, op.getCondition(), [&](OpBuilder &nested, ValueRange, Value element) {
    cf::AssertOp::create(nested, loc, element, text);
  });
  return success();
}

} // namespace tilec::host
