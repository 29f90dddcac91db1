//===- Builder.cpp - types, constants, operands as values -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

#include <cmath>

namespace tile::inline dsl::detail {

const char *name(Element element) {
  static constexpr const char *names[] = {"f32", "f16", "bf16", "e4m3", "e5m2",
                                          "i1",  "i8",  "i16",  "i32",  "i64"};
  return names[static_cast<unsigned>(element)];
}

const char *name(Access access) {
  static constexpr const char *names[] = {"in", "out", "inout", "workspace"};
  return names[static_cast<unsigned>(access)];
}

bool isFloat(Element element) { return element < Element::i1; }

unsigned byteSize(Element element) {
  static constexpr unsigned sizes[] = {4, 2, 2, 1, 1, 1, 1, 2, 4, 8};
  return sizes[static_cast<unsigned>(element)];
}

mlir::Type Builder::type(Element element) {
  switch (element) {
  case Element::f32:
    return getF32Type();
  case Element::f16:
    return getF16Type();
  case Element::bf16:
    return getBF16Type();
  case Element::e4m3:
    return mlir::Float8E4M3FNType::get(getContext());
  case Element::e5m2:
    return mlir::Float8E5M2Type::get(getContext());
  case Element::i1:
    return getI1Type();
  case Element::i8:
    return getI8Type();
  case Element::i16:
    return getI16Type();
  case Element::i32:
    return getI32Type();
  case Element::i64:
    return getI64Type();
  }
  return {};
}

static llvm::SmallVector<int64_t> shapeOf(const Axes &axes) {
  return llvm::map_to_vector(axes, [](const Axis &axis) { return axis.extent(); });
}

mlir::Type Builder::type(Element element, const Axes &axes) {
  mlir::Type scalar = type(element);
  return axes.empty() ? scalar : mlir::RankedTensorType::get(shapeOf(axes), scalar);
}

static mlir::TypedAttr numberAttr(mlir::Builder &b, mlir::Type element, double value) {
  if (auto floating = llvm::dyn_cast<mlir::FloatType>(element))
    return b.getFloatAttr(floating, value);
  return b.getIntegerAttr(element, static_cast<int64_t>(value));
}

static mlir::Value constantOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                              mlir::TypedAttr element) {
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type))
    element = mlir::DenseElementsAttr::get(tensor, llvm::cast<mlir::Attribute>(element));
  return mlir::arith::ConstantOp::create(b, loc, element);
}

mlir::Value Builder::constant(mlir::Type type, double value, Loc loc) {
  if (mlir::getElementTypeOrSelf(type).isInteger()) {
    if (value != std::trunc(value) || std::abs(value) > 0x1p53)
      fail(loc, std::to_string(value) + " is not an integer, but the tile's elements are");
    return constant(type, static_cast<int64_t>(value), loc);
  }
  return constantOf(*this, location(loc), type,
                    numberAttr(*this, mlir::getElementTypeOrSelf(type), value));
}

mlir::Value Builder::constant(mlir::Type type, int64_t value, Loc loc) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (llvm::isa<mlir::FloatType>(element))
    return constant(type, static_cast<double>(value), loc);
  bool fits = element.isInteger(1) ? value == 0 || value == 1
                                   : llvm::isIntN(element.getIntOrFloatBitWidth(), value);
  if (!fits)
    fail(loc, std::to_string(value) + " does not fit the element type of " +
                  std::to_string(element.getIntOrFloatBitWidth()) + " bits");
  return constantOf(*this, location(loc), type, getIntegerAttr(element, value));
}

mlir::TypedAttr Builder::padAttr(Element element, double value) {
  return value == 0.0 ? mlir::TypedAttr() : numberAttr(*this, type(element), value);
}

mlir::Value Builder::clamp(mlir::Value x, int64_t low, int64_t high, Loc loc) {
  mlir::Value atLeast =
      mlir::arith::MaxSIOp::create(*this, location(loc), x, indexConstant(low, loc));
  return mlir::arith::MinSIOp::create(*this, location(loc), atLeast, indexConstant(high, loc));
}

mlir::Value Builder::indexValue(const Input &input) {
  if (auto *number = std::get_if<int64_t>(&input.source))
    return indexConstant(*number, input.loc);
  if (auto *dim = std::get_if<Dim>(&input.source))
    return dimValue(*dim, input.loc);
  return get(*input.variable(), input.loc);
}

/// Wide integers enter narrower tiles brought into their range.
static mlir::Value scalarOf(Builder &b, const Input &input, mlir::Type scalar) {
  mlir::Value wide = b.indexValue(input);
  unsigned width = scalar.getIntOrFloatBitWidth();
  if (wide.getType() == scalar)
    return wide;
  mlir::Value inRange = b.clamp(wide, llvm::minIntN(width), llvm::maxIntN(width), input.loc);
  return mlir::arith::TruncIOp::create(b, b.location(input.loc), scalar, inRange);
}

mlir::Value Builder::spread(const Input &input, Element element, const Axes &axes) {
  mlir::Type wanted = type(element, axes);
  if (auto *number = std::get_if<int64_t>(&input.source))
    return constant(wanted, *number, input.loc);
  if (auto *number = std::get_if<double>(&input.source))
    return constant(wanted, *number, input.loc);
  const Variable *variable = input.variable();
  mlir::Value value;
  if (variable && mlir::getElementTypeOrSelf(get(*variable, input.loc).getType()) == type(element))
    value = get(*variable, input.loc);
  else
    value = scalarOf(*this, input, type(element));
  if (value.getType() == wanted)
    return value;
  llvm::SmallVector<int64_t> dims;
  if (variable)
    for (const Axis &axis : variable->axes())
      dims.push_back(llvm::find_if(axes, [&](const Axis &a) { return a.name() == axis.name(); }) -
                     axes.begin());
  return mlir::tile::BroadcastOp::create(*this, location(input.loc), wanted, value,
                                         getDenseI64ArrayAttr(dims));
}

} // namespace tile::inline dsl::detail
