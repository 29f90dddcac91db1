//===- Pipe.h - the `pipe` dialect -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_PIPE_IR_PIPE_H
#define TILEC_DIALECT_PIPE_IR_PIPE_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Layout/TilePart.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include "tilec/Dialect/Pipe/IR/PipeDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeTypes.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeChannelOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeMatrixOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Pipe/IR/PipeRoleOps.h.inc"

namespace mlir::pipe {
/// Warps of the producer, on a role-split kernel (i64).
inline constexpr llvm::StringLiteral producerWarpsAttrName = "tile.producer_warps";
/// Number of an operation that both roles do for themselves with the same results, on each of the
/// two, inside a loop over work items (i64).
inline constexpr llvm::StringLiteral sameInRolesAttrName = "pipe.same_in_roles";
} // namespace mlir::pipe

#endif // TILEC_DIALECT_PIPE_IR_PIPE_H
