//===- Gather.cpp - loads, copies and stores at an index tile -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Indexed.h"

namespace tile::inline dsl::detail {

Variable gather(Element element, const IndexedPlace &source, double pad, Loc loc) {
  IndexedTile tile = resolveIndexed(source, loc);
  Builder &b = tile.builder;
  mlir::Value memory = emitIndexedMemory(source, tile, tile.axes, /*writes=*/false, "load", loc);
  return b.make(mlir::tile::GatherOp::create(b, b.location(loc), b.type(element, tile.axes), memory,
                                             b.get(tile.index, loc), tile.mask,
                                             tile.position(tile.axes), b.padAttr(element, pad)),
                tile.axes);
}

void gatherCopy(Element element, const IndexedPlace &source, const Variable &target, double pad,
                Loc loc) {
  IndexedTile tile = resolveIndexed(source, loc);
  Builder &b = tile.builder;
  if (!tile.isRows)
    fail(loc, "copy to a shared tile at an index tile with axes " + text(tile.index.axes()) +
                  "; expected one axis, for whole rows. Load the elements and store the fragment");
  mlir::Value shared = b.get(target, loc);
  mlir::Value memory =
      emitIndexedMemory(source, tile, target.axes(), /*writes=*/false, "copy", loc);
  mlir::tile::GatherCopyOp::create(b, b.location(loc), memory, b.get(tile.index, loc), shared,
                                   tile.mask, tile.position(target.axes()),
                                   b.padAttr(element, pad));
}

void scatter(const Variable &value, const IndexedPlace &target, Loc loc) {
  IndexedTile tile = resolveIndexed(target, loc);
  Builder &b = tile.builder;
  mlir::Value fragment = b.get(value, loc);
  mlir::Value memory = emitIndexedMemory(target, tile, value.axes(), /*writes=*/true, "store", loc);
  mlir::tile::ScatterOp::create(b, b.location(loc), fragment, memory, b.get(tile.index, loc),
                                tile.mask, tile.position(value.axes()));
}

} // namespace tile::inline dsl::detail
