//===- Picture.h - a schedule as text and as a drawing --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PROTOCOL_PICTURE_H
#define TILEC_PROTOCOL_PICTURE_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Roles, rings, registers, the map of shared memory, and one steady-state iteration of each
/// pipelined loop with estimated cycles. The kernel has roles and is behind tile-allocate-shared.
void printSchedule(llvm::raw_ostream &os, mlir::tile::KernelOp kernel);
/// The same as an SVG timeline: slots, tensor cores and roles over time, and the two maps.
std::string drawSchedule(mlir::tile::KernelOp kernel);

} // namespace tilec

#endif // TILEC_PROTOCOL_PICTURE_H
