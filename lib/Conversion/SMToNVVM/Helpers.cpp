//===- Helpers.cpp - what the parts of convert-sm-to-nvvm share -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilec {

Value constantI32(OpBuilder &b, Location loc, int64_t value) {
  return LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(value));
}

Offset splitOffset(Value value) {
  APInt constant;
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || !matchPattern(sum.getRhs(), m_ConstantInt(&constant)))
    return {value};
  return {sum.getLhs(), constant.getSExtValue()};
}

std::string memoryText(size_t operand, int64_t offset) {
  std::string text = "[$" + std::to_string(operand);
  return offset == 0 ? text + "]" : text + "+" + std::to_string(offset) + "]";
}

Value pointerTo(OpBuilder &b, Location loc, Value address) {
  unsigned space = address.getType().isInteger(32) ? sharedSpace : globalSpace;
  auto type = LLVM::LLVMPointerType::get(b.getContext(), space);
  Offset offset = splitOffset(address);
  Value base = LLVM::IntToPtrOp::create(b, loc, type, offset.base);
  if (offset.bytes == 0)
    return base;
  return LLVM::GEPOp::create(b, loc, type, b.getI8Type(), base,
                             LLVM::GEPArg(static_cast<int32_t>(offset.bytes)));
}

SmallVector<Value> unpackElements(OpBuilder &b, Location loc, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(LLVM::ExtractElementOp::create(b, loc, value, constantI32(b, loc, i)));
  return elements;
}

Value packElements(OpBuilder &b, Location loc, Type type, ValueRange elements) {
  if (!isa<VectorType>(type))
    return elements.front();
  Value result = LLVM::PoisonOp::create(b, loc, type);
  for (auto [i, element] : llvm::enumerate(elements))
    result = LLVM::InsertElementOp::create(b, loc, result, element, constantI32(b, loc, i));
  return result;
}

static int64_t bitWidth(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return getElementTypeOrSelf(type).getIntOrFloatBitWidth() *
         (vector ? vector.getNumElements() : 1);
}

SmallVector<Value> toWords(OpBuilder &b, Location loc, Value value) {
  int64_t bits = bitWidth(value.getType());
  Type i32 = b.getI32Type();
  if (bits < 32) {
    Value whole = LLVM::BitcastOp::create(b, loc, b.getIntegerType(bits), value);
    return {LLVM::ZExtOp::create(b, loc, i32, whole)};
  }
  if (bits == 32)
    return {LLVM::BitcastOp::create(b, loc, i32, value)};
  auto type = VectorType::get({bits / 32}, i32);
  return unpackElements(b, loc, LLVM::BitcastOp::create(b, loc, type, value));
}

Value fromWords(OpBuilder &b, Location loc, Type type, ValueRange words) {
  int64_t bits = bitWidth(type);
  Value whole = words.front();
  if (bits < 32)
    whole = LLVM::TruncOp::create(b, loc, b.getIntegerType(bits), whole);
  if (bits > 32)
    whole = packElements(b, loc, VectorType::get({bits / 32}, b.getI32Type()), words);
  return LLVM::BitcastOp::create(b, loc, type, whole);
}

Value callIntrinsic(OpBuilder &b, Location loc, StringRef name, Type type, ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, loc, type, b.getStringAttr(name), operands).getResult(0);
}

SmallVector<Value> inlineAsm(OpBuilder &b, Location loc, StringRef text, StringRef constraints,
                             ValueRange operands, TypeRange types) {
  Type result;
  if (types.size() == 1)
    result = types.front();
  else if (types.size() > 1)
    result = LLVM::LLVMStructType::getLiteral(b.getContext(), llvm::to_vector(types));
  auto op = LLVM::InlineAsmOp::create(
      b, loc, result ? TypeRange(result) : TypeRange(), operands, text, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  if (types.size() <= 1)
    return SmallVector<Value>(op->getResults());
  SmallVector<Value> values;
  for (size_t i = 0; i < types.size(); ++i)
    values.push_back(LLVM::ExtractValueOp::create(b, loc, op->getResult(0), i));
  return values;
}

SmallVector<Value> tiedAsm(OpBuilder &b, Location loc, StringRef text, ValueRange values) {
  SmallVector<Value> registers;
  std::string outputs, inputs;
  for (Value value : values)
    for (Value element : unpackElements(b, loc, value)) {
      outputs += element.getType().isF32() ? "=f," : "=r,";
      inputs += std::to_string(registers.size()) + ",";
      registers.push_back(element);
    }
  std::string constraints = outputs + inputs;
  if (!constraints.empty())
    constraints.pop_back();
  SmallVector<Value> tied =
      inlineAsm(b, loc, text, constraints, registers, ValueRange(registers).getTypes());
  SmallVector<Value> results;
  ArrayRef<Value> rest = tied;
  for (Value value : values) {
    size_t count = cast<VectorType>(value.getType()).getNumElements();
    results.push_back(packElements(b, loc, value.getType(), rest.take_front(count)));
    rest = rest.drop_front(count);
  }
  return results;
}

} // namespace tilec
