//===- Indexed.cpp - rows and elements at an index tile -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Indexed.h"

namespace tile::inline dsl::detail {

static bool contains(const Axes &axes, const std::string &name) {
  return llvm::any_of(axes, [&](const Axis &axis) { return axis.name() == name; });
}

/// "tensor 'x'" or "a shared tile [e=64, d=32]".
static std::string nameOf(const IndexedPlace &place) {
  if (auto *tile = std::get_if<Variable>(&place.memory))
    return "a shared tile " + text(tile->axes());
  const GlobalHandle &tensor = std::get<GlobalHandle>(place.memory);
  return "tensor '" + tensor.builder->parameters[tensor.parameter].name + "'";
}

static Builder &builderOf(const IndexedPlace &place) {
  if (auto *tile = std::get_if<Variable>(&place.memory))
    return *tile->builder();
  return *std::get<GlobalHandle>(place.memory).builder;
}

/// The number of the coordinate that is an index tile.
static unsigned findIndex(const IndexedPlace &place) {
  auto isIndex = [](const Coordinate &coordinate) { return coordinate.isIndexTile; };
  if (int64_t count = llvm::count_if(place.coordinates, isIndex); count != 1)
    fail(place.loc, std::to_string(count) + " coordinates of " + nameOf(place) +
                        " are index tiles; expected 1. Compute one index into a tensor or tile "
                        "that has one dimension for both");
  return llvm::find_if(place.coordinates, isIndex) - place.coordinates.begin();
}

/// The axes of the other coordinates. Those of a shared tile have to be its own.
static Axes otherAxes(const IndexedPlace &place) {
  Axes axes;
  auto *tile = std::get_if<Variable>(&place.memory);
  if (tile && tile->axes().size() != place.coordinates.size())
    fail(place.loc, nameOf(place) + " takes one coordinate per axis, but " +
                        std::to_string(place.coordinates.size()) + " are given");
  for (auto [position, coordinate] : llvm::enumerate(place.coordinates)) {
    auto *window = std::get_if<Window>(&coordinate.where);
    if (!window)
      continue;
    if (tile && tile->axes()[position].name() != window->axis().name())
      fail(place.loc, nameOf(place) + " has axis '" + tile->axes()[position].name() +
                          "' where the coordinate is '" + window->axis().name() + "'");
    axes.push_back(window->axis());
  }
  return axes;
}

/// The axis that the index brings along: no other coordinate spans it.
static Axis ownAxis(const IndexedPlace &place, const Axes &index, const Axes &others) {
  Axes own;
  for (const Axis &axis : index)
    if (!contains(others, axis.name()))
      own.push_back(axis);
  if (own.size() == 1)
    return own.front();
  std::string found = "the index tile has axes " + text(index) + ", of which " +
                      std::to_string(own.size()) + " are spanned by no other coordinate of " +
                      nameOf(place) + "; expected 1, along which the picked rows lie";
  fail(place.loc, own.empty() ? found : found + ". Make it a tile of one axis first");
}

static mlir::Value maskOf(Builder &b, const IndexedPlace &place, const Axes &index) {
  if (!place.mask)
    return {};
  for (const Axis &axis : place.mask->axes())
    if (!contains(index, axis.name()))
      fail(place.loc, "the mask has axes " + text(place.mask->axes()) +
                          ", but the index tile that it belongs to has " + text(index));
  return b.spread({*place.mask, place.loc}, Element::i1, index);
}

IndexedTile resolveIndexed(const IndexedPlace &place, Loc loc) {
  Builder &b = builderOf(place);
  unsigned coordinate = findIndex(place);
  const Variable &index = *std::get<Input>(place.coordinates[coordinate].where).variable();
  b.get(index, place.loc);
  const Axes &indexAxes = index.axes();
  if (indexAxes.empty())
    fail(place.loc,
         "a coordinate of " + nameOf(place) + " is a scalar; make it an Index with to_index(x)");
  Axes others = otherAxes(place);
  Axis along = ownAxis(place, indexAxes, others);
  others.push_back(along);
  Axes axes = b.sorted(others, loc);
  bool isRows = indexAxes.size() == 1;
  if (!isRows && indexAxes.size() != axes.size())
    fail(place.loc, "the index tile has axes " + text(indexAxes) + " for a tile with axes " +
                        text(axes) + "; expected one axis, for whole rows, or all of them");
  return {b, axes, along, coordinate, index, maskOf(b, place, indexAxes), isRows};
}

int64_t IndexedTile::position(const Axes &order) const {
  return llvm::find_if(order, [&](const Axis &axis) { return axis.name() == along.name(); }) -
         order.begin();
}

/// The axes of the shared tile with the index's own in place of the one that it replaces.
static void checkOrder(const IndexedPlace &place, const IndexedTile &tile, const Axes &order,
                       const char *operation, Loc loc) {
  Axes there = std::get<Variable>(place.memory).axes();
  there[tile.coordinate] = tile.along;
  if (!sameOrder(there, order))
    fail(loc, std::string(operation) + " between axes " + text(there) + " of " + nameOf(place) +
                  " at an index tile and a tile with axes " + text(order) +
                  "; allocate it in that order");
}

mlir::Value emitIndexedMemory(const IndexedPlace &place, const IndexedTile &tile, const Axes &order,
                              bool writes, const char *operation, Loc loc) {
  if (auto *shared = std::get_if<Variable>(&place.memory)) {
    checkOrder(place, tile, order, operation, loc);
    return tile.builder.get(*shared, loc);
  }
  Place window{std::get<GlobalHandle>(place.memory), place.coordinates, place.loc};
  window.coordinates[tile.coordinate] =
      Coordinate(Window(tile.along, {int64_t(0), place.loc}, /*isBlock=*/false));
  checkAccess(window, writes, loc);
  return emitWindow(window, order, operation, loc);
}

} // namespace tile::inline dsl::detail
