//===- Reduce.cpp - reductions along an axis ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using tile::ReduceKind;

namespace tilec::host {

/// What leaves every value as it is. For float max and min that is NaN: they ignore NaN unless all
/// elements are NaN.
static TypedAttr identity(OpBuilder &b, ReduceKind kind, Type type) {
  bool extreme = kind == ReduceKind::Max || kind == ReduceKind::Min || kind == ReduceKind::AbsMax;
  if (auto floating = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floating.getFloatSemantics();
    return b.getFloatAttr(type, extreme ? APFloat::getNaN(semantics) : APFloat::getZero(semantics));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  switch (kind) {
  case ReduceKind::Max:
    return b.getIntegerAttr(type, APInt::getSignedMinValue(width));
  case ReduceKind::Min:
    return b.getIntegerAttr(type, APInt::getSignedMaxValue(width));
  case ReduceKind::All:
    return b.getIntegerAttr(type, APInt::getAllOnes(width));
  case ReduceKind::Sum:
  case ReduceKind::AbsMax:
  case ReduceKind::Any:
    return b.getIntegerAttr(type, APInt::getZero(width));
  case ReduceKind::ArgMax:
    break; // lowered apart
  }
  llvm_unreachable("all kinds are handled above");
}

static Value combineFloat(OpBuilder &b, Location loc, ReduceKind kind, Value element, Value sum) {
  if (element.getType() != sum.getType())
    element = arith::ExtFOp::create(b, loc, sum.getType(), element);
  switch (kind) {
  case ReduceKind::Sum:
    // The order of the terms is not part of the contract; without it LLVM adds one element at a
    // time.
    return arith::AddFOp::create(b, loc, element, sum, arith::FastMathFlags::reassoc);
  case ReduceKind::Min:
    return arith::MinNumFOp::create(b, loc, element, sum);
  case ReduceKind::AbsMax:
    element = math::AbsFOp::create(b, loc, element);
    [[fallthrough]];
  default:
    return arith::MaxNumFOp::create(b, loc, element, sum);
  }
}

static Value combineInteger(OpBuilder &b, Location loc, ReduceKind kind, Value element, Value sum) {
  switch (kind) {
  case ReduceKind::Sum:
    return arith::AddIOp::create(b, loc, element, sum);
  case ReduceKind::Min:
    return arith::MinSIOp::create(b, loc, element, sum);
  case ReduceKind::Any:
    return arith::OrIOp::create(b, loc, element, sum);
  case ReduceKind::All:
    return arith::AndIOp::create(b, loc, element, sum);
  case ReduceKind::AbsMax:
    element = math::AbsIOp::create(b, loc, element);
    [[fallthrough]];
  case ReduceKind::Max:
    return arith::MaxSIOp::create(b, loc, element, sum);
  case ReduceKind::ArgMax:
    break; // lowered apart
  }
  llvm_unreachable("all kinds are handled above");
}

/// What elements are combined in. Masks are bytes: LLVM takes vectors of bits apart into as many
/// loads.
static Type typeOfSums(OpBuilder &b, Type element) {
  if (element.isInteger(1))
    return b.getI8Type();
  bool isNarrow = isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isNarrow ? b.getF32Type() : element;
}

static Value toResult(OpBuilder &b, Location loc, Value sum, Type type) {
  if (sum.getType() == type)
    return sum;
  if (getElementTypeOrSelf(type).isInteger(1))
    return arith::TruncIOp::create(b, loc, type, sum);
  return arith::TruncFOp::create(b, loc, type, sum);
}

LogicalResult lower(tile::ReduceOp op, OpBuilder &b, KernelState &state) {
  if (op.getPartial())
    return op.emitOpError(
        "a partial reduction exists only after layout assignment, which the host target "
        "does without; give it the kernel as the author wrote it");
  if (op.getKind() == ReduceKind::ArgMax)
    return lowerArgMax(op, b);
  Location loc = op.getLoc();
  RankedTensorType type = op.getSource().getType();
  Type element = type.getElementType();
  Type sumType = typeOfSums(b, element);
  Value source = op.getSource();
  if (element.isInteger(1))
    source = arith::ExtUIOp::create(b, loc, type.clone(sumType), source);
  unsigned rank = type.getRank(), axis = op.getAxis();
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  Value start = arith::ConstantOp::create(b, loc, identity(b, op.getKind(), sumType));
  AffineMap all = b.getMultiDimIdentityMap(rank);
  GenericSpec spec{
      {source}, buildSplat(b, loc, shape, start), {all, all.dropResult(axis)}, rank, {axis}};
  Value result =
      buildGeneric(b, loc, spec, [&](OpBuilder &nested, Location nestedLoc, ValueRange elements) {
        auto combine = isa<FloatType>(element) ? combineFloat : combineInteger;
        return combine(nested, nestedLoc, op.getKind(), elements[0], elements[1]);
      });
  if (shape.empty())
    result = tensor::ExtractOp::create(b, loc, result, ValueRange{});
  op.getResult().replaceAllUsesWith(toResult(b, loc, result, op.getResult().getType()));
  return success();
}

} // namespace tilec::host
