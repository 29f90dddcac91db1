//===- MaterializeScratch.cpp - shared memory between threads -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"
#include "SplitScan.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#include <map>

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

  Value warpTotals(Operation *user, Value source, tile::ReduceKind kind, int axis);
  void splitReduction(tile::ReduceOp reduce);
  void convertThroughShared(tile::ConvertLayoutOp convert);
  void shareOld(tile::AtomicOp atomic);
  void shareOld(tile::AtomicScalarOp atomic);

  /// By block, source, kind and axis: a scan and a reduction of one tile share them.
  std::map<std::tuple<Block *, void *, tile::ReduceKind, int>, Value> totals;
};

/// All operations of a kind as they are now: the work on one may add more.
template <class Op> SmallVector<Op> collect(tile::KernelOp kernel) {
  SmallVector<Op> list;
  kernel.walk([&](Op op) { list.push_back(op); });
  return list;
}
} // namespace

void MaterializeScratch::runOnOperation() {
  totals.clear();
  for (Operation *op : collect<Operation *>(getOperation())) {
    if (auto scan = dyn_cast<tile::ScanOp>(op))
      crossWarpScans += splitScan(scan, [&](tile::ScanOp part) {
        auto kind =
            part.getKind() == tile::ScanKind::Sum ? tile::ReduceKind::Sum : tile::ReduceKind::Max;
        return warpTotals(part, part.getSource(), kind, static_cast<int>(part.getAxis()));
      });
    auto reduce = dyn_cast<tile::ReduceOp>(op);
    // A partial reduction stops at the thread or warp by itself.
    if (reduce && !reduce.getPartial() &&
        layoutOf(reduce.getSource()).getLayout().warpsSplit(reduce.getAxis()))
      splitReduction(reduce);
  }
  for (auto convert : collect<tile::ConvertLayoutOp>(getOperation()))
    convertThroughShared(convert);
  for (auto atomic : collect<tile::AtomicOp>(getOperation()))
    shareOld(atomic);
  for (auto atomic : collect<tile::AtomicScalarOp>(getOperation()))
    shareOld(atomic);
}

/// The second step combines what the first has already made absolute.
static tile::ReduceKind secondKind(tile::ReduceKind kind) {
  return kind == tile::ReduceKind::AbsMax ? tile::ReduceKind::Max : kind;
}

/// What the warps' parts of `source` along the axis come to, in the registers of every thread.
Value MaterializeScratch::warpTotals(Operation *user, Value source, tile::ReduceKind kind,
                                     int axis) {
  Value &known = totals[{user->getBlock(), source.getAsOpaquePointer(), kind, axis}];
  if (known)
    return known;
  auto type = cast<RankedTensorType>(source.getType());
  FragmentLayout layout = layoutOf(source).getLayout();
  auto [partial, count] = partialLayout(layout, axis, /*perThread=*/false);
  FragmentLayout gathered = withRegisterAxis(layout.slice(axis), count);
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  shape.push_back(count);
  auto typeWith = [&](const FragmentLayout &encoding) {
    return RankedTensorType::get(shape, type.getElementType(),
                                 tile::FragAttr::get(&getContext(), encoding));
  };
  OpBuilder builder(user);
  Location loc = user->getLoc();
  Value perWarp = tile::ReduceOp::create(builder, loc, typeWith(partial), kind, source, axis,
                                         /*partial=*/true);
  return known = tile::ConvertLayoutOp::create(builder, loc, typeWith(gathered), perWarp);
}

void MaterializeScratch::splitReduction(tile::ReduceOp reduce) {
  OpBuilder builder(reduce);
  int64_t last = reduce.getSource().getType().getRank() - 1;
  Value everywhere =
      warpTotals(reduce, reduce.getSource(), reduce.getKind(), static_cast<int>(reduce.getAxis()));
  Value result = tile::ReduceOp::create(builder, reduce.getLoc(), reduce.getType(),
                                        secondKind(reduce.getKind()), everywhere, last,
                                        /*partial=*/false);
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

/// True if several threads hold the same elements.
static bool hasCopies(const FragmentLayout &layout) {
  for (int64_t warp = 0, warps = layout.numWarps(); warp < warps; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      if (!layout.isFirstCopy(warp, lane))
        return true;
  return false;
}

/// One thread gets an element's old value; those that hold the same element read it from shared
/// memory.
void MaterializeScratch::shareOld(tile::AtomicOp atomic) {
  Value old = atomic.getOld();
  if (!old || old.use_empty() || !hasCopies(layoutOf(old).getLayout()))
    return;
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(atomic);
  Location loc = atomic.getLoc();
  auto type = cast<RankedTensorType>(old.getType());
  Value scratch = tile::AllocSharedOp::create(
      builder, loc,
      withSwizzle(tile::SharedType::get(&getContext(), type.getShape(), type.getElementType(), {})),
      IntegerAttr());
  auto store = tile::StoreOp::create(builder, loc, old, scratch);
  Value shared = tile::LoadOp::create(builder, loc, type, scratch, TypedAttr());
  old.replaceAllUsesExcept(shared, store);
}

void MaterializeScratch::shareOld(tile::AtomicScalarOp atomic) {
  Value old = atomic.getOld();
  if (!old || old.use_empty())
    return;
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(atomic);
  Location loc = atomic.getLoc();
  Value scratch = tile::AllocSharedOp::create(
      builder, loc, withSwizzle(tile::SharedType::get(&getContext(), {1}, old.getType(), {})),
      IntegerAttr());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  auto store = tile::StoreScalarOp::create(builder, loc, old, scratch, ValueRange(zero));
  Value shared = tile::LoadScalarOp::create(builder, loc, old.getType(), scratch, ValueRange(zero),
                                            TypedAttr());
  old.replaceAllUsesExcept(shared, store);
}
