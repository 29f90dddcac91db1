//===- Reduce.cpp - reductions within a warp --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// How two elements are combined, and what changes nothing.
class Combiner {
public:
  Combiner(Emitter e, tile::ReduceKind kind, Type element) : e(e), kind(kind), element(element) {}

  Value combine(Value a, Value b) const;
  TypedAttr identity() const;
  /// What is done to an element first.
  Value prepare(Value a) const;

private:
  Emitter e;
  tile::ReduceKind kind;
  Type element;
};

class ReduceLowering : public TilePattern<tile::ReduceOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;

private:
  SmallVector<SmallVector<Value>> gather(Emitter e, tile::ReduceOp op, Value source,
                                         const Combiner &combiner) const;
};
} // namespace

Value Combiner::combine(Value a, Value b) const {
  OpBuilder &builder = e.builder;
  bool isFloat = isa<FloatType>(element);
  switch (kind) {
  case tile::ReduceKind::Max:
  case tile::ReduceKind::AbsMax:
    if (isFloat)
      return arith::MaxNumFOp::create(builder, e.loc, a, b);
    return arith::MaxSIOp::create(builder, e.loc, a, b);
  case tile::ReduceKind::Min:
    if (isFloat)
      return arith::MinNumFOp::create(builder, e.loc, a, b);
    return arith::MinSIOp::create(builder, e.loc, a, b);
  case tile::ReduceKind::Sum:
    if (isFloat)
      return arith::AddFOp::create(builder, e.loc, a, b);
    return arith::AddIOp::create(builder, e.loc, a, b);
  case tile::ReduceKind::Any:
    return arith::OrIOp::create(builder, e.loc, a, b);
  case tile::ReduceKind::All:
    return arith::AndIOp::create(builder, e.loc, a, b);
  case tile::ReduceKind::ArgMax:
    break; // expanded
  }
  llvm_unreachable("unknown reduction");
}

TypedAttr Combiner::identity() const {
  bool greatest = kind == tile::ReduceKind::Min;
  bool extreme = greatest || kind == tile::ReduceKind::Max;
  if (auto type = dyn_cast<FloatType>(element)) {
    if (!extreme && kind != tile::ReduceKind::AbsMax)
      return e.builder.getZeroAttr(type);
    // NaN loses against every number, and leaves NaN where all elements are NaN.
    return FloatAttr::get(type, APFloat::getQNaN(type.getFloatSemantics()));
  }
  unsigned width = element.getIntOrFloatBitWidth();
  if (kind == tile::ReduceKind::All)
    return e.builder.getIntegerAttr(element, APInt::getAllOnes(width));
  if (!extreme)
    return e.builder.getZeroAttr(element);
  return e.builder.getIntegerAttr(element, greatest ? APInt::getSignedMaxValue(width)
                                                    : APInt::getSignedMinValue(width));
}

Value Combiner::prepare(Value a) const {
  if (kind != tile::ReduceKind::AbsMax)
    return a;
  if (isa<FloatType>(element))
    return math::AbsFOp::create(e.builder, e.loc, a);
  return math::AbsIOp::create(e.builder, e.loc, a);
}

/// Combines a list in four chains, which keeps the units busy where one chain would wait.
static Value combineAll(const Combiner &combiner, ArrayRef<Value> values) {
  SmallVector<Value, 4> chains;
  for (auto [index, value] : llvm::enumerate(values)) {
    if (index < 4)
      chains.push_back(value);
    else
      chains[index % 4] = combiner.combine(chains[index % 4], value);
  }
  while (chains.size() > 1) {
    SmallVector<Value, 4> next;
    for (size_t i = 0; i < chains.size(); i += 2)
      next.push_back(i + 1 < chains.size() ? combiner.combine(chains[i], chains[i + 1])
                                           : chains[i]);
    chains = next;
  }
  return chains.front();
}

/// Per register of the result, the thread's elements that go into it; padding replaced.
SmallVector<SmallVector<Value>> ReduceLowering::gather(Emitter e, tile::ReduceOp op, Value source,
                                                       const Combiner &combiner) const {
  auto type = cast<RankedTensorType>(op.getSource().getType());
  FragmentLayout layout = layoutOf(type);
  int axis = static_cast<int>(op.getAxis());
  SmallVector<SmallVector<Value>> lists(layout.slice(axis).numRegs());
  bool padded = layout.coverage()[axis] > type.getDimSize(axis);
  std::optional<Bounds> bounds;
  Value identity;
  if (padded) {
    bounds.emplace(e, type.getShape(), threadCoords(e, state, layout));
    identity = arith::ConstantOp::create(e.builder, e.loc, combiner.identity());
  }
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
    Value value = vector::ExtractOp::create(e.builder, e.loc, source, ArrayRef<int64_t>{reg});
    value = combiner.prepare(value);
    if (padded)
      if (Value there = bounds->axis(axis, layout.regCoords(reg)[axis]))
        value = e.select(there, value, identity);
    lists[layout.sliceRegister(axis, reg)].push_back(value);
  }
  return lists;
}

/// The registers of the result in its layout: the slice's, or with a last axis that only lanes and
/// warps tell apart.
static bool isResultLayout(tile::ReduceOp op, const FragmentLayout &sliced) {
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!result)
    return true;
  FragmentLayout layout = layoutOf(result);
  if (op.getPartial())
    return layout.numRegs() == sliced.numRegs();
  return layout == sliced;
}

/// The lane bits along `axis`, without those that a partial result keeps apart.
static SmallVector<int> lanesToCombine(tile::ReduceOp op, const FragmentLayout &source, int axis) {
  SmallVector<int> bits = source.laneBitsAlong(axis);
  if (op.getPartial()) {
    auto type = cast<RankedTensorType>(op.getType());
    SmallVector<int> kept = layoutOf(type).laneBitsAlong(static_cast<int>(type.getRank()) - 1);
    llvm::erase_if(bits, [&](int bit) { return llvm::is_contained(kept, bit); });
  }
  return bits;
}

LogicalResult ReduceLowering::matchAndRewrite(tile::ReduceOp op, OpAdaptor adaptor,
                                              ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  auto type = cast<RankedTensorType>(op.getSource().getType());
  FragmentLayout layout = layoutOf(type);
  int axis = static_cast<int>(op.getAxis());
  if (op.getKind() == tile::ReduceKind::ArgMax)
    return op.emitOpError("argmax has no lowering of its own; run 'tile-legalize-math' first");
  if (layout.warpsSplit(axis) && !op.getPartial())
    return op.emitOpError("reduces over several warps; run 'tile-materialize-scratch' first");
  if (!isResultLayout(op, layout.slice(axis)))
    return op.emitOpError("expected a result laid out as the source without the axis; a "
                          "tile.convert_layout is missing");

  Combiner combiner(e, op.getKind(), type.getElementType());
  SmallVector<Value> results;
  for (ArrayRef<Value> list : gather(e, op, adaptor.getSource(), combiner))
    results.push_back(combineAll(combiner, list));
  for (int bit : lanesToCombine(op, layout, axis))
    for (Value &value : results)
      value = combiner.combine(value, shuffleXor(e, value, int64_t(1) << bit));

  Type converted = getTypeConverter()->convertType(op.getType());
  if (isa<VectorType>(converted))
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, converted, results);
  else
    rewriter.replaceOp(op, results.front());
  return success();
}

void tilec::to_sm::populateReducePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<ReduceLowering>(types, patterns.getContext(), state);
}
