//===- SharedView.cpp - a shared tile, or part of one, as addresses see it --===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"
#include "tilec/Analysis/AxisDivisibility.h"

#include <numeric>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kPhaseRows = 8; // period of every swizzle in rows

void tilec::to_sm::collectSlices(tile::KernelOp kernel, KernelState &state) {
  Divisibility divisibility(kernel);
  kernel.walk([&](tile::SliceOp op) {
    SliceFacts &facts = state.slices[op.getResult()];
    auto outer = state.slices.find(op.getSource());
    if (outer != state.slices.end())
      facts = outer->second;
    else
      facts.whole = op.getSource().getType();
    size_t rank = facts.whole.getShape().size(), lacks = rank - op.getOffsets().size();
    facts.offsets.resize(rank);
    facts.multiples.resize(rank, 0);
    for (auto [position, offset] : llvm::enumerate(op.getOffsets())) {
      size_t axis = lacks + position;
      facts.offsets[axis].push_back(offset);
      facts.multiples[axis] = std::gcd(facts.multiples[axis], divisibility.of(offset));
    }
  });
}

/// Where a slice starts along `axis`, in units of `scale`. The slice lies inside the tile.
static ThreadCoord startOf(Emitter e, const SliceFacts &facts, int64_t axis, int64_t part,
                           int64_t scale) {
  Value sum = e.i64(0);
  for (Value offset : facts.offsets[axis])
    sum = e.add(sum, offset);
  ThreadCoord start =
      anyCoord(e.mul(e.narrow(sum), scale), (facts.whole.getShape()[axis] - part) * scale);
  int64_t multiple = facts.multiples[axis] * scale;
  if (multiple != 0)
    start.mask &= ~((multiple & -multiple) - 1);
  return start;
}

/// What divides the number; 0 is divided by everything.
static int64_t scaledMultiple(const SliceFacts &facts, int64_t axis, int64_t scale) {
  return facts.multiples[axis] * scale;
}

/// Moves what is whole periods of the pattern from the coordinates to the address.
static void moveToBase(Emitter e, SharedView &view, int64_t rowMultiple, int64_t columnMultiple) {
  const SharedLayout &layout = view.layout;
  int64_t rowBytes = layout.swizzle == 0 ? layout.rowBytes() : layout.swizzle;
  if (layout.swizzle == 0 || rowMultiple % kPhaseRows == 0) {
    view.base = e.add(view.base, e.mul(view.row.value, rowBytes));
    view.row = zeroCoord(e);
  }
  if (layout.swizzle == 0) {
    view.base = e.add(view.base, view.column.value);
    view.column = zeroCoord(e);
  } else if (columnMultiple % layout.swizzle == 0) {
    Value slab = e.div(view.column.value, layout.swizzle);
    view.base = e.add(view.base, e.mul(slab, layout.slabBytes()));
    view.column = zeroCoord(e);
  }
}

SharedView tilec::to_sm::viewOf(Emitter e, const KernelState &state, Value handle, Value address) {
  auto type = cast<tile::SharedType>(handle.getType());
  SharedView view{address,
                  type.getLayout(),
                  llvm::to_vector(type.getShape()),
                  llvm::to_vector(type.getShape()),
                  zeroCoord(e),
                  zeroCoord(e)};
  auto found = state.slices.find(handle);
  if (found == state.slices.end())
    return view;
  const SliceFacts &facts = found->second;
  view.isPart = true;
  view.layout = facts.whole.getLayout();
  ArrayRef<int64_t> whole = view.layout.shape;
  auto lacks = static_cast<int64_t>(whole.size() - view.extents.size()); // leading axes
  view.rowExtents = llvm::to_vector(whole.drop_front(lacks));
  int64_t last = static_cast<int64_t>(whole.size()) - 1, stride = 1, rowMultiple = 0;
  for (int64_t axis = last - 1; axis >= 0; --axis) {
    int64_t part = axis < lacks ? 1 : view.extents[axis - lacks];
    view.row = sum(e, view.row, startOf(e, facts, axis, part, stride));
    rowMultiple = std::gcd(rowMultiple, scaledMultiple(facts, axis, stride));
    stride *= whole[axis];
  }
  int64_t bytes = view.layout.elementBytes, columnMultiple = scaledMultiple(facts, last, bytes);
  view.column = startOf(e, facts, last, view.extents.back(), bytes);
  view.columnMultiple = std::gcd<int64_t>(1024, columnMultiple);
  moveToBase(e, view, rowMultiple, columnMultiple);
  return view;
}

void SharedView::setExtents(ArrayRef<int64_t> shape) {
  if (extents == shape)
    return;
  extents.assign(shape.begin(), shape.end());
  rowExtents = extents;
}

namespace {
/// A slice is its tile's address; who uses it knows where it starts.
class SliceLowering : public TilePattern<tile::SliceOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::SliceOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};
} // namespace

void tilec::to_sm::populateSlicePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         KernelState &state) {
  patterns.add<SliceLowering>(types, patterns.getContext(), state);
}
