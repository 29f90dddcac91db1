//===- ExpandArgMax.cpp - positions of maxima -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExpandArgMax.h"

using namespace mlir;
using namespace tilec;

/// The type with elements of `element`; a scalar type stays a scalar.
static Type withElement(Type type, Type element) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? Type(tensor.clone(element)) : element;
}

static Value integer(OpBuilder &builder, Location loc, Type type, int64_t value) {
  TypedAttr attr = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    attr = DenseElementsAttr::get(tensor, {Attribute(attr)});
  return arith::ConstantOp::create(builder, loc, attr);
}

static void expand(tile::ReduceOp op) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  RankedTensorType type = op.getSource().getType();
  auto axis = static_cast<int64_t>(op.getAxis());
  Type element = type.getElementType(), i32 = builder.getI32Type();
  bool isFloat = isa<FloatType>(element);

  Value greatest = tile::ReduceOp::create(builder, loc, withElement(op.getType(), element),
                                          tile::ReduceKind::Max, op.getSource(), axis,
                                          /*partial=*/false);
  SmallVector<int64_t> others;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != axis)
      others.push_back(dim);
  Value spread =
      tile::BroadcastOp::create(builder, loc, type, greatest, builder.getDenseI64ArrayAttr(others));
  Value equal =
      isFloat
          ? arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, op.getSource(), spread)
                .getResult()
          : arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, op.getSource(), spread)
                .getResult();
  Value line =
      tile::IotaOp::create(builder, loc, RankedTensorType::get({type.getDimSize(axis)}, i32));
  Value position = line;
  if (type.getRank() > 1)
    position = tile::BroadcastOp::create(builder, loc, type.clone(i32), line,
                                         builder.getDenseI64ArrayAttr({axis}));
  constexpr int64_t none = std::numeric_limits<int32_t>::max();
  Value candidates = arith::SelectOp::create(builder, loc, equal, position,
                                             integer(builder, loc, position.getType(), none));
  Value least = tile::ReduceOp::create(builder, loc, op.getType(), tile::ReduceKind::Min,
                                       candidates, axis, /*partial=*/false);
  if (isFloat) { // only NaN: nothing equals the maximum
    Value missing = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, least,
                                          integer(builder, loc, op.getType(), none));
    least = arith::SelectOp::create(builder, loc, missing, integer(builder, loc, op.getType(), 0),
                                    least);
  }
  op.replaceAllUsesWith(least);
  op.erase();
}

unsigned tilec::expandArgMax(tile::KernelOp kernel) {
  SmallVector<tile::ReduceOp> list;
  kernel.walk([&](tile::ReduceOp op) {
    if (op.getKind() == tile::ReduceKind::ArgMax)
      list.push_back(op);
  });
  llvm::for_each(list, expand);
  return list.size();
}
