//===- Ops.cpp - functions, casts, reductions, matrix products ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Builder.h"

namespace tile::inline dsl::detail {

static Builder &builderOf(const Variable &x, Loc loc) {
  if (!x.builder())
    fail(loc, "this variable has no value yet");
  return *x.builder();
}

Variable unary(Unary operation, Element element, const Variable &x, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  mlir::Location at = b.location(loc);
  mlir::Value result;
  switch (operation) {
  case Unary::exp:
    result = mlir::math::ExpOp::create(b, at, value);
    break;
  case Unary::exp2:
    result = mlir::math::Exp2Op::create(b, at, value);
    break;
  case Unary::log:
    result = mlir::math::LogOp::create(b, at, value);
    break;
  case Unary::log2:
    result = mlir::math::Log2Op::create(b, at, value);
    break;
  case Unary::sqrt:
    result = mlir::math::SqrtOp::create(b, at, value);
    break;
  case Unary::rsqrt:
    result = mlir::math::RsqrtOp::create(b, at, value);
    break;
  case Unary::rcp: {
    mlir::Value one = b.constant(value.getType(), 1.0, loc);
    result = mlir::arith::DivFOp::create(b, at, one, value, mlir::arith::FastMathFlags::arcp);
    break;
  }
  case Unary::tanh:
    result = mlir::math::TanhOp::create(b, at, value);
    break;
  case Unary::sin:
    result = mlir::math::SinOp::create(b, at, value);
    break;
  case Unary::cos:
    result = mlir::math::CosOp::create(b, at, value);
    break;
  case Unary::abs:
    result = isFloat(element) ? mlir::math::AbsFOp::create(b, at, value)->getResult(0)
                              : mlir::math::AbsIOp::create(b, at, value)->getResult(0);
    break;
  }
  return b.make(result, x.axes());
}

Variable follow(const Variable &reference, const Variable &maximum, double lag, Loc loc) {
  if (!(lag >= 0))
    fail(loc, "expected a lag of at least 0, found " + std::to_string(lag));
  Input old{reference, loc}, now{maximum, loc};
  Variable above = binary(Binary::sub, Element::f32, now, old);
  Variable grown = compare(Compare::gt, Element::f32, {above, loc}, {lag, loc});
  Variable result = select(Element::f32, {grown, loc}, now, old);
  Builder &b = builderOf(result, loc);
  b.get(result, loc)
      .getDefiningOp()
      ->setAttr(mlir::tile::TileDialect::followsAttrName, b.getF32FloatAttr(lag));
  return result;
}

static bool isNarrow8(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

static mlir::Value castValue(Builder &b, Element from, Element to, mlir::Value x, const Axes &axes,
                             overflow mode, Loc loc);

/// From or to 8 bits. Integers go through f32: what it cannot hold saturates anyway.
static mlir::Value castNarrow8(Builder &b, Element from, Element to, mlir::Value x,
                               const Axes &axes, overflow mode, Loc loc) {
  if (!isFloat(from) || !isFloat(to)) {
    mlir::Value wide = castValue(b, from, Element::f32, x, axes, mode, loc);
    return castValue(b, Element::f32, to, wide, axes, mode, loc);
  }
  bool saturates = isNarrow8(to) && mode == overflow::saturate;
  return mlir::tile::CastOp::create(b, b.location(loc), b.type(to, axes), x,
                                    saturates ? b.getUnitAttr() : mlir::UnitAttr());
}

static mlir::Value castValue(Builder &b, Element from, Element to, mlir::Value x, const Axes &axes,
                             overflow mode, Loc loc) {
  using namespace mlir::arith;
  mlir::Location at = b.location(loc);
  mlir::Type type = b.type(to, axes);
  if (from == to)
    return x;
  if (isNarrow8(from) || isNarrow8(to))
    return castNarrow8(b, from, to, x, axes, mode, loc);
  if (isFloat(from) && isFloat(to)) {
    if (byteSize(from) == byteSize(to)) // f16 and bf16
      return castValue(b, Element::f32, to, castValue(b, from, Element::f32, x, axes, mode, loc),
                       axes, mode, loc);
    if (byteSize(from) < byteSize(to))
      return ExtFOp::create(b, at, type, x);
    return TruncFOp::create(b, at, type, x);
  }
  if (isFloat(from))
    return FPToSIOp::create(b, at, type, x);
  if (isFloat(to))
    return from == Element::i1 ? UIToFPOp::create(b, at, type, x)->getResult(0)
                               : SIToFPOp::create(b, at, type, x)->getResult(0);
  if (from == Element::i1)
    return ExtUIOp::create(b, at, type, x);
  if (to == Element::i1)
    return CmpIOp::create(b, at, CmpIPredicate::ne, x, b.constant(x.getType(), int64_t(0), loc));
  if (byteSize(from) < byteSize(to))
    return ExtSIOp::create(b, at, type, x);
  return TruncIOp::create(b, at, type, x);
}

Variable cast(Element from, Element to, const Variable &x, overflow mode, Loc loc) {
  Builder &b = builderOf(x, loc);
  return b.make(castValue(b, from, to, b.get(x, loc), x.axes(), mode, loc), x.axes());
}

Variable toIndex(const Variable &x, Loc loc) {
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  if (!x.axes().empty())
    fail(loc, "to_index takes a scalar, but the operand has axes " + text(x.axes()) +
                  "; reduce it first");
  if (value.getType() == b.getI64Type())
    return x;
  return b.make(mlir::arith::ExtSIOp::create(b, b.location(loc), b.getI64Type(), value));
}

Variable reduce(Reduction kind, const Variable &x, const Axis &axis, Loc loc) {
  static constexpr const char *names[] = {"max", "min", "sum", "absmax", "any", "all"};
  static constexpr mlir::tile::ReduceKind kinds[] = {
      mlir::tile::ReduceKind::Max,    mlir::tile::ReduceKind::Min, mlir::tile::ReduceKind::Sum,
      mlir::tile::ReduceKind::AbsMax, mlir::tile::ReduceKind::Any, mlir::tile::ReduceKind::All};
  unsigned which = static_cast<unsigned>(kind);
  Builder &b = builderOf(x, loc);
  mlir::Value value = b.get(x, loc);
  Axes axes = x.axes();
  auto found = llvm::find_if(axes, [&](const Axis &a) { return a.name() == axis.name(); });
  if (found == axes.end())
    fail(loc, std::string("reduce_") + names[which] + " over axis '" + axis.name() +
                  "', but the operand has axes " + text(axes));
  b.canonical(axis, loc);
  int64_t position = found - axes.begin();
  axes.erase(found);
  mlir::Type element = mlir::getElementTypeOrSelf(value.getType());
  mlir::Type type = element;
  if (!axes.empty()) {
    auto shape = llvm::map_to_vector(axes, [](const Axis &a) { return a.extent(); });
    type = mlir::RankedTensorType::get(shape, element);
  }
  return b.make(
      mlir::tile::ReduceOp::create(b, b.location(loc), type, kinds[which], value, position), axes);
}

} // namespace tile::inline dsl::detail
