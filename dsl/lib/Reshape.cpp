//===- Reshape.cpp - axes taken apart, joined, renamed; parts of shared tiles -===//
// SPDX-License-Identifier: Apache-2.0

#include "Places.h"

#include "tile/dsl/Reshape.h"

namespace tile::inline dsl::detail {

static Builder &builderOf(const Variable &x, Loc loc) {
  if (!x.builder())
    fail(loc, "this variable has no value yet");
  return *x.builder();
}

static auto find(const Axes &axes, const Axis &axis) {
  return llvm::find_if(axes, [&](const Axis &a) { return a.name() == axis.name(); });
}

/// Where the axis stands; an error if the operand lacks it.
static int64_t positionOf(const Axes &axes, const Axis &axis, const char *operation, Loc loc) {
  auto found = find(axes, axis);
  if (found == axes.end())
    fail(loc, std::string(operation) + " of axis '" + axis.name() + "', but the operand has axes " +
                  text(axes));
  return found - axes.begin();
}

static mlir::Type withAxes(mlir::Value x, const Axes &axes) {
  auto shape = llvm::map_to_vector(axes, [](const Axis &a) { return a.extent(); });
  return mlir::RankedTensorType::get(shape, mlir::getElementTypeOrSelf(x.getType()));
}

mlir::Value reorder(Builder &b, mlir::Value x, const Axes &from, const Axes &to, Loc loc) {
  if (sameOrder(from, to))
    return x;
  auto dims =
      llvm::map_to_vector(to, [&](const Axis &axis) { return find(from, axis) - from.begin(); });
  return mlir::tile::PermuteOp::create(b, b.location(loc), withAxes(x, to), x,
                                       llvm::SmallVector<int64_t>(dims));
}

/// `axes` with `axis` replaced by its factors.
static Axes apart(const Axes &axes, const Axis &axis) {
  Axes result;
  for (const Axis &each : axes)
    if (each.name() == axis.name())
      result.insert(result.end(), {axis.outer(), axis.inner()});
    else
      result.push_back(each);
  return result;
}

static void checkProduct(const Axis &axis, const char *operation, Loc loc) {
  if (!axis.isProduct())
    fail(loc, std::string(operation) + " of axis '" + axis.name() +
                  "', which is not a product; declare it as one: Axis " + axis.name() +
                  " = outer * inner");
}

static mlir::Value splitAxis(Builder &b, mlir::Value x, const Axes &axes, const Axis &axis,
                             Loc loc) {
  return mlir::tile::SplitOp::create(b, b.location(loc), withAxes(x, apart(axes, axis)), x,
                                     find(axes, axis) - axes.begin());
}

Variable split(const Variable &x, const Axis &axis, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  positionOf(x.axes(), axis, "split", loc);
  checkProduct(axis, "split", loc);
  Axes parts = apart(x.axes(), axis), axes = b.sorted(parts, loc);
  return b.make(reorder(b, splitAxis(b, value, x.axes(), axis, loc), parts, axes, loc), axes);
}

Variable join(const Variable &x, const Axis &axis, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  checkProduct(axis, "join", loc);
  Axes axes = x.axes();
  for (const Axis &factor : {axis.outer(), axis.inner()}) {
    int64_t position = positionOf(x.axes(), factor, "join", loc);
    axes.erase(find(axes, x.axes()[position]));
  }
  axes.push_back(axis);
  axes = b.sorted(axes, loc);
  int64_t position = find(axes, axis) - axes.begin();
  value = reorder(b, value, x.axes(), apart(axes, axis), loc);
  return b.make(
      mlir::tile::JoinOp::create(b, b.location(loc), withAxes(value, axes), value, position), axes);
}

Variable rename(const Variable &x, const Axis *from, const Axis &to, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  if (!from && x.axes().size() != 1)
    fail(loc, "rename of one of the axes " + text(x.axes()) + "; say which: rename(x, from, '" +
                  to.name() + "')");
  Axes renamed = x.axes();
  int64_t position = from ? positionOf(renamed, *from, "rename", loc) : 0;
  if (renamed[position].extent() != to.extent())
    fail(loc, "rename of axis '" + renamed[position].name() + "' of " +
                  std::to_string(renamed[position].extent()) + " elements to '" + to.name() +
                  "' of " + std::to_string(to.extent()) + "; both need one extent");
  renamed[position] = to;
  Axes axes = b.sorted(renamed, loc);
  return b.make(reorder(b, value, renamed, axes, loc), axes);
}

static void checkPosition(const Axis &axis, int64_t position, Loc loc) {
  if (position < 0 || position >= axis.extent())
    fail(loc, "take of position " + std::to_string(position) + " of axis '" + axis.name() +
                  "', which has " + std::to_string(axis.extent()) + " elements");
}

Variable take(const Variable &x, const Axis &axis, int64_t position, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  Axes axes = x.axes();
  int64_t where = positionOf(axes, axis, "take", loc);
  b.canonical(axis, loc);
  checkPosition(axis, position, loc);
  axes.erase(axes.begin() + where);
  mlir::Type type =
      axes.empty() ? mlir::getElementTypeOrSelf(value.getType()) : withAxes(value, axes);
  return b.make(mlir::tile::TakeOp::create(b, b.location(loc), type, value, where, position), axes);
}

Variable stack(Element element, const std::vector<Variable> &parts, const Axis &axis, Loc loc) {
  if (static_cast<int64_t>(parts.size()) != axis.extent())
    fail(loc, "stack of " + std::to_string(parts.size()) + " tiles along axis '" + axis.name() +
                  "', which has " + std::to_string(axis.extent()) + " elements");
  Builder &b = builderOf(parts.front(), loc);
  Axes common;
  for (const Variable &part : parts) {
    b.get(part, loc);
    common = b.unite(common, part.axes());
  }
  if (common.empty())
    fail(loc, "stack of scalars along axis '" + axis.name() +
                  "'; choose between them with where(k.iota(" + axis.name() + ") == i, ...)");
  Axes axes = common;
  axes.push_back(axis);
  axes = b.sorted(axes, loc);
  auto values = llvm::map_to_vector(
      parts, [&](const Variable &x) { return b.spread({x, loc}, element, common); });
  return b.make(mlir::tile::StackOp::create(b, b.location(loc), b.type(element, axes), values,
                                            find(axes, axis) - axes.begin()),
                axes);
}

/// A product axis that the window does not have; null if there is none.
static const Axis *missingProduct(const Axes &axes, const Axes &window) {
  auto found = llvm::find_if(axes, [&](const Axis &axis) {
    return axis.isProduct() && find(window, axis) == window.end();
  });
  return found == axes.end() ? nullptr : &*found;
}

mlir::Value splitProducts(Builder &b, mlir::Value x, Axes &axes, const Axes &window, Loc loc) {
  while (const Axis *product = missingProduct(axes, window)) {
    x = splitAxis(b, x, axes, *product, loc);
    axes = apart(axes, *product);
  }
  return x;
}

Axes spanned(Axes axes, const Axes &window) {
  while (const Axis *product = missingProduct(axes, window))
    axes = apart(axes, *product);
  return axes;
}

static Variable partOf(Builder &b, mlir::Value whole, mlir::ValueRange offsets, const Axes &axes,
                       Loc loc) {
  auto shape = llvm::map_to_vector(axes, [](const Axis &a) { return a.extent(); });
  auto type = llvm::cast<mlir::tile::SharedType>(whole.getType());
  auto part = mlir::tile::SharedType::get(b.getContext(), shape, type.getElementType(),
                                          mlir::tile::SwizzleAttr());
  mlir::Value result = mlir::tile::SliceOp::create(b, b.location(loc), part, whole, offsets);
  return Variable(b, result.getAsOpaquePointer(), axes, Variable::Kind::memory);
}

Variable takeShared(const Variable &tile, const Axis &axis, const Input &position, Loc loc) {
  Builder &b = builderOf(tile, loc);
  mlir::Value whole = b.get(tile, loc);
  Axes axes = tile.axes();
  if (positionOf(axes, axis, "take", loc) != 0 || axes.size() == 1)
    fail(loc, "take along axis '" + axis.name() + "' of a shared tile " + text(axes) +
                  "; expected the first of several axes");
  if (const int64_t *known = std::get_if<int64_t>(&position.source))
    checkPosition(axes.front(), *known, loc);
  llvm::SmallVector<mlir::Value> offsets(axes.size(), b.indexConstant(0, loc));
  offsets.front() = b.indexValue(position);
  axes.erase(axes.begin());
  return partOf(b, whole, offsets, axes, loc);
}

Variable sliceShared(const Variable &tile, const Axis &axis, const Input &start, const Axis &part,
                     Loc loc) {
  Builder &b = builderOf(tile, loc);
  mlir::Value whole = b.get(tile, loc);
  Axes axes = tile.axes();
  int64_t position = positionOf(axes, axis, "slice", loc);
  const int64_t extent = axes[position].extent();
  const int64_t *from = std::get_if<int64_t>(&start.source);
  if (part.extent() > extent || (from && (*from < 0 || *from + part.extent() > extent)))
    fail(loc, "slice of " + std::to_string(part.extent()) + " elements" +
                  (from ? " from position " + std::to_string(*from) + " on" : "") + " of axis '" +
                  axis.name() + "', which has " + std::to_string(extent));
  axes[position] = b.canonical(part, loc);
  b.sorted(axes, loc); // checks
  llvm::SmallVector<mlir::Value> offsets(axes.size(), b.indexConstant(0, loc));
  offsets[position] = b.indexValue(start);
  return partOf(b, whole, offsets, axes, loc);
}

} // namespace tile::inline dsl::detail
