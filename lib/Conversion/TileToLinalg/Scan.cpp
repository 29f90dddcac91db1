//===- Scan.cpp - prefixes and positions of maxima along an axis ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace tilec::host {

namespace {
/// Lines of a tile along one axis.
struct Lines {
  Location loc;
  RankedTensorType type;
  int64_t axis;

  /// Calls `body` for each line, with the indices along the other axes.
  void forEach(OpBuilder &b, function_ref<void(OpBuilder &, ValueRange)> body) const;
  /// Walks one line with carried values: `step` gets the indices of the element and the values, and
  /// returns the next ones.
  ValueRange walk(OpBuilder &b, ValueRange others, ValueRange initial, bool reverse,
                  function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> step) const;
};
} // namespace

void Lines::forEach(OpBuilder &b, function_ref<void(OpBuilder &, ValueRange)> body) const {
  SmallVector<Value> begin, end;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (dim != axis) {
      begin.push_back(indexConstant(b, loc, 0));
      end.push_back(indexConstant(b, loc, type.getDimSize(dim)));
    }
  forEachIndex(b, loc, begin, end, body);
}

ValueRange
Lines::walk(OpBuilder &b, ValueRange others, ValueRange initial, bool reverse,
            function_ref<SmallVector<Value>(OpBuilder &, ValueRange, ValueRange)> step) const {
  int64_t length = type.getDimSize(axis);
  auto loop = scf::ForOp::create(
      b, loc, indexConstant(b, loc, 0), indexConstant(b, loc, length), indexConstant(b, loc, 1),
      initial, [&](OpBuilder &nested, Location, Value position, ValueRange carried) {
        if (reverse)
          position =
              arith::SubIOp::create(nested, loc, indexConstant(nested, loc, length - 1), position);
        SmallVector<Value> indices(others);
        indices.insert(indices.begin() + axis, position);
        scf::YieldOp::create(nested, loc, step(nested, indices, carried));
      });
  return loop.getResults();
}

static Value combine(OpBuilder &b, Location loc, tile::ScanKind kind, Value a, Value element) {
  bool isFloat = isa<FloatType>(a.getType());
  if (kind == tile::ScanKind::Sum)
    return isFloat ? arith::AddFOp::create(b, loc, a, element).getResult()
                   : arith::AddIOp::create(b, loc, a, element).getResult();
  return isFloat ? arith::MaxNumFOp::create(b, loc, a, element).getResult()
                 : arith::MaxSIOp::create(b, loc, a, element).getResult();
}

static Value identity(OpBuilder &b, Location loc, tile::ScanKind kind, Type type) {
  TypedAttr value = cast<TypedAttr>(b.getZeroAttr(type));
  if (kind == tile::ScanKind::Max) {
    if (auto real = dyn_cast<FloatType>(type))
      value = b.getFloatAttr(type, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
    else
      value = b.getIntegerAttr(type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
  }
  return arith::ConstantOp::create(b, loc, value);
}

static Value allocate(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Type element) {
  return memref::AllocOp::create(b, loc, MemRefType::get(shape, element), b.getI64IntegerAttr(64));
}

LogicalResult lower(tile::ScanOp op, OpBuilder &b, KernelState &) {
  if (op.getStart())
    return op.emitOpError("a scan with a start exists only after layout assignment, which the host "
                          "target does without; give it the kernel as the author wrote it");
  Location loc = op.getLoc();
  RankedTensorType type = op.getType();
  Lines lines{loc, type, static_cast<int64_t>(op.getAxis())};
  Value fresh = allocate(b, loc, type.getShape(), type.getElementType());
  Value first = identity(b, loc, op.getKind(), type.getElementType());
  lines.forEach(b, [&](OpBuilder &nested, ValueRange others) {
    lines.walk(nested, others, first, op.getReverse(),
               [&](OpBuilder &inner, ValueRange indices, ValueRange carried) {
                 Value element = tensor::ExtractOp::create(inner, loc, op.getSource(), indices);
                 Value next = combine(inner, loc, op.getKind(), carried[0], element);
                 memref::StoreOp::create(inner, loc, op.getExclusive() ? carried[0] : next, fresh,
                                         indices);
                 return SmallVector<Value>{next};
               });
  });
  op.getResult().replaceAllUsesWith(buildOwnedTensor(b, loc, fresh));
  return success();
}

/// Whether `element` is larger than the best so far, or the first that is a number.
static Value wins(OpBuilder &b, Location loc, Value element, Value best, Value found) {
  Value isFirst =
      arith::XOrIOp::create(b, loc, found, arith::ConstantOp::create(b, loc, b.getBoolAttr(true)));
  if (!isa<FloatType>(element.getType())) {
    Value larger = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, element, best);
    return arith::OrIOp::create(b, loc, larger, isFirst);
  }
  Value larger = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OGT, element, best);
  Value isNumber = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, element, element);
  return arith::AndIOp::create(b, loc, isNumber, arith::OrIOp::create(b, loc, larger, isFirst));
}

LogicalResult lowerArgMax(tile::ReduceOp op, OpBuilder &b) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getSource().getType();
  Lines lines{loc, type, static_cast<int64_t>(op.getAxis())};
  Type i32 = b.getI32Type();
  auto search = [&](OpBuilder &nested, ValueRange others) -> Value {
    Value best = arith::ConstantOp::create(nested, loc, nested.getZeroAttr(type.getElementType()));
    Value index = arith::ConstantOp::create(nested, loc, nested.getI32IntegerAttr(0));
    Value found = arith::ConstantOp::create(nested, loc, nested.getBoolAttr(false));
    ValueRange result = lines.walk(
        nested, others, {best, index, found}, /*reverse=*/false,
        [&](OpBuilder &inner, ValueRange indices, ValueRange carried) {
          Value element = tensor::ExtractOp::create(inner, loc, op.getSource(), indices);
          Value won = wins(inner, loc, element, carried[0], carried[2]);
          Value here = arith::IndexCastOp::create(inner, loc, i32, indices[lines.axis]);
          return SmallVector<Value>{arith::SelectOp::create(inner, loc, won, element, carried[0]),
                                    arith::SelectOp::create(inner, loc, won, here, carried[1]),
                                    arith::OrIOp::create(inner, loc, won, carried[2])};
        });
    return result[1];
  };
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!result) {
    op.getResult().replaceAllUsesWith(search(b, {}));
    return success();
  }
  Value fresh = allocate(b, loc, result.getShape(), i32);
  lines.forEach(b, [&](OpBuilder &nested, ValueRange others) {
    memref::StoreOp::create(nested, loc, search(nested, others), fresh, others);
  });
  op.getResult().replaceAllUsesWith(buildOwnedTensor(b, loc, fresh));
  return success();
}

} // namespace tilec::host
