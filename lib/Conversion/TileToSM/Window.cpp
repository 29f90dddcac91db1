//===- Window.cpp - where a window starts and what of it is there -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// A global tensor's converted values: address, extents of all axes, strides (elements) of all axes
/// but the last.
struct Global {
  Value address;
  ValueRange extents, strides;

  explicit Global(ValueRange values) {
    size_t rank = values.size() / 2;
    address = values.front();
    extents = values.slice(1, rank);
    strides = values.drop_front(1 + rank);
  }
};

class WindowLowering : public TilePattern<tile::WindowOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::WindowOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;
};
} // namespace

/// Bytes from one element to the next along each axis.
static SmallVector<Value> byteStrides(Emitter e, const Global &global, int64_t bytes) {
  SmallVector<Value> strides;
  for (Value stride : global.strides)
    strides.push_back(e.mul(stride, bytes));
  strides.push_back(e.i64(bytes));
  return strides;
}

static Value extentOf(Emitter e, tile::GlobalType type, const Global &global, int64_t axis) {
  int64_t extent = type.getShape()[axis];
  return ShapedType::isDynamic(extent) ? global.extents[axis] : e.i64(extent);
}

/// `value` cut to 0..limit, as an i32.
static Value clamp(Emitter e, Value value, int64_t limit) {
  return e.narrow(e.max(e.min(value, e.i64(limit)), e.i64(0)));
}

/// True if the axes that the window does not span stand inside the tensor; null if always.
static Value fixedAxesInside(Emitter e, tile::WindowOp op, const Global &global) {
  auto type = cast<tile::GlobalType>(op.getSource().getType());
  Value inside;
  for (auto [axis, offset] : llvm::enumerate(op.getOffsets())) {
    if (llvm::is_contained(op.getDims(), static_cast<int64_t>(axis)))
      continue;
    Value extent = extentOf(e, type, global, axis);
    inside = e.both(inside, e.compare(arith::CmpIPredicate::ult, offset, extent));
  }
  return inside && matchPattern(inside, m_One()) ? Value() : inside;
}

LogicalResult WindowLowering::matchAndRewrite(tile::WindowOp op, OneToNOpAdaptor adaptor,
                                              ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  auto type = cast<tile::GlobalType>(op.getSource().getType());
  Global global(adaptor.getSource());
  SmallVector<Value> strides = byteStrides(e, global, storageBytes(type.getElementType()));

  Window window;
  window.base = global.address;
  for (auto [offset, stride] : llvm::zip(op.getOffsets(), strides))
    window.base = e.add(window.base, e.mul(offset, stride));
  for (auto [axis, dim] : llvm::enumerate(op.getDims())) {
    int64_t length = op.getType().getShape()[axis];
    Value offset = op.getOffsets()[dim], end = extentOf(e, type, global, dim);
    if (!op.getLimits().empty())
      end = e.min(end, op.getLimits()[axis]);
    window.strides.push_back(strides[dim]);
    window.lower.push_back(clamp(e, e.sub(e.i64(0), offset), length));
    window.upper.push_back(clamp(e, e.sub(end, offset), length));
    window.origin.push_back(offset);
    window.end.push_back(op.getLimits().empty() ? end : e.max(end, e.i64(0)));
  }
  if (Value inside = fixedAxesInside(e, op, global)) {
    window.upper[0] = e.select(inside, window.upper[0], e.i32(0));
    window.end[0] = e.select(inside, window.end[0], e.i64(0));
  }
  rewriter.replaceOpWithMultiple(op, {window.pack()});
  return success();
}

void tilec::to_sm::populateWindowPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<WindowLowering>(types, patterns.getContext(), state);
}
