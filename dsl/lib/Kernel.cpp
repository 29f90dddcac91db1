//===- Kernel.cpp - groups, memory, constants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

namespace tile::inline dsl::detail {

using namespace mlir::arith;

Variable group(Builder &b, const Input &member, const Dim &members, const Dim &groups, Loc loc) {
  mlir::Location at = b.location(loc);
  b.useGroups(members, groups, loc);
  mlir::Value size = b.dimValue(members / max(groups, Dim(1)), loc);
  return b.make(DivUIOp::create(b, at, b.indexValue(member), size));
}

Variable allocShared(Builder &b, Element element, const Axes &axes, Loc loc) {
  if (axes.empty())
    fail(loc, "alloc_shared needs at least one axis");
  b.sorted(axes, loc); // checks
  auto shape = llvm::map_to_vector(axes, [](const Axis &axis) { return axis.extent(); });
  auto type = mlir::tile::SharedType::get(b.getContext(), shape, b.type(element),
                                          mlir::tile::SwizzleAttr());
  // The axes' names are for messages: see SharedNames.h.
  auto names = llvm::map_to_vector(axes, [](const Axis &axis) { return axis.name(); });
  mlir::Location where =
      mlir::NameLoc::get(b.getStringAttr(llvm::join(names, ", ")), b.location(loc));
  mlir::Value tile = mlir::tile::AllocSharedOp::create(b, where, type, mlir::IntegerAttr());
  Axes known;
  for (const Axis &axis : axes)
    known.push_back(b.canonical(axis, loc));
  return Variable(b, tile.getAsOpaquePointer(), known, Variable::Kind::memory);
}

Variable constant(Builder &b, Element element, const Axes &axes, double value, Loc loc) {
  Axes known = b.sorted(axes, loc);
  return b.make(b.constant(b.type(element, known), value, loc), known);
}

Variable index(Builder &b, const Input &value) { return b.make(b.indexValue(value)); }

void setWarps(Builder &b, int count, Loc loc) {
  if (count < 1 || count > 32)
    fail(loc, "a kernel runs on 1 to 32 warps; found " + std::to_string(count));
  b.kernelOp()->setAttr(mlir::tile::TileDialect::numWarpsAttrName, b.getI64IntegerAttr(count));
}

void setCtasPerSm(Builder &b, int count, Loc loc) {
  if (count < 1 || count > 32)
    fail(loc, "expected 1 to 32 CTAs per SM, found " + std::to_string(count));
  b.kernelOp()->setAttr("tile.ctas_per_sm", b.getI64IntegerAttr(count));
}

} // namespace tile::inline dsl::detail
