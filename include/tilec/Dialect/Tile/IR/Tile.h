//===- Tile.h - the `tile` dialect -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_IR_TILE_H
#define TILEC_DIALECT_TILE_IR_TILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tilec/Layout/FragmentLayout.h"
#include "tilec/Layout/SharedLayout.h"

#include "tilec/Dialect/Tile/IR/TileDialect.h.inc"
#include "tilec/Dialect/Tile/IR/TileEnums.h.inc"
#define GET_ATTRDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileAttrs.h.inc"
#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileTypes.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileAtomicOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileCastOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileDebugOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileGatherOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileKernelOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileMatrixOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileMemoryOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileReductionOps.h.inc"
#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileShapeOps.h.inc"

#endif // TILEC_DIALECT_TILE_IR_TILE_H
