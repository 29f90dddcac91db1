//===- OptimizeConversions.cpp - fold, hoist, merge layout conversions ----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-optimize-conversions"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_OPTIMIZECONVERSIONSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;
using tile::ConvertLayoutOp;

namespace {
/// Operations of a chain that is recomputed rather than converted.
constexpr unsigned longestChain = 8;

struct OptimizeConversions : tilec::impl::OptimizeConversionsPassBase<OptimizeConversions> {
  void runOnOperation() override;

  void fold();
  void hoist();
  void merge();
  void report();
  SmallVector<ConvertLayoutOp> collect();
};
} // namespace

/// True if `value` can be made again in any layout from scalars with at most `budget` operations.
static bool isRecomputable(Value value, unsigned &budget) {
  Operation *op = value.getDefiningOp();
  if (isFreeInAnyLayout(op))
    return true;
  if (!op || budget == 0 || op->getNumResults() != 1 || op->getNumRegions() != 0 ||
      !op->hasTrait<OpTrait::Elementwise>() || !isMemoryEffectFree(op))
    return false;
  --budget;
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isa<RankedTensorType>(operand.getType()) || isRecomputable(operand, budget);
  });
}

/// `value` made again in `layout`, in front of `builder`'s position.
static Value recompute(OpBuilder &builder, Value value, tile::FragAttr layout) {
  if (!isa<RankedTensorType>(value.getType()))
    return value;
  IRMapping mapping;
  Operation *op = value.getDefiningOp();
  for (Value operand : op->getOperands())
    mapping.map(operand, recompute(builder, operand, layout));
  Operation *copy = builder.clone(*op, mapping);
  copy->getResult(0).setType(withLayout(value.getType(), layout));
  if (auto constant = dyn_cast<arith::ConstantOp>(copy))
    setConstantType(constant);
  return copy->getResult(0);
}

/// True for a conversion from fewer bits, which is cheaper to move before it.
static bool isWidening(Operation *op) {
  auto bits = [](Value value) {
    return getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth();
  };
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp, arith::ExtUIOp>(op) ||
         (isa_and_nonnull<tile::CastOp>(op) && bits(op->getOperand(0)) < bits(op->getResult(0)));
}

/// The cheaper value that `convert` can be replaced with, or null.
static Value foldConversion(ConvertLayoutOp convert) {
  Value source = convert.getSource();
  if (source.getType() == convert.getType())
    return source;
  OpBuilder builder(convert);
  tile::FragAttr layout = layoutOf(convert.getResult());
  unsigned budget = longestChain;
  if (isRecomputable(source, budget))
    return recompute(builder, source, layout);
  Operation *producer = source.getDefiningOp();
  if (auto inner = dyn_cast_or_null<ConvertLayoutOp>(producer))
    return ConvertLayoutOp::create(builder, convert.getLoc(), convert.getType(), inner.getSource());
  if (isWidening(producer)) {
    Value narrow = producer->getOperand(0);
    IRMapping mapping;
    mapping.map(narrow, ConvertLayoutOp::create(builder, convert.getLoc(),
                                                withLayout(narrow.getType(), layout), narrow));
    Operation *widened = builder.clone(*producer, mapping);
    widened->getResult(0).setType(convert.getType());
    return widened->getResult(0);
  }
  return {};
}

void OptimizeConversions::runOnOperation() {
  fold();
  hoist();
  merge();
  report();
}

SmallVector<ConvertLayoutOp> OptimizeConversions::collect() {
  SmallVector<ConvertLayoutOp> conversions;
  getOperation().walk([&](ConvertLayoutOp convert) { conversions.push_back(convert); });
  return conversions;
}

void OptimizeConversions::fold() {
  for (bool changed = true; changed;) {
    changed = false;
    for (ConvertLayoutOp convert : collect()) {
      Value cheaper = foldConversion(convert);
      if (!cheaper)
        continue;
      Operation *source = convert.getSource().getDefiningOp();
      convert.replaceAllUsesWith(cheaper);
      convert.erase();
      if (source && isOpTriviallyDead(source))
        source->erase();
      ++folded;
      changed = true;
      break; // the list may hold what was erased
    }
  }
}

/// Moves conversions of values from outside a loop in front of it.
void OptimizeConversions::hoist() {
  for (ConvertLayoutOp convert : collect())
    while (auto loop = convert->getParentOfType<LoopLikeOpInterface>()) {
      if (!loop.isDefinedOutsideOfLoop(convert.getSource()) ||
          loop->getParentOfType<tile::KernelOp>() != getOperation())
        break;
      convert->moveBefore(loop);
      ++hoisted;
    }
}

void OptimizeConversions::merge() {
  DominanceInfo dominance(getOperation());
  llvm::MapVector<std::pair<Value, Type>, SmallVector<ConvertLayoutOp>> seen;
  for (ConvertLayoutOp convert : collect()) {
    auto &earlier = seen[{convert.getSource(), convert.getType()}];
    auto equal = llvm::find_if(earlier, [&](ConvertLayoutOp other) {
      return dominance.properlyDominates(other.getOperation(), convert.getOperation());
    });
    if (equal == earlier.end()) {
      earlier.push_back(convert);
      continue;
    }
    convert.replaceAllUsesWith(equal->getResult());
    convert.erase();
    ++merged;
  }
}

static StringRef nameOf(ConversionKind kind) {
  switch (kind) {
  case ConversionKind::None:
    return "nothing to move";
  case ConversionKind::RegisterPermutation:
    return "registers renamed";
  case ConversionKind::QuadShuffle:
    return "quad shuffles";
  case ConversionKind::WarpShuffle:
    return "through shared memory within warps";
  case ConversionKind::Shared:
    return "through shared memory";
  }
  llvm_unreachable("unknown conversion kind");
}

void OptimizeConversions::report() {
  for (ConvertLayoutOp convert : collect()) {
    RankedTensorType type = convert.getType();
    int64_t bits = type.getElementType().getIntOrFloatBitWidth();
    int64_t bytes = type.getNumElements() * std::max<int64_t>(bits, 8) / 8;
    unsigned depth = 0;
    for (Operation *parent = convert; (parent = parent->getParentOp());)
      depth += isa<LoopLikeOpInterface>(parent);
    ConversionKind kind =
        planConversion(layoutOf(convert.getSource()).getLayout(),
                       layoutOf(convert.getResult()).getLayout(), type.getShape());
    remark::analysis(convert.getLoc(), remark::RemarkOpts::name("conversion").category("layout"))
        << llvm::formatv("layout conversion of {0} bytes, {1}, loop depth {2}", bytes, nameOf(kind),
                         depth)
               .str();
  }
}
