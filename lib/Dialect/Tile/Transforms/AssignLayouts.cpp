//===- AssignLayouts.cpp - layouts of all fragments and shared tiles ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CheckSlices.h"
#include "LayoutGraph.h"
#include "LayoutUtils.h"
#include "tilec/Analysis/SharedAccess.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-assign-layouts"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_ASSIGNLAYOUTSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// Of one CTA: 1024 threads.
constexpr int64_t mostWarps = 32;

/// A use that needs another layout than its value has.
struct Mismatch {
  OpOperand *operand;
  tile::FragAttr wanted;
};

struct AssignLayouts : tilec::impl::AssignLayoutsPassBase<AssignLayouts> {
  using Base::Base;

  void runOnOperation() override;

  int64_t requestedWarps();
  LogicalResult checkInput();
  SmallVector<Mismatch> findMismatches(LayoutGraph &graph);
  void setTypes(LayoutGraph &graph);
  void repair(ArrayRef<Mismatch> mismatches);
  void setSwizzles(const WarpPlan &plan);
};
} // namespace

void AssignLayouts::runOnOperation() {
  if (failed(checkInput()))
    return signalPassFailure();
  FailureOr<WarpPlan> plan = planWarps(getOperation(), requestedWarps());
  if (failed(plan) || failed(checkSlices(getOperation(), *plan)))
    return signalPassFailure();
  getOperation()->setAttr(tile::TileDialect::numWarpsAttrName,
                          Builder(&getContext()).getI64IntegerAttr(plan->numWarps));
  LayoutGraph graph(getOperation(), *plan);
  SmallVector<Mismatch> mismatches = findMismatches(graph);
  setTypes(graph);
  repair(mismatches);
  setSwizzles(*plan);
}

/// What the author wrote, or the option; 0 leaves the choice to the plan.
int64_t AssignLayouts::requestedWarps() {
  auto authors = getOperation()->getAttrOfType<IntegerAttr>(tile::TileDialect::numWarpsAttrName);
  return authors ? authors.getInt() : numWarps.getValue();
}

static bool hasLayout(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  });
}

LogicalResult AssignLayouts::checkInput() {
  int64_t warps = requestedWarps();
  if (warps < 0 || warps > mostWarps)
    return getOperation().emitOpError("expected 1 to ") << mostWarps << " warps, found " << warps;
  WalkResult layouts = getOperation().walk([](Operation *op) {
    return hasLayout(op) ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (layouts.wasInterrupted())
    return getOperation().emitOpError("already has layouts; expected fragments without");
  WalkResult result = getOperation().walk([](Operation *op) {
    bool carriesFragments = op->getNumRegions() != 0 &&
                            llvm::any_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
    if (!carriesFragments || isa<scf::ForOp, scf::WhileOp, scf::IfOp>(op))
      return WalkResult::advance();
    op->emitOpError("cannot carry fragments; expected scf.for, scf.while or scf.if");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

SmallVector<Mismatch> AssignLayouts::findMismatches(LayoutGraph &graph) {
  SmallVector<Mismatch> mismatches;
  getOperation().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isa<RankedTensorType>(operand.get().getType()))
        continue;
      const FragmentLayout &wanted = graph.layoutAt(operand);
      if (wanted != graph.layoutOf(operand.get()))
        mismatches.push_back({&operand, tile::FragAttr::get(&getContext(), wanted)});
    }
  });
  return mismatches;
}

void AssignLayouts::setTypes(LayoutGraph &graph) {
  auto set = [&](Value value) {
    if (isa<RankedTensorType>(value.getType()))
      value.setType(
          withLayout(value.getType(), tile::FragAttr::get(&getContext(), graph.layoutOf(value))));
  };
  getOperation().walk([&](Operation *op) {
    llvm::for_each(op->getResults(), set);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), set);
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      setConstantType(constant);
  });
}

/// Gives each mismatched use a copy of its value in the wanted layout: a second constant, position
/// or broadcast scalar if it is one, otherwise a conversion.
void AssignLayouts::repair(ArrayRef<Mismatch> mismatches) {
  DenseMap<std::pair<Value, Attribute>, Value> copies;
  SetVector<Operation *> copied;
  for (auto [operand, wanted] : mismatches) {
    Value value = operand->get();
    RankedTensorType type = withLayout(value.getType(), wanted);
    if (Operation *source = value.getDefiningOp(); isFreeInAnyLayout(source)) {
      Value &copy = copies[{value, wanted}];
      if (!copy)
        copy = cloneInLayout(source, type);
      operand->set(copy);
      copied.insert(source);
      continue;
    }
    OpBuilder builder(operand->getOwner());
    operand->set(tile::ConvertLayoutOp::create(builder, value.getLoc(), type, value));
    ++conversions;
  }
  for (Operation *source : copied)
    if (source->use_empty())
      source->erase();
}

void AssignLayouts::setSwizzles(const WarpPlan &plan) {
  DenseMap<Operation *, int64_t> widest;
  for (const auto &[op, gemmPlan] : plan.gemms) {
    auto limit = [&](Value handle, int64_t bytes) {
      if (tile::AllocSharedOp alloc = sharedAllocation(handle)) {
        auto entry = widest.try_emplace(alloc, bytes).first;
        entry->second = std::min(entry->second, bytes);
      }
    };
    auto gemm = cast<tile::GemmOp>(op);
    limit(gemm.getA(), gemmPlan.maxSwizzleA);
    limit(gemm.getB(), gemmPlan.maxSwizzleB);
  }
  getOperation().walk([&](tile::AllocSharedOp alloc) {
    auto limit = widest.find(alloc);
    alloc.getResult().setType(
        withSwizzle(alloc.getType(), limit == widest.end() ? 128 : limit->second));
  });
  getOperation().walk<WalkOrder::PreOrder>([](tile::SliceOp slice) {
    tile::SharedType part = slice.getType();
    slice.getResult().setType(tile::SharedType::get(part.getContext(), part.getShape(),
                                                    part.getElementType(),
                                                    slice.getSource().getType().getSwizzle()));
  });
}
