//===- Load.cpp - windows and shared tiles into fragments -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
class LoadLowering : public TilePattern<tile::LoadOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::LoadOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    bool shared = isa<tile::SharedType>(op.getSource().getType());
    rewriter.replaceOp(op, shared ? loadShared(e, op, adaptor.getSource().front())
                                  : loadWindow(e, op, Window::unpack(adaptor.getSource())));
    return success();
  }

private:
  VectorType resultType(tile::LoadOp op) const {
    return cast<VectorType>(getTypeConverter()->convertType(op.getType()));
  }
  Value loadShared(Emitter e, tile::LoadOp op, Value tile) const;
  Value loadWindow(Emitter e, tile::LoadOp op, const Window &window) const;
};
} // namespace

static TypedAttr padOf(tile::LoadOp op) {
  if (op.getPad())
    return cast<TypedAttr>(*op.getPad());
  return Builder(op.getContext()).getZeroAttr(op.getType().getElementType());
}

Value LoadLowering::loadShared(Emitter e, tile::LoadOp op, Value tile) const {
  FragmentLayout layout = layoutOf(op.getType());
  SharedView view = viewOf(e, state, op.getSource(), tile);
  SharedMemory memory(e, view, threadCoords(e, state, layout));
  return loadRegisters(memory, layout, resultType(op), vectorLength(layout, view), padOf(op));
}

Value LoadLowering::loadWindow(Emitter e, tile::LoadOp op, const Window &window) const {
  FragmentLayout layout = layoutOf(op.getType());
  VectorType type = resultType(op);
  ArrayRef<int64_t> extents = op.getType().getShape();
  WindowFacts facts = state.facts.lookup(op);
  int64_t bytes = storageBytes(type.getElementType());
  int64_t length = vectorLength(layout, facts.contiguousAxis, bytes, extents);
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  AccessPlan plan =
      planAccess(e, window, facts, extents, bytes, length, type.getNumElements() / length);
  // What hardly ever runs is short.
  if (op->getParentOfType<tile::AgainOp>() || op->getParentOfType<sm::AgainOp>())
    plan.hasFast &= !plan.hasSlow;
  auto load = [&](AccessWay way) -> SmallVector<Value> {
    GlobalMemory memory(e, window, facts, bytes, extents, coords, way.inside, way.split);
    return {loadCarried(memory, layout, type, way.length, padOf(op))};
  };
  WindowTile tile{window, facts, bytes, extents};
  return fromCarried(e, accessWindow(e, tile, layout, coords, plan, load).front(), type);
}

void tilec::to_sm::populateLoadPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<LoadLowering>(types, patterns.getContext(), state);
}
