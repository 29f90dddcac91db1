//===- CheckSlices.h - which parts of shared tiles can be used how ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_CHECKSLICES_H
#define TILEC_LIB_TILE_TRANSFORMS_CHECKSLICES_H

#include "WarpPlan.h"

namespace tilec {

/// Fails with a diagnostic at an operation that cannot use a part of a shared tile as it starts.
/// Where the parts of an operand start may leave only narrower swizzles: the plan's limits are
/// lowered.
mlir::LogicalResult checkSlices(mlir::tile::KernelOp kernel, WarpPlan &plan);

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_CHECKSLICES_H
