//===- Store.cpp - fragments into windows and shared tiles ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// Of threads that hold the same elements, the first one stores.
class StoreLowering : public TilePattern<tile::StoreOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::StoreOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Value value = adaptor.getValue().front();
    auto shared = dyn_cast<tile::SharedType>(op.getTarget().getType());
    auto store = [&] {
      if (shared)
        storeShared(e, op, shared, value, adaptor.getTarget().front());
      else
        storeWindow(e, op, value, Window::unpack(adaptor.getTarget()));
    };
    if (Value first = isFirstCopy(e, state, layoutOf(op.getValue().getType())))
      scf::IfOp::create(rewriter, op.getLoc(), first, [&](OpBuilder &builder, Location loc) {
        store();
        scf::YieldOp::create(builder, loc);
      });
    else
      store();
    rewriter.eraseOp(op);
    return success();
  }

private:
  void storeShared(Emitter e, tile::StoreOp op, tile::SharedType type, Value value,
                   Value tile) const;
  void storeWindow(Emitter e, tile::StoreOp op, Value value, const Window &window) const;
};
} // namespace

void StoreLowering::storeShared(Emitter e, tile::StoreOp op, tile::SharedType type, Value value,
                                Value tile) const {
  FragmentLayout layout = layoutOf(op.getValue().getType());
  SharedLayout memoryLayout = type.getLayout();
  int64_t length =
      vectorLength(layout, layout.rank - 1, memoryLayout.elementBytes, memoryLayout.shape);
  SharedMemory memory(e, tile, memoryLayout, threadCoords(e, state, layout));
  storeRegisters(memory, layout, value, length);
}

void StoreLowering::storeWindow(Emitter e, tile::StoreOp op, Value value,
                                const Window &window) const {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  FragmentLayout layout = layoutOf(type);
  WindowFacts facts = state.facts.lookup(op);
  int64_t bytes = storageBytes(type.getElementType());
  int64_t length = vectorLength(layout, facts.contiguousAxis, bytes, type.getShape());
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  AccessPlan plan =
      planAccess(e, window, facts, type.getShape(), bytes, length, layout.numRegs() / length);
  auto store = [&](bool inside) {
    GlobalMemory memory(e, window, facts, bytes, type.getShape(), coords, inside);
    storeRegisters(memory, layout, value, inside ? plan.fastLength : plan.slowLength);
  };
  if (!plan.hasFast || !plan.hasSlow)
    return store(/*inside=*/plan.hasFast);
  auto branch = [&](bool inside) {
    return [&, inside](OpBuilder &builder, Location loc) {
      store(inside);
      scf::YieldOp::create(builder, loc);
    };
  };
  scf::IfOp::create(e.builder, e.loc, plan.fast, branch(true), branch(false));
}

void tilec::to_sm::populateStorePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         KernelState &state) {
  patterns.add<StoreLowering>(types, patterns.getContext(), state);
}
