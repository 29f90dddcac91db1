//===- AddressWork.cpp - what each role may compute for itself ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/AddressWork.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

bool tilec::isWritten(Value tensor) {
  auto writes = [](Operation *user, Value handle) {
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    return effects && effects.getEffectOnValue<MemoryEffects::Write>(handle).has_value();
  };
  return llvm::any_of(tensor.getUsers(), [&](Operation *user) {
    auto window = dyn_cast<tile::WindowOp>(user);
    if (!window)
      return writes(user, tensor);
    return llvm::any_of(window->getUsers(),
                        [&](Operation *access) { return writes(access, window.getResult()); });
  });
}

/// A branch or loop over scalars.
static bool isControl(Operation *op) {
  if (!isa<scf::IfOp, scf::ForOp, scf::WhileOp>(op) ||
      op->hasAttr(tile::TileDialect::pipelineAttrName))
    return false;
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Operation &inner : block)
        if (!inner.hasTrait<OpTrait::IsTerminator>() && !tilec::isAddressWork(&inner))
          return false;
  return true;
}

bool tilec::isAddressWork(Operation *op) {
  auto scalar = [](Type type) {
    return type.isIntOrFloat() || isa<tile::WindowType, tile::GlobalType>(type);
  };
  if (!llvm::all_of(op->getResultTypes(), scalar) || !llvm::all_of(op->getOperandTypes(), scalar))
    return false;
  if (op->getNumRegions() != 0)
    return isControl(op);
  if (auto load = dyn_cast<tile::LoadScalarOp>(op))
    return parameterOf(load.getSource()) && !isWritten(load.getSource());
  return isMemoryEffectFree(
      op); // speculation is no question: each role follows the same control flow
}

SmallVector<Value> tilec::usedFromOutside(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}
