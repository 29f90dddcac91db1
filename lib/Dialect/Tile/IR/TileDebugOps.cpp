//===- TileDebugOps.cpp - printing and checking while a kernel runs -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileDebugOps.cpp.inc"

LogicalResult CheckOp::verify() {
  Type element = getElementTypeOrSelf(getCondition().getType());
  if (!element.isInteger(1))
    return emitOpError() << "expected a condition of i1, found " << element;
  return success();
}
