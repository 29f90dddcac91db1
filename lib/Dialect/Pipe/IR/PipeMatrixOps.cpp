//===- PipeMatrixOps.cpp - matrix products in flight -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Tile/IR/Product.h"

using namespace mlir;
using namespace mlir::pipe;

#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeMatrixOps.cpp.inc"

namespace {
/// The products in flight, in order of issue.
struct IssueOrder : SideEffects::Resource::Base<IssueOrder> {
  StringRef getName() final { return "issue order of matrix products"; }
};
} // namespace

void MmaOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &effects) {
  for (OpOperand *operand : {&getAMutable(), &getBMutable()})
    if (isa<tile::SharedType>(operand->get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), operand);
  effects.emplace_back(MemoryEffects::Write::get(), IssueOrder::get());
}

LogicalResult MmaOp::verify() {
  Type acc = getAcc().getType();
  if (auto inflight = dyn_cast<InflightType>(acc))
    acc = inflight.getTensor();
  if (acc != getResult().getType().getTensor())
    return emitOpError() << "expected a result in flight of the accumulator's type " << acc
                         << ", found " << getResult().getType().getTensor();
  return tile::verifyProduct(*this, getA().getType(), getB().getType(),
                             getResult().getType().getTensor(), getTransposeA(), getTransposeB());
}

LogicalResult MmaWaitOp::verify() {
  if (getResult().getType() != getInflight().getType().getTensor())
    return emitOpError() << "expected the finished accumulator's type "
                         << getInflight().getType().getTensor() << ", found "
                         << getResult().getType();
  if (static_cast<int64_t>(getPending()) < 0)
    return emitOpError() << "expected a number of pending groups of 0 or more, found "
                         << static_cast<int64_t>(getPending());
  return success();
}
