//===- Axis.cpp - axes and windows ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

#include <atomic>

namespace tile::inline dsl {

static unsigned nextOrder() {
  static std::atomic<unsigned> count = 0;
  return count++;
}

Axis::Axis(const std::string &name, int64_t extent, Loc loc)
    : axisName(name), length(extent), declared(nextOrder()), declaredAt(loc) {
  if (extent < 1 || extent > (int64_t(1) << 24))
    detail::fail(loc, "the extent of axis '" + name +
                          "' must be at least 1 and at most 16777216; found " +
                          std::to_string(extent));
}

Axis operator*(const AxisOperand &outer, const AxisOperand &inner) {
  const Axis &a = outer.axis, &b = inner.axis;
  if (a.name() == b.name())
    detail::fail(outer.loc, "a product of axis '" + a.name() +
                                "' with itself; the factors need two "
                                "names");
  Axis result(a.name() + "*" + b.name(), a.extent() * b.extent(), outer.loc);
  result.factors = std::make_shared<const std::pair<Axis, Axis>>(a, b);
  return result;
}

Window Axis::at(const IndexOperand &block) const { return Window(*this, block, true); }
Window Axis::from(const IndexOperand &position) const { return Window(*this, position, false); }

Window Axis::of(const std::vector<Window> &windows, Loc loc) const {
  int64_t sum = 0;
  for (const Window &window : windows) {
    sum += window.axis().extent();
    if (!window.parts().empty())
      detail::fail(loc, "a window of axis '" + name() +
                            "' made of windows that are made of others; give "
                            "it all of them at once");
  }
  if (sum != extent())
    detail::fail(loc, "windows of " + std::to_string(sum) + " positions together for axis '" +
                          name() + "', which has " + std::to_string(extent()));
  Window result(*this, windows.front().start(), windows.front().startIsBlock());
  result.partList = windows;
  return result;
}

Window Window::limit(const IndexOperand &end) const {
  Window result = *this;
  result.endInput = end;
  for (Window &part : result.partList)
    part.endInput = end;
  return result;
}

namespace detail {

std::string text(const Axes &axes) {
  std::string result = "[";
  for (const Axis &axis : axes)
    result += (result.size() > 1 ? ", " : "") + axis.name() + "=" + std::to_string(axis.extent());
  return result + "]";
}

Axis Builder::canonical(const Axis &axis, Loc loc) {
  const Axis &first = axisByName.try_emplace(axis.name(), axis).first->second;
  if (first.extent() != axis.extent())
    fail(loc, "axis '" + axis.name() + "' has " + std::to_string(axis.extent()) +
                  " elements here and " + std::to_string(first.extent()) +
                  " where it was first used (" + first.loc().file_name() + ":" +
                  std::to_string(first.loc().line()) + "); give one of them another name");
  return first;
}

static void sortByDeclaration(Axes &axes) {
  llvm::sort(axes, [](const Axis &a, const Axis &b) { return a.order() < b.order(); });
}

Axes Builder::sorted(const Axes &axes, Loc loc) {
  Axes result;
  for (const Axis &axis : axes) {
    if (llvm::is_contained(llvm::map_range(result, [](const Axis &a) { return a.name(); }),
                           axis.name()))
      fail(loc, "axis '" + axis.name() + "' occurs twice in " + text(axes));
    result.push_back(canonical(axis, loc));
  }
  sortByDeclaration(result);
  return result;
}

Axes Builder::unite(const Axes &a, const Axes &b) {
  Axes result = a;
  for (const Axis &axis : b)
    if (llvm::none_of(a, [&](const Axis &other) { return other.name() == axis.name(); }))
      result.push_back(axis);
  sortByDeclaration(result);
  return result;
}

/// The builder that some part of the window belongs to.
static Builder &builderOf(const Window &window, Loc loc) {
  std::vector<const Window *> all{&window};
  for (const Window &part : window.parts())
    all.push_back(&part);
  for (const Window *each : all) {
    if (const Variable *start = each->start().variable())
      return *start->builder();
    if (each->end() && each->end()->variable())
      return *each->end()->variable()->builder();
  }
  fail(loc,
       "a window that starts at a number belongs to no kernel yet; use k.iota(axis), or start it "
       "at k.index(number)");
}

static mlir::Value startValue(Builder &b, const Window &window) {
  mlir::Value start = b.indexValue(window.start());
  if (!window.startIsBlock())
    return start;
  Loc loc = window.start().loc;
  return mlir::arith::MulIOp::create(b, b.location(loc), start,
                                     b.indexConstant(window.axis().extent(), loc));
}

static mlir::Value toI32(Builder &b, mlir::Value x, Loc loc) {
  return mlir::arith::TruncIOp::create(b, b.location(loc), b.getI32Type(), x);
}

static mlir::Value spreadScalar(Builder &b, mlir::Value scalar, mlir::Type type, Loc loc) {
  return mlir::tile::BroadcastOp::create(b, b.location(loc), type, scalar,
                                         b.getDenseI64ArrayAttr({}));
}

static mlir::Value iotaOf(Builder &b, const Axis &axis, Loc loc) {
  return mlir::tile::IotaOp::create(b, b.location(loc), b.type(Element::i32, {axis}));
}

Variable iota(Builder &b, const Axis &axis, Loc loc) {
  Axis known = b.canonical(axis, loc);
  return b.make(iotaOf(b, known, loc), {known});
}

/// Elements of the axis: those of each part where they are, chosen from what `ofPart` makes for all
/// of them from a part and the number of elements before it.
static Variable choosePart(Builder &b, const Window &window, Loc loc,
                           llvm::function_ref<mlir::Value(const Window &, int64_t)> ofPart) {
  Axis axis = b.canonical(window.axis(), loc);
  int64_t end = axis.extent();
  mlir::Value chosen;
  for (const Window &part : llvm::reverse(window.parts())) {
    int64_t before = end - part.axis().extent();
    mlir::Value mine = ofPart(part, before);
    if (chosen) {
      mlir::Value iota = iotaOf(b, axis, loc);
      mlir::Value here =
          mlir::arith::CmpIOp::create(b, b.location(loc), mlir::arith::CmpIPredicate::slt, iota,
                                      b.constant(iota.getType(), end, loc));
      mine = mlir::arith::SelectOp::create(b, b.location(loc), here, mine, chosen);
    }
    chosen = mine;
    end = before;
  }
  return b.make(chosen, {axis});
}

/// The part's start, clamped, and what an element is behind it; other elements may wrap around.
static mlir::Value partPosition(Builder &b, const Axis &axis, const Window &part, int64_t before,
                                Loc loc) {
  mlir::Value start =
      b.clamp(startValue(b, part), INT32_MIN, INT32_MAX - part.axis().extent() + 1, loc);
  mlir::Value iota = iotaOf(b, axis, loc);
  mlir::Value behind = mlir::arith::SubIOp::create(b, b.location(loc), iota,
                                                   b.constant(iota.getType(), before, loc));
  return mlir::arith::AddIOp::create(
      b, b.location(loc), spreadScalar(b, toI32(b, start, loc), iota.getType(), loc), behind);
}

/// iota + start, the start clamped so that the sum stays in i32.
static Variable windowPosition(const Window &window, Loc loc) {
  Builder &b = builderOf(window, loc);
  Axis axis = b.canonical(window.axis(), loc);
  if (!window.parts().empty())
    return choosePart(b, window, loc, [&](const Window &part, int64_t before) {
      return partPosition(b, axis, part, before, loc);
    });
  mlir::Value start = b.clamp(startValue(b, window), INT32_MIN, INT32_MAX - axis.extent() + 1, loc);
  mlir::Type type = b.type(Element::i32, {axis});
  mlir::Value first = spreadScalar(b, toI32(b, start, loc), type, loc);
  // The clamp keeps the sum in range; sm-combine may then move the start to the other side of a
  // mask.
  return b.make(mlir::arith::AddIOp::create(b, b.location(loc), first, iotaOf(b, axis, loc),
                                            mlir::arith::IntegerOverflowFlags::nsw),
                {axis});
}

/// iota compared with a bound from the element `before` on, which is clamped to [0, extent] of the
/// window as an i64.
static mlir::Value compareIota(Builder &b, mlir::arith::CmpIPredicate predicate, mlir::Value bound,
                               const Axis &axis, const Window &window, int64_t before, Loc loc) {
  mlir::Value clamped = b.clamp(bound, 0, window.axis().extent(), loc);
  if (before != 0)
    clamped =
        mlir::arith::AddIOp::create(b, b.location(loc), clamped, b.indexConstant(before, loc));
  mlir::Value narrow = toI32(b, clamped, loc);
  mlir::Value iota = iotaOf(b, axis, loc);
  return mlir::arith::CmpIOp::create(b, b.location(loc), predicate, iota,
                                     spreadScalar(b, narrow, iota.getType(), loc));
}

static mlir::Value distance(Builder &b, mlir::Value x, mlir::Value y, Loc loc) {
  return mlir::arith::SubIOp::create(b, b.location(loc), x, y);
}

/// Of the elements from `before` on, which show the window. A block that starts below 0 ends there
/// or before: it has no element, and what is left of it says so too.
static mlir::Value validFrom(Builder &b, const Axis &axis, const Window &window, int64_t before,
                             Loc loc) {
  using enum mlir::arith::CmpIPredicate;
  mlir::Value start = startValue(b, window);
  if (window.startIsBlock() && window.end()) {
    mlir::Location at = b.location(loc);
    mlir::Value zero = b.indexConstant(0, loc);
    mlir::Value rest = distance(b, b.indexValue(*window.end()), start, loc);
    mlir::Value isBelow = mlir::arith::CmpIOp::create(b, at, slt, start, zero);
    rest = mlir::arith::SelectOp::create(b, at, isBelow, zero, rest);
    return compareIota(b, slt, rest, axis, window, before, loc);
  }
  mlir::Value below = distance(b, b.indexConstant(0, loc), start, loc);
  mlir::Value mask = compareIota(b, sge, below, axis, window, before, loc);
  if (!window.end())
    return mask;
  mlir::Value rest = distance(b, b.indexValue(*window.end()), start, loc);
  mlir::Value under = compareIota(b, slt, rest, axis, window, before, loc);
  return mlir::arith::AndIOp::create(b, b.location(loc), mask, under);
}

static Variable windowValid(const Window &window, Loc loc) {
  Builder &b = builderOf(window, loc);
  Axis axis = b.canonical(window.axis(), loc);
  if (window.parts().empty())
    return b.make(validFrom(b, axis, window, 0, loc), {axis});
  return choosePart(b, window, loc, [&](const Window &part, int64_t before) {
    return validFrom(b, axis, part, before, loc);
  });
}

} // namespace detail

Fragment<i32> Window::position(Loc loc) const {
  return Fragment<i32>(detail::windowPosition(*this, loc));
}
Fragment<i1> Window::valid(Loc loc) const { return Fragment<i1>(detail::windowValid(*this, loc)); }

} // namespace tile::inline dsl
