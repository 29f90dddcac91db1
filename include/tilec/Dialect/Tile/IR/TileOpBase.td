//===- TileOpBase.td - base class of the operations -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_OP_BASE_TD
#define TILEC_TILE_OP_BASE_TD

include "tilec/Dialect/Tile/IR/TileTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Tile_Op<string mnemonic, list<Trait> traits = []> : Op<Tile_Dialect, mnemonic, traits>;

#endif // TILEC_TILE_OP_BASE_TD
