//===- Load.cpp - a window into a slot by TMA ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One TMA load per slab of the slot's swizzle, of the rows that are filled. What lies outside the
// tensor, in any dimension, arrives as 0, so a coordinate may be clamped to just outside; that
// makes 64-bit offsets 32-bit. The innermost coordinate has to be a multiple of 16 bytes, or the
// load ends the kernel (measured on an H200): convert-tile-to-pipe knows that of the offset, and
// here it stays so.
//===----------------------------------------------------------------------===//
#include "Patterns.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Elements that the slot spans along a dimension of the tensor.
static int64_t spannedExtent(tile::WindowOp window, int64_t dim) {
  for (auto [axis, spanned] : llvm::enumerate(window.getDims()))
    if (spanned == dim)
      return window.getType().getShape()[axis];
  return 1;
}

namespace {
class LoadLowering : public TilePattern<pipe::LoadOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;

private:
  /// The kernel's parameter that map `number` of `tile.launch` describes; fails with a diagnostic.
  FailureOr<int64_t> parameterOf(pipe::LoadOp op, tile::WindowOp window) const;
  SmallVector<Value> coordinates(Emitter e, tile::WindowOp window, const SharedLayout &slot,
                                 ArrayRef<Value> param, ConversionPatternRewriter &rewriter) const;
};
} // namespace

FailureOr<int64_t> LoadLowering::parameterOf(pipe::LoadOp op, tile::WindowOp window) const {
  if (op.getMap() >= state.tensorMaps.size())
    return op.emitOpError() << "uses tensor map " << op.getMap() << ", 'tile.launch' describes "
                            << state.tensorMaps.size() << " in 'maps'";
  auto parameter = window ? dyn_cast<BlockArgument>(window.getSource()) : BlockArgument();
  if (!parameter || parameter.getArgNumber() >= state.params.size())
    return op.emitOpError("expected a tile.window of one of the kernel's parameters");
  return parameter.getArgNumber();
}

/// Where the window starts, outermost dimension first (i32).
SmallVector<Value> LoadLowering::coordinates(Emitter e, tile::WindowOp window,
                                             const SharedLayout &slot, ArrayRef<Value> param,
                                             ConversionPatternRewriter &rewriter) const {
  ArrayRef<int64_t> shape = window.getSource().getType().getShape();
  SmallVector<Value> result;
  int64_t chunk = 16 / slot.elementBytes;
  for (auto [dim, offset] : llvm::enumerate(window.getOffsets())) {
    Value end = ShapedType::isDynamic(shape[dim]) ? param[1 + dim] : e.i64(shape[dim]);
    if (dim + 1 == shape.size())
      end = e.bitAnd(e.add(end, chunk - 1), -chunk);
    Value start = rewriter.getRemappedValue(offset);
    start = e.max(e.min(start, end), e.i64(-spannedExtent(window, dim)));
    result.push_back(e.narrow(start));
  }
  return result;
}

LogicalResult LoadLowering::matchAndRewrite(pipe::LoadOp op, OneToNOpAdaptor adaptor,
                                            ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  auto window = op.getWindow().getDefiningOp<tile::WindowOp>();
  FailureOr<int64_t> number = parameterOf(op, window);
  if (failed(number))
    return failure();
  SharedLayout slot = op.getChannel().getType().getSlot().getLayout();
  if (!slot.matchesTma())
    return op.emitOpError("fills a slot whose layout TMA cannot write");
  SmallVector<Value> outermostFirst = coordinates(e, window, slot, state.params[*number], rewriter);
  SmallVector<Value> coords(llvm::reverse(outermostFirst));

  Channel channel(op.getChannel().getType(), adaptor.getChannel());
  Cursor cursor(adaptor.getCursor());
  Value target = slotAddress(e, channel, cursor), full = fullBarrier(e, channel, cursor);
  // Whole slabs: where a part starts, the verifier knows.
  TilePart part = op.getPart();
  int64_t rowBytes = slot.swizzle == 0 ? slot.rowBytes() : slot.swizzle;
  int64_t slabElements = rowBytes / slot.elementBytes, firstSlab = part.column / slabElements;
  int64_t slabs = llvm::divideCeilSigned(part.columns, slabElements);
  Value inner = coords.front();
  emitOnce(e, state, [&](Emitter once) {
    for (int64_t slab = 0; slab < slabs; ++slab) {
      coords.front() = once.add(inner, slab * slabElements);
      int64_t start = (firstSlab + slab) * slot.slabBytes() + part.row * rowBytes;
      sm::TmaLoadOp::create(once.builder, once.loc, once.add(target, start),
                            state.tensorMaps[op.getMap()], coords, full);
    }
  });
  rewriter.eraseOp(op);
  return success();
}

void tilec::to_sm::populatePipeLoadPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                            KernelState &state) {
  patterns.add<LoadLowering>(types, patterns.getContext(), state);
}
