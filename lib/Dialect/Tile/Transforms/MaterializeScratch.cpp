//===- MaterializeScratch.cpp - shared memory of conversions, reductions --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-materialize-scratch"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_MATERIALIZESCRATCHPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
struct MaterializeScratch : tilec::impl::MaterializeScratchPassBase<MaterializeScratch> {
  void runOnOperation() override;

  void splitReduction(tile::ReduceOp reduce);
  void convertThroughShared(tile::ConvertLayoutOp convert);
};
} // namespace

void MaterializeScratch::runOnOperation() {
  SmallVector<tile::ReduceOp> reductions;
  getOperation().walk([&](tile::ReduceOp reduce) { reductions.push_back(reduce); });
  for (tile::ReduceOp reduce : reductions)
    // A partial reduction stops at the thread or warp by itself.
    if (!reduce.getPartial() && layoutOf(reduce.getSource()).getLayout().warpsSplit(reduce.getAxis()))
      splitReduction(reduce);

  SmallVector<tile::ConvertLayoutOp> conversions;
  getOperation().walk([&](tile::ConvertLayoutOp convert) { conversions.push_back(convert); });
  for (tile::ConvertLayoutOp convert : conversions)
    convertThroughShared(convert);
}

/// The second step combines what the first has already made absolute.
static tile::ReduceKind secondKind(tile::ReduceKind kind) {
  return kind == tile::ReduceKind::AbsMax ? tile::ReduceKind::Max : kind;
}

void MaterializeScratch::splitReduction(tile::ReduceOp reduce) {
  RankedTensorType source = reduce.getSource().getType();
  int axis = reduce.getAxis();
  FragmentLayout layout = layoutOf(reduce.getSource()).getLayout();
  auto [partial, count] = partialLayout(layout, axis, /*perThread=*/false);
  FragmentLayout gathered = withRegisterAxis(layout.slice(axis), count);

  SmallVector<int64_t> shape(source.getShape());
  shape.erase(shape.begin() + axis);
  shape.push_back(count);
  auto typeWith = [&](const FragmentLayout &encoding) {
    return RankedTensorType::get(shape, source.getElementType(),
                                 tile::FragAttr::get(&getContext(), encoding));
  };
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  Value perWarp = tile::ReduceOp::create(builder, loc, typeWith(partial), reduce.getKind(),
                                         reduce.getSource(), axis, /*partial=*/true);
  Value everywhere = tile::ConvertLayoutOp::create(builder, loc, typeWith(gathered), perWarp);
  Value result =
      tile::ReduceOp::create(builder, loc, reduce.getType(), secondKind(reduce.getKind()),
                             everywhere, source.getRank() - 1, /*partial=*/false);
  reduce.replaceAllUsesWith(result);
  reduce.erase();
  ++crossWarpReductions;
}

/// `value` (i1) as i8 and back.
static Value castMask(OpBuilder &builder, Location loc, Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType()).clone(element);
  if (element.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, value);
  return arith::ExtUIOp::create(builder, loc, type, value);
}

void MaterializeScratch::convertThroughShared(tile::ConvertLayoutOp convert) {
  RankedTensorType type = convert.getType();
  ConversionKind kind = planConversion(layoutOf(convert.getSource()).getLayout(),
                                       layoutOf(convert.getResult()).getLayout(), type.getShape());
  if (kind == ConversionKind::None || kind == ConversionKind::RegisterPermutation ||
      kind == ConversionKind::QuadShuffle)
    return;
  OpBuilder builder(convert);
  Location loc = convert.getLoc();
  Value source = convert.getSource();
  bool mask = type.getElementType().isInteger(1);
  if (mask)
    source = castMask(builder, loc, source, builder.getI8Type());
  RankedTensorType loaded = mask ? type.clone(builder.getI8Type()) : type;
  tile::SharedType shared = withSwizzle(
      tile::SharedType::get(&getContext(), type.getShape(), loaded.getElementType(), {}));
  Value scratch = tile::AllocSharedOp::create(builder, loc, shared, IntegerAttr());
  tile::StoreOp::create(builder, loc, source, scratch);
  Value result = tile::LoadOp::create(builder, loc, loaded, scratch, TypedAttr());
  if (mask)
    result = castMask(builder, loc, result, type.getElementType());
  convert.replaceAllUsesWith(result);
  convert.erase();
  ++scratchConversions;
}
