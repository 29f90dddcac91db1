//===- DeferReductions.cpp - complete sums behind their loop --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LayoutUtils.h"
#include "mlir/IR/Matchers.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-defer-reductions"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_DEFERREDUCTIONSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// A carried value that a loop only accumulates: number `index` of its results.
struct Accumulation {
  scf::ForOp loop;
  unsigned index;
  Operation *combine;  // what is carried, or its decayed value, with the reduction
  arith::MulFOp decay; // null if there is none
  tile::ReduceOp reduce;
};

struct DeferReductions : tilec::impl::DeferReductionsPassBase<DeferReductions> {
  void runOnOperation() override;

  void defer(const Accumulation &accumulation);
};
} // namespace

/// The reduction whose partial results `op` may combine, if it is such an operation.
static std::optional<tile::ReduceKind> kindOf(Operation *op) {
  return TypeSwitch<Operation *, std::optional<tile::ReduceKind>>(op)
      .Case([](arith::AddFOp) { return tile::ReduceKind::Sum; })
      .Case([](arith::MaxNumFOp) { return tile::ReduceKind::Max; })
      .Case([](arith::MinNumFOp) { return tile::ReduceKind::Min; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The operand of a binary operation that is not `operand`.
static Value otherOperand(Operation *op, Value operand) {
  return op->getOperand(op->getOperand(0) == operand ? 1 : 0);
}

/// True if lanes or warps hold parts of the reduced axis: there is something to defer.
static bool crossesThreads(tile::ReduceOp reduce) {
  tile::FragAttr attribute = layoutOf(reduce.getSource());
  if (!attribute)
    return false;
  FragmentLayout layout = attribute.getLayout();
  int axis = static_cast<int>(reduce.getAxis());
  return !layout.laneBitsAlong(axis).empty() || layout.warpsSplit(axis);
}

/// The accumulation into result number `index` of `loop`, if it is one.
static std::optional<Accumulation> match(scf::ForOp loop, unsigned index) {
  Value carried = loop.getRegionIterArg(index);
  if (!isa<RankedTensorType>(carried.getType()) || !carried.hasOneUse())
    return std::nullopt;
  Accumulation found{loop, index, *carried.user_begin(), {}, {}};
  if (auto decay = dyn_cast<arith::MulFOp>(found.combine); decay && decay->hasOneUse()) {
    found.decay = decay;
    found.combine = *decay->user_begin();
    carried = decay;
  }
  std::optional<tile::ReduceKind> kind = kindOf(found.combine);
  if (!kind || !found.combine->hasOneUse() || found.combine->getBlock() != loop.getBody() ||
      loop.getYieldedValues()[index] != found.combine->getResult(0))
    return std::nullopt;
  found.reduce = otherOperand(found.combine, carried).getDefiningOp<tile::ReduceOp>();
  if (!found.reduce || found.reduce.getKind() != *kind || found.reduce.getPartial() ||
      !found.reduce->hasOneUse() || !crossesThreads(found.reduce))
    return std::nullopt;
  bool sum = *kind == tile::ReduceKind::Sum;
  bool startsWithZero = matchPattern(loop.getInitArgs()[index], m_AnyZeroFloat());
  if (sum ? !startsWithZero : found.decay != nullptr)
    return std::nullopt;
  return found;
}

/// `row` in each part of a row.
static Value spread(OpBuilder &builder, Location loc, Value row, RankedTensorType type) {
  SmallVector<int64_t> dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank() - 1));
  return tile::BroadcastOp::create(builder, loc, type, row, dims);
}

void DeferReductions::runOnOperation() {
  SmallVector<Accumulation> accumulations;
  getOperation().walk([&](scf::ForOp loop) {
    for (unsigned index = 0; index < loop.getNumResults(); ++index)
      if (std::optional<Accumulation> found = match(loop, index))
        accumulations.push_back(*found);
  });
  for (const Accumulation &accumulation : accumulations)
    defer(accumulation);
  deferred += accumulations.size();
}

void DeferReductions::defer(const Accumulation &accumulation) {
  auto [loop, index, combine, decay, reduce] = accumulation;
  auto [layout, count] = partialLayout(layoutOf(reduce.getSource()).getLayout(),
                                       static_cast<int>(reduce.getAxis()), /*perThread=*/true);
  auto rowType = cast<RankedTensorType>(reduce.getType());
  SmallVector<int64_t> shape(rowType.getShape());
  shape.push_back(count);
  auto type = RankedTensorType::get(shape, rowType.getElementType(),
                                    tile::FragAttr::get(&getContext(), layout));

  OpBuilder builder(loop);
  OpOperand &start = loop.getInitArgsMutable()[index];
  if (reduce.getKind() == tile::ReduceKind::Sum)
    start.set(arith::ConstantOp::create(builder, loop.getLoc(), builder.getZeroAttr(type)));
  else
    start.set(spread(builder, loop.getLoc(), start.get(), type));

  BlockArgument carried = loop.getRegionIterArg(index);
  carried.setType(type);
  if (decay) {
    builder.setInsertionPoint(decay);
    unsigned factor = decay.getLhs() == carried ? 1 : 0;
    decay->setOperand(factor, spread(builder, decay.getLoc(), decay->getOperand(factor), type));
    decay.getResult().setType(type);
  }
  reduce.setPartial(true);
  reduce.getResult().setType(type);
  combine->getResult(0).setType(type);

  Value result = loop.getResult(index);
  result.setType(type);
  builder.setInsertionPointAfter(loop);
  auto complete = tile::ReduceOp::create(builder, reduce.getLoc(), rowType, reduce.getKind(),
                                         result, type.getRank() - 1, /*partial=*/false);
  result.replaceAllUsesExcept(complete.getResult(), complete);
}
