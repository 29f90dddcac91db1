//===- Scans.cpp - prefixes and positions of maxima -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Scans.h"
#include "Builder.h"

namespace tile::inline dsl::detail {

/// Where the axis lies in the operand; an error if it is not there.
static int64_t positionOf(Builder &b, const char *operation, const Variable &x, const Axis &axis,
                          Loc loc) {
  auto found = llvm::find_if(x.axes(), [&](const Axis &a) { return a.name() == axis.name(); });
  if (found == x.axes().end())
    fail(loc, std::string(operation) + " over axis '" + axis.name() +
                  "', but the operand has axes " + text(x.axes()));
  b.canonical(axis, loc);
  return found - x.axes().begin();
}

static Builder &builderOf(const Variable &x, Loc loc) {
  if (!x.builder())
    fail(loc, "this variable has no value yet");
  return *x.builder();
}

Variable scan(ScanOperation operation, const Variable &x, const Axis &axis, Scan options, Loc loc) {
  bool sum = operation == ScanOperation::sum;
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  int64_t position = positionOf(b, sum ? "scan_sum" : "scan_max", x, axis, loc);
  return b.make(
      mlir::tile::ScanOp::create(b, b.location(loc), value.getType(),
                                 sum ? mlir::tile::ScanKind::Sum : mlir::tile::ScanKind::Max, value,
                                 mlir::Value(), position, options.exclusive, options.reverse),
      x.axes());
}

Variable argmax(const Variable &x, const Axis &axis, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  int64_t position = positionOf(b, "argmax", x, axis, loc);
  Axes axes = x.axes();
  axes.erase(axes.begin() + position);
  return b.make(mlir::tile::ReduceOp::create(b, b.location(loc), b.type(Element::i32, axes),
                                             mlir::tile::ReduceKind::ArgMax, value, position),
                axes);
}

} // namespace tile::inline dsl::detail
