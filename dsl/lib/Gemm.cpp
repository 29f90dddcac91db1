//===- Gemm.cpp - which axis a matrix product contracts, and how ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

namespace tile::inline dsl::detail {

namespace {

/// The roles of the axes of a product.
struct Roles {
  Axis contracted, left, right;
};

} // namespace

static bool has(const Axes &axes, const Axis &axis) {
  return llvm::any_of(axes, [&](const Axis &a) { return a.name() == axis.name(); });
}

static Roles rolesOf(const Axes &a, const Axes &b, Loc loc) {
  Axes shared, left, right;
  for (const Axis &axis : a)
    (has(b, axis) ? shared : left).push_back(axis);
  for (const Axis &axis : b)
    if (!has(a, axis))
      right.push_back(axis);
  if (a.size() != 2 || b.size() != 2 || shared.size() != 1)
    fail(loc, "gemm contracts the one axis that its operands share, and each has two axes; " +
                  text(a) + " and " + text(b) + " share " + std::to_string(shared.size()));
  return {shared[0], left[0], right[0]};
}

/// Of a product of runs of rows; the first axis of `b` counts its matrices.
static Roles groupedRolesOf(const Axes &a, const Axes &b, Loc loc) {
  Axes shared, left;
  for (const Axis &axis : a)
    (has(b, axis) ? shared : left).push_back(axis);
  if (a.size() != 2 || b.size() != 3 || shared.size() != 1 || b[0].name() == shared[0].name())
    fail(loc,
         "grouped_gemm multiplies the rows of a tile of two axes with a tile of matrices, whose "
         "first axis numbers them and which has one other axis in common with the first tile: "
         "{m, d} and {g, n, d} or {g, d, n}; found " +
             text(a) + " and " + text(b));
  Roles roles = {shared[0], left[0], b[1].name() == shared[0].name() ? b[2] : b[1]};
  if (roles.left.extent() % b[0].extent() != 0)
    fail(loc, "grouped_gemm divides the rows of '" + roles.left.name() +
                  "' into a run for each matrix of '" + b[0].name() + "', so " +
                  std::to_string(roles.left.extent()) + " has to be a multiple of " +
                  std::to_string(b[0].extent()));
  if (roles.right.order() < roles.left.order())
    fail(loc, "the rows of a grouped_gemm are those of its first operand " + text(a) +
                  ", so its axis '" + roles.left.name() + "' must be declared before '" +
                  roles.right.name() + "', the columns of the product");
  return roles;
}

/// The product's rows come from `a`; in registers its contracted axis is the last.
static void checkRegisters(const Axes &a, const Roles &roles, Loc loc) {
  if (roles.right.order() < roles.left.order())
    fail(loc, "the first operand " + text(a) + " lies in registers, so its axis '" +
                  roles.left.name() + "' must be declared before '" + roles.right.name() +
                  "', the other axis of the product");
  if (a[1].name() != roles.contracted.name())
    fail(loc, "the first operand " + text(a) + " lies in registers, so the contracted axis '" +
                  roles.contracted.name() + "' must be declared after '" + roles.left.name() + "'");
}

static mlir::Value accumulatorOf(Builder &b, const Input *accumulator, const Axes &axes, Loc loc) {
  if (!accumulator)
    return b.constant(b.type(Element::f32, axes), 0.0, loc);
  if (const Variable *variable = accumulator->variable()) {
    b.get(*variable, accumulator->loc);
    if (b.unite(axes, variable->axes()).size() != axes.size())
      fail(accumulator->loc, "the accumulator has axes " + text(variable->axes()) +
                                 ", but the product has " + text(axes));
  }
  return b.spread(*accumulator, Element::f32, axes);
}

/// The product of `x`, its rows first, with the columns of `y`.
static Variable emit(Builder &b, const Variable &x, const Variable &y, const Roles &roles,
                     const Input *accumulator, Loc loc) {
  Axes axes = {roles.left, roles.right};
  mlir::Value start = accumulatorOf(b, accumulator, axes, loc);
  bool transposeA = x.axes()[0].name() == roles.contracted.name();
  bool transposeB = y.axes().back().name() == roles.contracted.name();
  auto flag = [&](bool set) { return set ? b.getUnitAttr() : mlir::UnitAttr(); };
  return b.make(mlir::tile::GemmOp::create(b, b.location(loc), start.getType(), b.get(x, loc),
                                           b.get(y, loc), start, flag(transposeA),
                                           flag(transposeB)),
                axes);
}

Variable gemm(const Variable &first, const Variable &second, const Input *accumulator, Loc loc) {
  if (!first.builder() || !second.builder())
    fail(loc, "an operand of gemm has no value yet");
  Builder &b = *first.builder();
  const Variable *x = &first, *y = &second;
  b.get(first, loc), b.get(second, loc);
  Roles roles = rolesOf(x->axes(), y->axes(), loc);
  if (!Builder::isMemory(*x)) {
    checkRegisters(x->axes(), roles, loc);
  } else if (roles.right.order() < roles.left.order()) { // the transposed product
    std::swap(x, y);
    std::swap(roles.left, roles.right);
  }
  return emit(b, *x, *y, roles, accumulator, loc);
}

Variable groupedGemm(const Variable &first, const Variable &second, const Input *accumulator,
                     Loc loc) {
  if (!first.builder() || !second.builder())
    fail(loc, "an operand of grouped_gemm has no value yet");
  Builder &b = *first.builder();
  b.get(first, loc), b.get(second, loc);
  Roles roles = groupedRolesOf(first.axes(), second.axes(), loc);
  if (!Builder::isMemory(first))
    checkRegisters(first.axes(), roles, loc);
  return emit(b, first, second, roles, accumulator, loc);
}

} // namespace tile::inline dsl::detail
