//===- Debug.cpp - printing and checking while a kernel runs ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Debug.h"
#include "Integers.h"

namespace tile::inline dsl::detail {

/// Small floats are shown as the f32 of the same value.
static mlir::Value printable(Builder &b, Element element, mlir::Value value, const Axes &axes,
                             Loc loc) {
  mlir::Location at = b.location(loc);
  mlir::Type wide = b.type(Element::f32, axes);
  if (element == Element::e4m3 || element == Element::e5m2)
    return mlir::tile::CastOp::create(b, at, wide, value, /*saturate=*/false);
  if (element == Element::f16 || element == Element::bf16)
    return mlir::arith::ExtFOp::create(b, at, wide, value);
  return value;
}

void print(Element element, const Variable &value, const std::string &label, Loc loc) {
  Input input{value, loc};
  Builder &b = builderOf({&input});
  mlir::Value shown = printable(b, element, b.get(value, loc), value.axes(), loc);
  mlir::tile::PrintOp::create(b, b.location(loc), shown, b.getStringAttr(label));
}

void check(const Variable &condition, const std::string &message, Loc loc) {
  Input input{condition, loc};
  Builder &b = builderOf({&input});
  mlir::tile::CheckOp::create(b, b.location(loc), b.get(condition, loc), b.getStringAttr(message));
}

} // namespace tile::inline dsl::detail
