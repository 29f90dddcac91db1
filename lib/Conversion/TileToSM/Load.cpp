//===- Load.cpp - windows and shared tiles into fragments -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

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
    auto shared = dyn_cast<tile::SharedType>(op.getSource().getType());
    rewriter.replaceOp(op, shared ? loadShared(e, op, shared, adaptor.getSource().front())
                                  : loadWindow(e, op, Window::unpack(adaptor.getSource())));
    return success();
  }

private:
  VectorType resultType(tile::LoadOp op) const {
    return cast<VectorType>(getTypeConverter()->convertType(op.getType()));
  }
  Value loadShared(Emitter e, tile::LoadOp op, tile::SharedType type, Value tile) const;
  Value loadWindow(Emitter e, tile::LoadOp op, const Window &window) const;
};
} // namespace

static TypedAttr padOf(tile::LoadOp op) {
  if (op.getPad())
    return cast<TypedAttr>(*op.getPad());
  return Builder(op.getContext()).getZeroAttr(op.getType().getElementType());
}

Value LoadLowering::loadShared(Emitter e, tile::LoadOp op, tile::SharedType type,
                               Value tile) const {
  FragmentLayout layout = layoutOf(op.getType());
  SharedLayout memoryLayout = type.getLayout();
  int64_t length =
      vectorLength(layout, layout.rank - 1, memoryLayout.elementBytes, memoryLayout.shape);
  SharedMemory memory(e, tile, memoryLayout, threadCoords(e, state, layout));
  return loadRegisters(memory, layout, resultType(op), length, padOf(op));
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
  auto load = [&](bool inside) {
    GlobalMemory memory(e, window, facts, bytes, extents, coords, inside);
    return loadRegisters(memory, layout, type, inside ? plan.fastLength : plan.slowLength,
                         padOf(op));
  };
  if (!plan.hasFast || !plan.hasSlow)
    return load(/*inside=*/plan.hasFast);
  auto yield = [&](bool inside) {
    return [&, inside](OpBuilder &builder, Location loc) {
      scf::YieldOp::create(builder, loc, load(inside));
    };
  };
  return scf::IfOp::create(e.builder, e.loc, plan.fast, yield(true), yield(false)).getResult(0);
}

void tilec::to_sm::populateLoadPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<LoadLowering>(types, patterns.getContext(), state);
}
