//===- Reshape.cpp - axes taken apart, joined, reordered; parts of tiles ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The layouts of both sides hold each element in the same thread, so all of these only name
// registers again.
//===----------------------------------------------------------------------===//
#include "tilec/Layout/Reshape.h"
#include "Lowering.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Coordinates in the source of an element of the result.
static Coord sourceOf(tile::SplitOp op, ArrayRef<int64_t> c) {
  Coord source(c);
  int64_t axis = op.getAxis();
  source[axis] = source[axis] * op.getType().getDimSize(axis + 1) + source[axis + 1];
  source.erase(source.begin() + axis + 1);
  return source;
}

static Coord sourceOf(tile::JoinOp op, ArrayRef<int64_t> c) {
  Coord source(c);
  int64_t axis = op.getAxis(), inner = op.getSource().getType().getDimSize(axis + 1);
  source.insert(source.begin() + axis + 1, source[axis] % inner);
  source[axis] /= inner;
  return source;
}

static Coord sourceOf(tile::PermuteOp op, ArrayRef<int64_t> c) {
  Coord source(c);
  for (auto [axis, dim] : llvm::enumerate(op.getDims()))
    source[dim] = c[axis];
  return source;
}

static Coord sourceOf(tile::TakeOp op, ArrayRef<int64_t> c) {
  Coord source(c);
  source.insert(source.begin() + op.getAxis(), op.getPosition());
  return source;
}

static LogicalResult reportMissingConversion(Operation *op) {
  return op->emitOpError(
      "expected a layout of the source in which every thread holds what it needs; "
      "a tile.convert_layout is missing");
}

namespace {
template <typename Op> class RenameRegisters : public TilePattern<Op> {
public:
  using TilePattern<Op>::TilePattern;
  LogicalResult matchAndRewrite(Op op, typename TilePattern<Op>::OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    auto table =
        registerSources(layoutOf(op.getSource().getType()), layoutOf(type), type.getShape(),
                        [&](ArrayRef<int64_t> c) { return sourceOf(op, c); });
    if (!table)
      return reportMissingConversion(op);
    rewriter.replaceOp(op, permute(Emitter(rewriter, op.getLoc()), adaptor.getSource(), *table));
    return success();
  }
};

/// An element for every thread, all of which hold it.
class TakeScalarLowering : public TilePattern<tile::TakeOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::TakeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (isa<RankedTensorType>(op.getType()))
      return failure();
    FragmentLayout layout = layoutOf(op.getSource().getType());
    int64_t position = op.getPosition();
    if (!takeAxis(layout, 0))
      return reportMissingConversion(op);
    int64_t reg = layout.holder({position})->reg;
    rewriter.replaceOpWithNewOp<vector::ExtractOp>(op, adaptor.getSource(), ArrayRef<int64_t>{reg});
    return success();
  }
};

class TakeLowering : public RenameRegisters<tile::TakeOp> {
public:
  using RenameRegisters::RenameRegisters;
  LogicalResult matchAndRewrite(tile::TakeOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(op.getType()))
      return failure();
    return RenameRegisters::matchAndRewrite(op, adaptor, rewriter);
  }
};

class StackLowering : public TilePattern<tile::StackOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::StackOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getType();
    auto source = cast<RankedTensorType>(op.getSources().front().getType());
    FragmentLayout part = layoutOf(source), whole = layoutOf(type);
    int axis = op.getAxis();
    std::optional<FragmentLayout> slice = takeAxis(whole, axis);
    auto renamed = slice ? registerPermutation(part, *slice, source.getShape()) : std::nullopt;
    if (!renamed)
      return reportMissingConversion(op);
    // A register of the result belongs to one part; padding takes any element.
    SmallVector<Value> elements;
    int64_t parts = static_cast<int64_t>(op.getSources().size());
    for (int64_t reg = 0, end = whole.numRegs(); reg < end; ++reg) {
      int64_t which = std::min(whole.regCoords(reg)[axis], parts - 1);
      int64_t held = std::max<int64_t>((*renamed)[whole.sliceRegister(axis, reg)], 0);
      elements.push_back(vector::ExtractOp::create(
          rewriter, op.getLoc(), adaptor.getSources()[which], ArrayRef<int64_t>{held}));
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, getTypeConverter()->convertType(type),
                                                        elements);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateReshapePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                           KernelState &state) {
  patterns.add<RenameRegisters<tile::SplitOp>, RenameRegisters<tile::JoinOp>,
               RenameRegisters<tile::PermuteOp>, TakeLowering, TakeScalarLowering, StackLowering>(
      types, patterns.getContext(), state);
}
