//===- Elements.cpp - single elements of shared tiles ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Elements.h"

namespace tile::inline dsl::detail {

SharedElement resolveElement(const IndexedPlace &place) {
  const Variable &tile = std::get<Variable>(place.memory);
  if (!tile.builder())
    fail(place.loc, "this variable has no value yet");
  Builder &b = *tile.builder();
  if (tile.axes().size() != place.coordinates.size())
    fail(place.loc, "an element of a shared tile " + text(tile.axes()) + " has " +
                        std::to_string(tile.axes().size()) + " indices, but " +
                        std::to_string(place.coordinates.size()) + " are given");
  SharedElement element{b, b.get(tile, place.loc), {}};
  for (auto [axis, coordinate] : llvm::zip(tile.axes(), place.coordinates)) {
    const Input &index = std::get<Input>(coordinate.where);
    auto *number = std::get_if<int64_t>(&index.source);
    if (number && (*number < 0 || *number >= axis.extent()))
      fail(place.loc, "index " + std::to_string(*number) + " of axis '" + axis.name() +
                          "' lies outside the shared tile " + text(tile.axes()));
    element.indices.push_back(b.indexValue(index));
  }
  return element;
}

Variable loadElement(const IndexedPlace &place) {
  SharedElement element = resolveElement(place);
  Builder &b = element.builder;
  auto type = llvm::cast<mlir::tile::SharedType>(element.tile.getType());
  return b.make(mlir::tile::LoadScalarOp::create(b, b.location(place.loc), type.getElementType(),
                                                 element.tile, element.indices, mlir::TypedAttr()));
}

Variable loadElementIndex(const IndexedPlace &place) {
  return toIndex(loadElement(place), place.loc);
}

void storeElement(Element type, const Input &value, const IndexedPlace &place) {
  SharedElement element = resolveElement(place);
  Builder &b = element.builder;
  if (const Variable *variable = value.variable(); variable && !variable->axes().empty())
    fail(place.loc, "store of a tile with axes " + text(variable->axes()) +
                        " to one element of a shared tile; reduce it first");
  mlir::Value scalar = b.spread(value, type, {});
  mlir::tile::StoreScalarOp::create(b, b.location(place.loc), scalar, element.tile,
                                    element.indices);
}

} // namespace tile::inline dsl::detail
