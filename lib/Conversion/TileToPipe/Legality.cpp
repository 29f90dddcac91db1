//===- Legality.cpp - may this kernel be split into roles? -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan.h"
#include "tilec/Analysis/AddressWork.h"
#include "tilec/Analysis/AxisDivisibility.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static constexpr int64_t kMaxBoxExtent = 256, kMaxTmaRank = 5;

namespace {
/// Builds the plan of one kernel; the first refusal ends it.
class Planner {
public:
  Planner(tile::KernelOp kernel, std::optional<Refusal> &refusal)
      : kernel(kernel), refusal(refusal) {}

  FailureOr<Plan> run();

private:
  LogicalResult refuse(Operation *op, const Twine &reason) {
    refusal = Refusal{op->getLoc(), reason.str()};
    return failure();
  }
  LogicalResult checkStructure();
  LogicalResult checkProducts();
  LogicalResult planCopy(tile::CopyOp copy, CopyPlan &plan, LoopPlan *step);
  LogicalResult planBox(tile::CopyOp copy, CopyPlan &plan);
  LogicalResult checkReaders(CopyPlan &plan);
  LogicalResult checkLimits(tile::WindowOp window);
  LogicalResult checkAddress(Operation *user, Value value, LoopPlan *step);
  LogicalResult planLoop(scf::ForOp loop);
  LogicalResult planOutside(tile::CopyOp copy);
  bool endsWithTensor(tile::WindowOp window, unsigned axis);
  DictionaryAttr param(unsigned number) {
    return cast<DictionaryAttr>(kernel.getLaunch().getAs<ArrayAttr>("params")[number]);
  }

  tile::KernelOp kernel;
  std::optional<Refusal> &refusal;
  Plan plan;
};
} // namespace

/// Everything that `value` is computed from has to be address work; says what is not. What the pipelined
/// loop carries is, if its first value and the next one are: the producer carries it, too.
LogicalResult Planner::checkAddress(Operation *user, Value value, LoopPlan *step) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  llvm::SmallVector<BlockArgument> carried;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || argument == loop.getInductionVar() || llvm::is_contained(carried, argument))
        continue;
      if (!step || loop != step->loop)
        return refuse(user, "an address depends on a value that an inner loop carries");
      carried.push_back(argument);
      worklist.push_back(loop.getTiedLoopInit(argument)->get());
      worklist.push_back(loop.getTiedLoopYieldedValue(argument)->get());
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (!seen.insert(op).second)
      continue;
    if (!isAddressWork(op)) {
      if (auto load = dyn_cast<tile::LoadScalarOp>(op))
        return refuse(op, "the kernel writes the tensor that this index comes from");
      return refuse(user, "an address depends on a result of the computation");
    }
    llvm::append_range(worklist, usedFromOutside(op));
  }
  if (step)
    step->carried.insert(carried.begin(), carried.end());
  return success();
}

LogicalResult Planner::checkProducts() {
  LogicalResult result = success();
  kernel.walk([&](tile::GemmOp gemm) {
    auto layout = dyn_cast_or_null<tile::FragAttr>(gemm.getType().getEncoding());
    if (layout && !layout.getLayout().warp.empty())
      return WalkResult::advance();
    result = refuse(gemm, "this product runs on mma.sync, whose operands all threads read");
    return WalkResult::interrupt();
  });
  return result;
}

/// True if the window's limit along `axis` is where the tensor ends, so that TMA's own bound is the limit.
bool Planner::endsWithTensor(tile::WindowOp window, unsigned axis) {
  if (window.getLimits().empty())
    return true;
  Value limit = window.getLimits()[axis];
  unsigned dim = window.getDims()[axis];
  DictionaryAttr description = param(parameterOf(window.getSource()).getArgNumber());
  auto extent = cast<StringAttr>(description.getAs<ArrayAttr>("extents")[dim]).getValue();
  if (auto name = limit.getDefiningOp<tile::DimOp>())
    return name.getName() == extent;
  APInt constant;
  int64_t known = 0;
  return matchPattern(limit, m_ConstantInt(&constant)) && !extent.getAsInteger(10, known) &&
         constant.getSExtValue() >= known;
}

LogicalResult Planner::checkLimits(tile::WindowOp window) {
  for (unsigned axis = 0; axis < window.getDims().size(); ++axis)
    if (!endsWithTensor(window, axis))
      return refuse(window, "the limit of axis " + Twine(axis) +
                                " of this window is not where the tensor ends");
  return success();
}

/// TMA loads one swizzle slab at a time.
LogicalResult Planner::planBox(tile::CopyOp copy, CopyPlan &result) {
  tile::WindowOp window = result.window;
  ArrayRef<int64_t> dims = window.getDims();
  size_t rank = window.getSource().getType().getShape().size();
  if (rank > kMaxTmaRank)
    return refuse(copy, "the tensor has " + Twine(rank) + " dimensions, TMA reaches 5");
  if (!llvm::is_sorted(dims) || dims.back() != static_cast<int64_t>(rank) - 1)
    return refuse(copy, "the window's last axis is not the tensor's last dimension, or its axes are "
                        "in another order");
  SharedLayout layout = result.tile.getType().getLayout();
  // Measured: a load whose innermost coordinate is not a multiple of 16 bytes ends the kernel.
  int64_t first = Divisibility(kernel).of(window.getOffsets()[rank - 1]) * layout.elementBytes;
  if (first % 16 != 0)
    return refuse(copy, "where rows of this window start is not known to be a multiple of 16 bytes");
  if (!layout.matchesTma())
    return refuse(copy, "the shared tile's layout is not one that TMA writes");
  result.box.assign(rank, 1);
  for (auto [axis, dim] : llvm::enumerate(dims))
    result.box[dim] = window.getType().getShape()[axis];
  if (layout.swizzle)
    result.box[rank - 1] = layout.swizzle / layout.elementBytes;
  for (int64_t extent : result.box)
    if (extent > kMaxBoxExtent)
      return refuse(copy, "an axis of " + Twine(extent) + " elements is longer than a TMA box (256)");
  return success();
}

/// The tile has to live from this copy to its readers, in one block, and nobody else may write it.
LogicalResult Planner::checkReaders(CopyPlan &result) {
  Operation *alloc = result.tile;
  if (alloc->getBlock() != result.copy->getBlock())
    return refuse(result.copy, "the shared tile is allocated outside of the loop that fills it");
  for (Operation *user : alloc->getUsers()) {
    if (user == result.copy)
      continue;
    if (isa<tile::SliceOp>(user))
      return refuse(user, "a part of the shared tile is used by itself");
    if (!isa<tile::GemmOp, tile::LoadOp>(user)) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      bool writes = effects && effects.getEffectOnValue<MemoryEffects::Write>(alloc->getResult(0)).has_value();
      return refuse(user, writes ? "the shared tile has a second writer"
                                 : "the shared tile is read otherwise than by a product or as a whole");
    }
    Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || ancestor->isBeforeInBlock(result.copy))
      return refuse(user, "the shared tile is read before it is filled");
    // A product under a condition does not tie the warps of a warpgroup on every path: each warp
    // then releases the slot for itself, or a slow one would find its phase passed by.
    result.threadReaders |= isa<tile::LoadOp>(user) || user->getBlock() != alloc->getBlock();
  }
  return success();
}

/// `step`: the loop's plan, or null outside of loops.
LogicalResult Planner::planCopy(tile::CopyOp copy, CopyPlan &result, LoopPlan *step) {
  result.copy = copy;
  result.window = copy.getSource().getDefiningOp<tile::WindowOp>();
  result.tile = copy.getTarget().getDefiningOp<tile::AllocSharedOp>();
  if (copy.getTarget().getDefiningOp<tile::SliceOp>())
    return refuse(copy, "the copy fills a part of a shared tile, TMA whole ones");
  if (!result.window || !result.tile || !parameterOf(result.window.getSource()))
    return refuse(copy, "the copy is not from a window of a parameter into a tile of its own");
  result.param = parameterOf(result.window.getSource()).getArgNumber();
  if (isWritten(result.window.getSource()))
    return refuse(copy, "the kernel writes the tensor that this copy reads");
  if (copy.getPad() && !matchPattern(*copy.getPad(), m_AnyZeroFloat()) &&
      !matchPattern(*copy.getPad(), m_Zero()))
    return refuse(copy, "TMA pads with 0 only");
  if (!param(result.param).contains("aligned"))
    return refuse(copy, "rows of the tensor are not known to be multiples of 16 bytes");
  if (failed(planBox(copy, result)) || failed(checkLimits(result.window)) ||
      failed(checkReaders(result)))
    return failure();
  return checkAddress(copy, result.window, step);
}

LogicalResult Planner::planLoop(scf::ForOp loop) {
  LoopPlan step;
  step.loop = loop;
  step.stages = loop->getAttrOfType<tile::PipelineAttr>(tile::TileDialect::pipelineAttrName).getStages();
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (failed(checkAddress(loop, bound, nullptr)))
      return failure();
  WalkResult gathers = loop.walk([&](tile::GatherCopyOp copy) {
    (void)refuse(copy, "the loop copies rows at an index tile, which TMA cannot do");
    return WalkResult::interrupt();
  });
  if (gathers.wasInterrupted())
    return failure();
  WalkResult result = loop.walk([&](tile::CopyOp copy) {
    if (!isa<tile::WindowType>(copy.getSource().getType()))
      return WalkResult::advance();
    if (copy->getParentOp() != loop) {
      (void)refuse(copy, "the copy stands under a condition or in an inner loop");
      return WalkResult::interrupt();
    }
    return failed(planCopy(copy, step.copies.emplace_back(), &step)) ? WalkResult::interrupt()
                                                              : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (step.copies.empty())
    return refuse(loop, "the loop copies nothing into shared memory");
  plan.steps.push_back(std::move(step));
  return success();
}

LogicalResult Planner::planOutside(tile::CopyOp copy) {
  LoopPlan step;
  if (failed(planCopy(copy, step.copies.emplace_back(), nullptr)))
    return failure();
  plan.steps.push_back(std::move(step));
  return success();
}

LogicalResult Planner::checkStructure() {
  LogicalResult result = success();
  kernel.walk([&](Operation *op) {
    if (isa<tile::PrintOp, tile::CheckOp>(op))
      result = refuse(op, "printing and checking are for all threads of a CTA");
    else if (isa<tile::AtomicOp, tile::AtomicScalarOp, tile::FenceOp>(op))
      result = refuse(op, "atomic operations and fences are for all threads of a CTA");
    else if (isa<tile::ScanOp>(op))
      result = refuse(op, "a scan takes all threads of a CTA");
    else if (op->hasAttr(tile::TileDialect::pipelineAttrName) && op->getParentOp() != kernel)
      result = refuse(op, "the pipelined loop stands in another loop or under a condition");
    return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result;
}

FailureOr<Plan> Planner::run() {
  if (failed(checkStructure()) || failed(checkProducts()))
    return failure();
  for (Operation &op : kernel.getBody().front()) {
    auto usable = [&](Value operand) {
      Operation *definition = operand.getDefiningOp();
      return !definition || plan.common.contains(definition);
    };
    if (isAddressWork(&op) && llvm::all_of(usedFromOutside(&op), usable))
      plan.common.insert(&op);
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop && loop->hasAttr(tile::TileDialect::pipelineAttrName) && failed(planLoop(loop)))
      return failure();
    auto copy = dyn_cast<tile::CopyOp>(op);
    if (copy && isa<tile::WindowType>(copy.getSource().getType()) && failed(planOutside(copy)))
      return failure();
  }
  return std::move(plan);
}

FailureOr<Plan> to_pipe::planRoles(tile::KernelOp kernel, std::optional<Refusal> &refusal) {
  return Planner(kernel, refusal).run();
}
