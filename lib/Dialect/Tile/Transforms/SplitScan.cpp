//===- SplitScan.cpp - scans across warps ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SplitScan.h"
#include "LayoutUtils.h"

using namespace mlir;
using namespace tilec;

namespace {
/// What the warps of one scan hand to each other.
class WarpStarts {
public:
  WarpStarts(OpBuilder &builder, tile::ScanOp scan)
      : builder(builder), scan(scan), loc(scan.getLoc()), axis(static_cast<int>(scan.getAxis())),
        layout(layoutOf(scan.getSource()).getLayout()),
        partial(partialLayout(layout, axis, /*perThread=*/false)) {}

  /// What each warp's part starts from: a tile with a last axis of warps.
  Value emit(Value totals);

private:
  Value position(RankedTensorType type, int dim);
  Value identity(RankedTensorType type);
  RankedTensorType typeOf(int64_t lastAxes, Type element, const FragmentLayout &encoding);
  tile::ReduceKind reduceKind() {
    return scan.getKind() == tile::ScanKind::Sum ? tile::ReduceKind::Sum : tile::ReduceKind::Max;
  }

  OpBuilder &builder;
  tile::ScanOp scan;
  Location loc;
  int axis;
  FragmentLayout layout;
  PartialLayout partial;
};
} // namespace

/// The tile without the scanned axis, with `lastAxes` more axes of warps.
RankedTensorType WarpStarts::typeOf(int64_t lastAxes, Type element,
                                    const FragmentLayout &encoding) {
  SmallVector<int64_t> shape(scan.getType().getShape());
  shape.erase(shape.begin() + axis);
  shape.append(lastAxes, partial.count);
  return RankedTensorType::get(shape, element, tile::FragAttr::get(builder.getContext(), encoding));
}

/// The position along axis `dim` of the type, everywhere in it.
Value WarpStarts::position(RankedTensorType type, int dim) {
  FragmentLayout line = cast<tile::FragAttr>(type.getEncoding()).getLayout();
  for (int other = static_cast<int>(type.getRank()) - 1; other >= 0; --other)
    if (other != dim)
      line = line.slice(other);
  Type i32 = builder.getI32Type();
  auto lineType = RankedTensorType::get(type.getDimSize(dim), i32,
                                        tile::FragAttr::get(builder.getContext(), line));
  Value iota = tile::IotaOp::create(builder, loc, lineType);
  return tile::BroadcastOp::create(builder, loc, type.clone(i32), iota,
                                   builder.getDenseI64ArrayAttr({dim}));
}

Value WarpStarts::identity(RankedTensorType type) {
  Type element = type.getElementType();
  TypedAttr value = cast<TypedAttr>(builder.getZeroAttr(element));
  if (scan.getKind() == tile::ScanKind::Max) {
    if (auto real = dyn_cast<FloatType>(element))
      value = FloatAttr::get(real, APFloat::getInf(real.getFloatSemantics(), /*Negative=*/true));
    else
      value = builder.getIntegerAttr(element,
                                     APInt::getSignedMinValue(element.getIntOrFloatBitWidth()));
  }
  return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, {Attribute(value)}));
}

Value WarpStarts::emit(Value totals) {
  Type element = scan.getType().getElementType();
  // Axes: those that stay, the warp that starts, the warp whose total counts.
  auto pairs = typeOf(2, element, withRegisterAxis(partial.layout, partial.count));
  int last = static_cast<int>(pairs.getRank()) - 1;
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, last - 1));
  dims.push_back(last);
  Value all =
      tile::BroadcastOp::create(builder, loc, pairs, totals, builder.getDenseI64ArrayAttr(dims));
  auto before = scan.getReverse() ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt;
  Value counts =
      arith::CmpIOp::create(builder, loc, before, position(pairs, last), position(pairs, last - 1));
  Value chosen = arith::SelectOp::create(builder, loc, counts, all, identity(pairs));
  return tile::ReduceOp::create(builder, loc, typeOf(1, element, partial.layout), reduceKind(),
                                chosen, last, /*partial=*/false);
}

/// The scan in a layout whose warps hold one run of the axis each.
static tile::ScanOp inRuns(OpBuilder &builder, tile::ScanOp scan, const FragmentLayout &layout) {
  RankedTensorType type = withLayout(
      scan.getType(),
      tile::FragAttr::get(builder.getContext(),
                          blocked(scan.getType().getShape(), /*vector=*/4, layout.numWarps())));
  Location loc = scan.getLoc();
  Value source = tile::ConvertLayoutOp::create(builder, loc, type, scan.getSource());
  auto moved = tile::ScanOp::create(builder, loc, type, scan.getKind(), source, Value(),
                                    scan.getAxis(), scan.getExclusive(), scan.getReverse());
  Value result = tile::ConvertLayoutOp::create(builder, loc, scan.getType(), moved);
  scan.replaceAllUsesWith(result);
  scan.erase();
  return moved;
}

bool tilec::splitScan(tile::ScanOp scan, WarpTotals totals) {
  OpBuilder builder(scan);
  auto axis = static_cast<int>(scan.getAxis());
  FragmentLayout layout = layoutOf(scan.getSource()).getLayout();
  bool interleaved =
      llvm::any_of(layout.warp, [&](const Coord &vector) { return vector[axis] != 0; });
  if (interleaved) {
    scan = inRuns(builder, scan, layout);
    builder.setInsertionPoint(scan);
    layout = layoutOf(scan.getSource()).getLayout();
  }
  if (!layout.warpsSplit(axis) || scan.getStart())
    return interleaved;
  scan.getStartMutable().assign(WarpStarts(builder, scan).emit(totals(scan)));
  return true;
}
