//===- Store.cpp - fragments into windows and shared tiles ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "QuadExchange.h"

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
    bool shared = isa<tile::SharedType>(op.getTarget().getType());
    auto store = [&] {
      if (shared)
        storeShared(e, op, value, adaptor.getTarget().front());
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
  void storeShared(Emitter e, tile::StoreOp op, Value value, Value tile) const;
  void storeWindow(Emitter e, tile::StoreOp op, Value value, const Window &window) const;

  AccessPlan planFor(Emitter e, const WindowTile &target, const FragmentLayout &layout) const;
  void storeOneWay(Emitter e, const WindowTile &target, const FragmentLayout &layout, Value value,
                   AccessWay way) const;
  void storeAs(Emitter e, const WindowTile &target, const FragmentLayout &layout,
               Value value) const;
};
} // namespace

void StoreLowering::storeShared(Emitter e, tile::StoreOp op, Value value, Value tile) const {
  FragmentLayout layout = layoutOf(op.getValue().getType());
  SharedView view = viewOf(e, state, op.getTarget(), tile);
  SharedMemory memory(e, view, threadCoords(e, state, layout));
  storeRegisters(memory, layout, value, vectorLength(layout, view));
}

/// Both ways to write: `fast` where the condition holds, or always if it is null.
static void branch(Emitter e, Value condition, llvm::function_ref<void()> fast,
                   llvm::function_ref<void()> slow) {
  auto body = [](llvm::function_ref<void()> store) {
    return [store](OpBuilder &builder, Location loc) {
      store();
      scf::YieldOp::create(builder, loc);
    };
  };
  scf::IfOp::create(e.builder, e.loc, condition, body(fast), body(slow));
}

AccessPlan StoreLowering::planFor(Emitter e, const WindowTile &target,
                                  const FragmentLayout &layout) const {
  int64_t length = vectorLength(layout, target.facts.contiguousAxis, target.bytes, target.extents);
  return planAccess(e, target.window, target.facts, target.extents, target.bytes, length,
                    layout.numRegs() / length);
}

void StoreLowering::storeOneWay(Emitter e, const WindowTile &target, const FragmentLayout &layout,
                                Value value, AccessWay way) const {
  GlobalMemory memory(e, target.window, target.facts, target.bytes, target.extents,
                      threadCoords(e, state, layout), way.inside, way.split);
  storeRegisters(memory, layout, value, way.length);
}

void StoreLowering::storeAs(Emitter e, const WindowTile &target, const FragmentLayout &layout,
                            Value value) const {
  accessWindow(e, target, layout, threadCoords(e, state, layout), planFor(e, target, layout),
               [&](AccessWay way) {
                 storeOneWay(e, target, layout, value, way);
                 return SmallVector<Value>();
               });
}

void StoreLowering::storeWindow(Emitter e, tile::StoreOp op, Value value,
                                const Window &window) const {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  FragmentLayout layout = layoutOf(type);
  WindowFacts facts = state.facts.lookup(op);
  WindowTile target{window, facts, storageBytes(type.getElementType()), type.getShape()};
  auto exchange =
      QuadExchange::plan(layout, facts.contiguousAxis, type.getElementType(), target.extents);
  if (!exchange || state.pipe.singleThreaded.contains(op))
    return storeAs(e, target, layout, value);
  AccessPlan plan = planFor(e, target, exchange->to);
  if (!plan.hasSlow || plan.slowLength == plan.fastLength)
    return storeAs(e, target, exchange->to, exchange->apply(e, state, value));
  // Only known at run time; the short runs that lanes have anyway need less of the window.
  auto storeLong = [&] {
    storeOneWay(e, target, exchange->to, exchange->apply(e, state, value),
                {plan.fastLength, /*inside=*/true});
  };
  branch(e, plan.fast, storeLong, [&] { storeAs(e, target, layout, value); });
}

void tilec::to_sm::populateStorePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                         KernelState &state) {
  patterns.add<StoreLowering>(types, patterns.getContext(), state);
}
