//===- LoopTest.h - a test whose bounds are computed outside ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_LOOPTEST_H
#define TILEC_LIB_TILE_TRANSFORMS_LOOPTEST_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// A condition that implies `test`, a conjunction in the body of `loop`, and holds wherever `test`
/// does but for numbers near the ends of i64. Of what changes in the loop little is left:
/// `min(max(length - x, 0), 64) > 63`, say, is `0 <= x <= length - 64`, whose right side is
/// computed in front of the loop. `at` is where it is used.
mlir::Value testInLoop(mlir::Value test, mlir::scf::ForOp loop, mlir::Operation *at);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_LOOPTEST_H
