//===- Memory.cpp - windows of tensors, copies, loads, stores -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Elements.h"

namespace tile::inline dsl::detail {

namespace {

/// A place's tensor with its coordinates as values, before an order of the axes is chosen.
struct Rectangle {
  const Parameter &parameter;
  llvm::SmallVector<mlir::Value> offsets; // one per dimension
  Axes axes;                              // in the order of the tensor's dimensions
  llvm::SmallVector<int64_t> dims;        // of each axis
  std::vector<const Window *> windows;    // of each axis
};

} // namespace

const Parameter &parameterOf(const Place &place) {
  return place.tensor.builder->parameters[place.tensor.parameter];
}

static void checkRank(const Place &place) {
  const Parameter &parameter = parameterOf(place);
  if (place.coordinates.size() != parameter.extents.size())
    fail(place.loc, "tensor '" + parameter.name + "' has " +
                        std::to_string(parameter.extents.size()) + " dimensions " +
                        text(parameter.extents) + ", but " +
                        std::to_string(place.coordinates.size()) + " coordinates are given");
}

static mlir::Value windowOffset(Builder &b, const Window &window) {
  mlir::Value start = b.indexValue(window.start());
  if (!window.startIsBlock())
    return start;
  Loc loc = window.start().loc;
  return mlir::arith::MulIOp::create(b, b.location(loc), start,
                                     b.indexConstant(window.axis().extent(), loc));
}

/// An axis for a whole dimension covers it; more is padding.
static void checkWhole(const Place &place, const Axis &axis, const Dim &extent) {
  if (extent.node().isConstant() && extent.node().value > axis.extent())
    fail(place.loc, "axis '" + axis.name() + "' of " + std::to_string(axis.extent()) +
                        " elements does not cover the dimension of " + text(extent) +
                        " of tensor '" + parameterOf(place).name + "'; use " + axis.name() +
                        ".at(block) or " + axis.name() + ".from(position) for a part of it");
}

static Rectangle resolve(const Place &place) {
  checkRank(place);
  Builder &b = *place.tensor.builder;
  Rectangle result{parameterOf(place), {}, {}, {}, {}};
  for (auto [dim, coordinate] : llvm::enumerate(place.coordinates)) {
    if (auto *index = std::get_if<Input>(&coordinate.where)) {
      result.offsets.push_back(b.indexValue(*index));
      continue;
    }
    const Window &window = std::get<Window>(coordinate.where);
    if (!window.parts().empty())
      fail(place.loc, "axis '" + window.axis().name() + "' of this window of '" +
                          result.parameter.name + "' consists of " +
                          std::to_string(window.parts().size()) +
                          " parts; only copies from and to shared tiles take it");
    if (coordinate.isWhole)
      checkWhole(place, window.axis(), result.parameter.extents[dim]);
    result.offsets.push_back(windowOffset(b, window));
    result.axes.push_back(b.canonical(window.axis(), place.loc));
    result.dims.push_back(dim);
    result.windows.push_back(&window);
  }
  b.sorted(result.axes, place.loc); // checks
  return result;
}

/// One limit per axis of the window, or none if no axis has one.
static llvm::SmallVector<mlir::Value> limitsOf(Builder &b, const Rectangle &rectangle,
                                               llvm::ArrayRef<size_t> order, Loc loc) {
  llvm::SmallVector<mlir::Value> limits;
  if (llvm::none_of(rectangle.windows, [](const Window *w) { return w->end().has_value(); }))
    return limits;
  for (size_t i : order) {
    const Window &window = *rectangle.windows[i];
    limits.push_back(window.end()
                         ? b.indexValue(*window.end())
                         : b.dimValue(rectangle.parameter.extents[rectangle.dims[i]], loc));
  }
  return limits;
}

mlir::Value emitWindow(const Place &place, const Axes &axes, const char *operation, Loc loc) {
  Builder &b = *place.tensor.builder;
  Rectangle rectangle = resolve(place);
  llvm::SmallVector<size_t> order;
  for (const Axis &axis : axes) {
    auto found = llvm::find_if(rectangle.axes,
                               [&](const Axis &other) { return other.name() == axis.name(); });
    if (found != rectangle.axes.end())
      order.push_back(found - rectangle.axes.begin());
  }
  if (order.size() != axes.size() || axes.size() != rectangle.axes.size())
    fail(loc, std::string(operation) + " between a window of '" + rectangle.parameter.name +
                  "' with axes " + text(rectangle.axes) + " and a tile with axes " + text(axes));
  auto dims = llvm::map_to_vector(order, [&](size_t i) { return rectangle.dims[i]; });
  auto shape = llvm::map_to_vector(axes, [](const Axis &axis) { return axis.extent(); });
  llvm::SmallVector<mlir::Value> limits = limitsOf(b, rectangle, order, loc);
  auto type =
      mlir::tile::WindowType::get(b.getContext(), shape, b.type(rectangle.parameter.element));
  return mlir::tile::WindowOp::create(b, b.location(place.loc), type, rectangle.parameter.argument,
                                      rectangle.offsets, limits, b.getDenseI64ArrayAttr(dims));
}

void checkAccess(const Place &place, bool writes, Loc loc) {
  const Parameter &parameter = parameterOf(place);
  if (writes && parameter.access == Access::in)
    fail(loc, "tensor '" + parameter.name +
                  "' is an input and cannot be written; declare it with "
                  "output, inout or workspace");
  if (!writes && parameter.access == Access::out)
    fail(loc, "tensor '" + parameter.name +
                  "' is an output and cannot be read; declare it with "
                  "inout or workspace");
}

Axes placeAxes(const Place &place) {
  Axes axes;
  for (const Coordinate &coordinate : place.coordinates)
    if (auto *window = std::get_if<Window>(&coordinate.where))
      axes.push_back(window->axis());
  return axes;
}

static Builder &builderOf(const Variable &x, Loc loc) {
  if (!x.builder())
    fail(loc, "this variable has no value yet");
  return *x.builder();
}

/// The axes of a shared tile as the window of the place sees them: rows of a product axis are those
/// of its factors, one after the other.
static Axes sharedAxes(const Variable &tile, const Place &place, Loc loc) {
  Axes window = placeAxes(place), axes = spanned(tile.axes(), window);
  const Axis &last = tile.axes().back();
  if (last.name() != axes.back().name())
    fail(loc, "copy between a window of '" + parameterOf(place).name + "' with axes " +
                  text(window) + " and a shared tile " + text(tile.axes()) + ", whose last axis '" +
                  last.name() +
                  "' is a product; only other axes can be: load the window and join it");
  return axes;
}

/// Copies part by part where a window consists of several; false if none does.
static bool copyParts(const Place &place, const Variable &tile, Loc loc,
                      llvm::function_ref<void(const Place &, const Variable &)> copyPart) {
  for (auto [dim, coordinate] : llvm::enumerate(place.coordinates)) {
    const Window *window = std::get_if<Window>(&coordinate.where);
    if (!window || window->parts().empty())
      continue;
    int64_t before = 0;
    for (const Window &part : window->parts()) {
      Place here = place;
      here.coordinates[dim] = Coordinate(part);
      copyPart(here, sliceShared(tile, window->axis(), {before, loc}, part.axis(), loc));
      before += part.axis().extent();
    }
    return true;
  }
  return false;
}

void copyIn(const Place &source, const Variable &target, double pad, Loc loc) {
  Builder &b = builderOf(target, loc);
  if (copyParts(source, target, loc,
                [&](const Place &place, const Variable &tile) { copyIn(place, tile, pad, loc); }))
    return;
  checkAccess(source, false, loc);
  mlir::Value tile = b.get(target, loc);
  mlir::Value window = emitWindow(source, sharedAxes(target, source, loc), "copy", loc);
  mlir::tile::CopyOp::create(b, b.location(loc), window, tile,
                             b.padAttr(parameterOf(source).element, pad));
}

void copyOut(const Variable &source, const Place &target, Loc loc) {
  Builder &b = builderOf(source, loc);
  if (copyParts(target, source, loc,
                [&](const Place &place, const Variable &tile) { copyOut(tile, place, loc); }))
    return;
  checkAccess(target, true, loc);
  mlir::Value tile = b.get(source, loc);
  mlir::Value window = emitWindow(target, sharedAxes(source, target, loc), "copy", loc);
  mlir::tile::CopyOp::create(b, b.location(loc), tile, window, mlir::TypedAttr());
}

bool sameOrder(const Axes &a, const Axes &b) {
  return llvm::equal(a, b, [](const Axis &x, const Axis &y) { return x.name() == y.name(); });
}

void copyShared(const Variable &source, const Variable &target, Loc loc) {
  Builder &b = builderOf(source, loc);
  if (!sameOrder(source.axes(), target.axes()))
    fail(loc, "copy from a shared tile " + text(source.axes()) + " to one with axes " +
                  text(target.axes()));
  mlir::tile::CopyOp::create(b, b.location(loc), b.get(source, loc), b.get(target, loc),
                             mlir::TypedAttr());
}

Variable loadWindow(const Place &source, double pad, Loc loc) {
  Builder &b = *source.tensor.builder;
  checkAccess(source, false, loc);
  Axes axes = b.sorted(placeAxes(source), loc);
  mlir::Value window = emitWindow(source, axes, "load", loc);
  Element element = parameterOf(source).element;
  return b.make(mlir::tile::LoadOp::create(b, b.location(loc), b.type(element, axes), window,
                                           b.padAttr(element, pad)),
                axes);
}

Variable loadShared(const Variable &source, Loc loc) {
  Builder &b = builderOf(source, loc);
  mlir::Value tile = b.get(source, loc);
  auto shared = llvm::cast<mlir::tile::SharedType>(tile.getType());
  auto type = mlir::RankedTensorType::get(shared.getShape(), shared.getElementType());
  mlir::Value value = mlir::tile::LoadOp::create(b, b.location(loc), type, tile, mlir::TypedAttr());
  Axes axes = b.sorted(source.axes(), loc);
  return b.make(reorder(b, value, source.axes(), axes, loc), axes);
}

void storeWindow(const Variable &value, const Place &target, Loc loc) {
  Builder &b = builderOf(value, loc);
  checkAccess(target, true, loc);
  mlir::Value tile = b.get(value, loc);
  if (value.axes().empty())
    fail(loc, "store of a scalar to a window of '" + parameterOf(target).name + "' with axes " +
                  text(placeAxes(target)) + "; make it a tile, or store it to one element: " +
                  parameterOf(target).name + ".at({...})");
  Axes axes = value.axes();
  tile = splitProducts(b, tile, axes, placeAxes(target), loc);
  mlir::tile::StoreOp::create(b, b.location(loc), tile, emitWindow(target, axes, "store", loc));
}

void storeShared(const Variable &value, const Variable &target, Loc loc) {
  Builder &b = builderOf(target, loc);
  mlir::Value tile = b.get(target, loc);
  mlir::Value source = b.get(value, loc);
  if (!sameOrder(value.axes(), b.sorted(target.axes(), loc)))
    fail(loc, "store of a tile with axes " + text(value.axes()) + " to a shared tile with axes " +
                  text(target.axes()));
  source = reorder(b, source, value.axes(), target.axes(), loc);
  mlir::tile::StoreOp::create(b, b.location(loc), source, tile);
}

llvm::SmallVector<mlir::Value> indicesOf(const Place &place) {
  checkRank(place);
  return llvm::map_to_vector(place.coordinates, [&](const Coordinate &coordinate) {
    return place.tensor.builder->indexValue(std::get<Input>(coordinate.where));
  });
}

Variable loadScalar(const Place &place) {
  Builder &b = *place.tensor.builder;
  checkAccess(place, false, place.loc);
  const Parameter &parameter = parameterOf(place);
  llvm::SmallVector<mlir::Value> indices = indicesOf(place);
  return b.make(mlir::tile::LoadScalarOp::create(b, b.location(place.loc),
                                                 b.type(parameter.element), parameter.argument,
                                                 indices, mlir::TypedAttr()));
}

Variable loadScalarIndex(const Place &place) { return toIndex(loadScalar(place), place.loc); }

void storeElement(Element element, const Input &value, const Place &target) {
  Builder &b = *target.tensor.builder;
  checkAccess(target, true, target.loc);
  if (const Variable *variable = value.variable(); variable && !variable->axes().empty())
    fail(target.loc, "store of a tile with axes " + text(variable->axes()) +
                         " to one element of '" + parameterOf(target).name + "'; reduce it first");
  mlir::Value scalar = b.spread(value, element, {});
  llvm::SmallVector<mlir::Value> indices = indicesOf(target);
  mlir::tile::StoreScalarOp::create(b, b.location(target.loc), scalar, parameterOf(target).argument,
                                    indices);
}

} // namespace tile::inline dsl::detail
