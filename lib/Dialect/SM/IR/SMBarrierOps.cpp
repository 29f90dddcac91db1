//===- SMBarrierOps.cpp - barriers and fences -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMBarrierOps.cpp.inc"

/// The value of a constant i32 operand, if it is one.
static std::optional<int64_t> constantOf(Value value) {
  APInt constant;
  if (!matchPattern(value, m_ConstantInt(&constant)))
    return std::nullopt;
  return constant.getSExtValue();
}

LogicalResult NamedBarrierOp::verify() {
  if (auto id = constantOf(getId()); id && (*id < 0 || *id > 15))
    return emitOpError("expected a barrier id from 0 to 15, found ") << *id;
  if (auto threads = constantOf(getThreads());
      threads && (*threads <= 0 || *threads > 1024 || *threads % 32))
    return emitOpError("expected a thread count that is a multiple of 32 from 32 to 1024, found ")
           << *threads;
  return success();
}

LogicalResult BarrierInitOp::verify() {
  if (auto count = constantOf(getCount()); count && (*count < 1 || *count >= (1 << 20)))
    return emitOpError("expected an arrival count from 1 to 1048575, found ") << *count;
  return success();
}
