//===- TileShapeOps.cpp - positions, broadcasts, layout changes -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileShapeOps.cpp.inc"

LogicalResult IotaOp::verify() {
  if (getType().getRank() != 1 || !getType().getElementType().isInteger(32))
    return emitOpError() << "expected a result of rank 1 and type i32, found " << getType();
  return success();
}

//===----------------------------------------------------------------------===//
// BroadcastOp
//===----------------------------------------------------------------------===//

LogicalResult BroadcastOp::verify() {
  auto source = dyn_cast<RankedTensorType>(getSource().getType());
  Type element = source ? source.getElementType() : getSource().getType();
  if (element != getType().getElementType())
    return emitOpError() << "expected a result of " << element << ", found "
                         << getType().getElementType();
  int64_t rank = source ? source.getRank() : 0;
  if (static_cast<int64_t>(getDims().size()) != rank)
    return emitOpError() << "expected one entry of 'dims' per axis of the source (" << rank
                         << "), found " << getDims().size();
  int64_t previous = -1;
  for (auto [axis, dim] : llvm::enumerate(getDims())) {
    if (dim <= previous || dim >= getType().getRank())
      return emitOpError() << "expected 'dims' to ascend and stay below " << getType().getRank()
                           << ", found " << dim;
    if (source.getDimSize(axis) != getType().getDimSize(dim))
      return emitOpError() << "axis " << axis << " of the source has extent "
                           << source.getDimSize(axis) << ", axis " << dim << " of the result "
                           << getType().getDimSize(dim);
    previous = dim;
  }
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  if (isa_and_nonnull<FloatAttr, IntegerAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), adaptor.getSource());
  return {};
}

//===----------------------------------------------------------------------===//
// ConvertLayoutOp
//===----------------------------------------------------------------------===//

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor adaptor) {
  if (getSource().getType() == getType())
    return getSource();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSource()))
    return SplatElementsAttr::get(getType(), splat.getSplatValue<Attribute>());
  if (auto producer = getSource().getDefiningOp<ConvertLayoutOp>())
    if (producer.getSource().getType() == getType())
      return producer.getSource();
  return {};
}

//===----------------------------------------------------------------------===//
// SplitOp, JoinOp, PermuteOp
//===----------------------------------------------------------------------===//

/// `joined` is `apart` with axes `axis` and `axis + 1` made one.
static LogicalResult verifySplit(Operation *op, RankedTensorType joined, RankedTensorType apart,
                                 int64_t axis) {
  if (axis < 0 || axis >= joined.getRank())
    return op->emitOpError() << "expected an axis below " << joined.getRank() << ", found " << axis;
  SmallVector<int64_t> shape(apart.getShape());
  if (axis + 1 < apart.getRank()) {
    shape[axis] *= shape[axis + 1];
    shape.erase(shape.begin() + axis + 1);
  }
  if (apart.getRank() != joined.getRank() + 1 || joined.getShape() != ArrayRef(shape))
    return op->emitOpError() << "expected axis " << axis << " of " << joined
                             << " to be the product of axes " << axis << " and " << axis + 1
                             << " of the other side, found " << apart;
  return success();
}

LogicalResult SplitOp::verify() {
  return verifySplit(*this, getSource().getType(), getType(), getAxis());
}

LogicalResult JoinOp::verify() {
  return verifySplit(*this, getType(), getSource().getType(), getAxis());
}

LogicalResult PermuteOp::verify() {
  RankedTensorType source = getSource().getType();
  SmallVector<int64_t> sorted(getDims());
  llvm::sort(sorted);
  if (getType().getRank() != source.getRank() ||
      !llvm::equal(sorted, llvm::seq<int64_t>(0, source.getRank())))
    return emitOpError() << "expected 'dims' and the result to have the " << source.getRank()
                         << " axes of the source, each once";
  for (auto [axis, dim] : llvm::enumerate(getDims()))
    if (getType().getDimSize(axis) != source.getDimSize(dim))
      return emitOpError() << "expected axis " << axis << " of the result to have "
                           << source.getDimSize(dim) << " elements, found "
                           << getType().getDimSize(axis);
  return success();
}

//===----------------------------------------------------------------------===//
// TakeOp, StackOp
//===----------------------------------------------------------------------===//

/// `part` is `whole` without axis `axis`; a scalar type stands for rank 0.
static LogicalResult verifyPart(Operation *op, Type part, RankedTensorType whole, int64_t axis) {
  if (axis < 0 || axis >= whole.getRank())
    return op->emitOpError() << "expected an axis below " << whole.getRank() << ", found " << axis;
  SmallVector<int64_t> shape(whole.getShape());
  shape.erase(shape.begin() + axis);
  auto tensor = dyn_cast<RankedTensorType>(part);
  if (getElementTypeOrSelf(part) != whole.getElementType() ||
      (tensor ? tensor.getShape() : ArrayRef<int64_t>()) != ArrayRef(shape))
    return op->emitOpError() << "expected " << part << " to be " << whole << " without axis "
                             << axis;
  return success();
}

LogicalResult TakeOp::verify() {
  RankedTensorType source = getSource().getType();
  if (failed(verifyPart(*this, getType(), source, getAxis())))
    return failure();
  if (getPosition() >= static_cast<uint64_t>(source.getDimSize(getAxis())))
    return emitOpError() << "expected a position below " << source.getDimSize(getAxis())
                         << ", found " << static_cast<int64_t>(getPosition());
  return success();
}

LogicalResult StackOp::verify() {
  if (getSources().empty())
    return emitOpError("expected at least one source");
  if (failed(verifyPart(*this, getSources().front().getType(), getType(), getAxis())))
    return failure();
  if (static_cast<int64_t>(getSources().size()) != getType().getDimSize(getAxis()))
    return emitOpError() << "expected one source for each of the "
                         << getType().getDimSize(getAxis()) << " positions of axis " << getAxis()
                         << ", found " << getSources().size();
  return success();
}

void StackOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getSources() << " axis = " << getAxis();
  printer.printOptionalAttrDict((*this)->getAttrs(), {getAxisAttrName()});
  printer << " : " << getSources().front().getType() << " to " << getType();
}

ParseResult StackOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> sources;
  IntegerAttr axis;
  Type source, stacked;
  if (parser.parseOperandList(sources) || parser.parseKeyword("axis") || parser.parseEqual() ||
      parser.parseAttribute(axis, parser.getBuilder().getI64Type(), getAxisAttrName(result.name),
                            result.attributes) ||
      parser.parseOptionalAttrDict(result.attributes) || parser.parseColonType(source) ||
      parser.parseKeyword("to") || parser.parseType(stacked))
    return failure();
  result.addTypes(stacked);
  return parser.resolveOperands(sources, source, result.operands);
}
