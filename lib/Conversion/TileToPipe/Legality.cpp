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

/// Measured on an H200, a product of picked rows: scheduled 0.54 of the simple path with 2
/// stages, 1.01 with 4.
static constexpr int64_t kRowStages = 4;
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
  LogicalResult checkTiles(LoopPlan &step);
  LogicalResult checkReaders(MutableArrayRef<CopyPlan> copies);
  LogicalResult checkLimits(tile::WindowOp window);
  LogicalResult checkAddress(Operation *user, Value value, LoopPlan *step);
  LogicalResult planGather(tile::GatherCopyOp gather, CopyPlan &plan, LoopPlan *step);
  LogicalResult checkRowStages(const LoopPlan &step);
  LogicalResult planLoop(scf::ForOp loop);
  LogicalResult planOutside(tile::CopyOp copy);
  bool endsWithTensor(tile::WindowOp window, unsigned axis);
  bool isDescribed(unsigned number) {
    auto params = kernel.getLaunch() ? kernel.getLaunch().getAs<ArrayAttr>("params") : ArrayAttr();
    return params && number < params.size();
  }
  DictionaryAttr param(unsigned number) {
    return cast<DictionaryAttr>(kernel.getLaunch().getAs<ArrayAttr>("params")[number]);
  }

  tile::KernelOp kernel;
  std::optional<Refusal> &refusal;
  Plan plan;
};
} // namespace

/// Everything that `value` is computed from has to be address work; says what is not. What the
/// pipelined loop carries is, if its first value and the next one are: the producer carries it,
/// too.
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

/// True if the window's limit along `axis` is where the tensor ends, so that TMA's own bound is the
/// limit.
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
    return refuse(copy,
                  "the window's last axis is not the tensor's last dimension, or its axes are "
                  "in another order");
  SharedLayout layout = result.tile.getType().getLayout();
  // Measured: a load whose innermost coordinate is not a multiple of 16 bytes ends the kernel.
  int64_t first = Divisibility(kernel).of(window.getOffsets()[rank - 1]) * layout.elementBytes;
  if (first % 16 != 0)
    return refuse(copy,
                  "where rows of this window start is not known to be a multiple of 16 bytes");
  if (!layout.matchesTma())
    return refuse(copy, "the shared tile's layout is not one that TMA writes");
  result.box.assign(rank, 1);
  for (auto [axis, dim] : llvm::enumerate(dims))
    result.box[dim] = window.getType().getShape()[axis];
  if (layout.swizzle)
    result.box[rank - 1] = layout.swizzle / layout.elementBytes;
  for (int64_t extent : result.box)
    if (extent > kMaxBoxExtent)
      return refuse(copy,
                    "an axis of " + Twine(extent) + " elements is longer than a TMA box (256)");
  return success();
}

/// True if it is a part of a tile that only these copies use.
static bool onlyFilled(Operation *op, const llvm::SmallPtrSetImpl<Operation *> &fills) {
  return isa<tile::SliceOp>(op) && llvm::all_of(op->getUsers(), [&](Operation *user) {
           return fills.contains(user) || onlyFilled(user, fills);
         });
}

/// Each tile is filled once, and read afterwards.
LogicalResult Planner::checkTiles(LoopPlan &step) {
  groupByTile(step.copies);
  for (size_t i = 0; i < step.copies.size(); ++i) {
    if (!step.copies[i].opens)
      continue;
    MutableArrayRef<CopyPlan> copies = copiesOfTile(step.copies, i);
    if (std::string problem = fillProblem(copies.front().tile, copies); !problem.empty())
      return refuse(copies.front().tile, problem);
    if (failed(checkReaders(copies)))
      return failure();
  }
  return success();
}

/// The tile has to live from these copies to its readers, in one block, and nobody else may write
/// it.
LogicalResult Planner::checkReaders(MutableArrayRef<CopyPlan> copies) {
  Operation *alloc = copies.front().tile, *lastCopy = copies.front().op();
  llvm::SmallPtrSet<Operation *, 8> fills;
  bool threadReaders = false;
  for (CopyPlan &copy : copies) {
    if (alloc->getBlock() != copy.op()->getBlock())
      return refuse(copy.op(), "the shared tile is allocated outside of the loop that fills it");
    fills.insert(copy.op());
    if (lastCopy->isBeforeInBlock(copy.op()))
      lastCopy = copy.op();
  }
  for (Operation *user : alloc->getUsers()) {
    if (fills.contains(user) || onlyFilled(user, fills))
      continue;
    if (isa<tile::SliceOp>(user))
      return refuse(user, "a part of the shared tile is used by itself");
    if (!isa<tile::GemmOp, tile::LoadOp>(user)) {
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      bool writes = effects &&
                    effects.getEffectOnValue<MemoryEffects::Write>(alloc->getResult(0)).has_value();
      return refuse(user,
                    writes ? "the shared tile has a second writer"
                           : "the shared tile is read otherwise than by a product or as a whole");
    }
    Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor || ancestor->isBeforeInBlock(lastCopy))
      return refuse(user, "the shared tile is read before it is filled");
    // A product under a condition does not tie the warps of a warpgroup on every path: each warp
    // then releases the slot for itself, or a slow one would find its phase passed by.
    threadReaders |= isa<tile::LoadOp>(user) || user->getBlock() != alloc->getBlock();
  }
  for (CopyPlan &copy : copies)
    copy.threadReaders = threadReaders;
  return success();
}

/// `step`: the loop's plan, or null outside of loops.
LogicalResult Planner::planCopy(tile::CopyOp copy, CopyPlan &result, LoopPlan *step) {
  result.copy = copy;
  result.window = copy.getSource().getDefiningOp<tile::WindowOp>();
  result.tile = filledTile(copy.getTarget());
  if (!result.window || !result.tile || !parameterOf(result.window.getSource()))
    return refuse(copy, "the copy is not from a window of a parameter into a tile of its own");
  result.param = parameterOf(result.window.getSource()).getArgNumber();
  if (isWritten(result.window.getSource()))
    return refuse(copy, "the kernel writes the tensor that this copy reads");
  if (copy.getPad() && !matchPattern(*copy.getPad(), m_AnyZeroFloat()) &&
      !matchPattern(*copy.getPad(), m_Zero()))
    return refuse(copy, "TMA pads with 0 only");
  if (!isDescribed(result.param))
    return refuse(copy, "'tile.launch' does not say what is known of the tensor");
  if (!param(result.param).contains("aligned"))
    return refuse(copy, "rows of the tensor are not known to be multiples of 16 bytes");
  std::string reason;
  std::optional<TilePart> part = filledPart(copy.getTarget(), reason);
  if (!part)
    return refuse(copy, reason);
  result.part = *part;
  if (failed(planBox(copy, result)) || failed(checkLimits(result.window))) {
    if (!step || !rowsProblem(copy).empty())
      return failure();
    refusal.reset(); // the producer's threads can
    result.asRows = true;
  }
  return checkAddress(copy, result.window, step);
}

LogicalResult Planner::planGather(tile::GatherCopyOp gather, CopyPlan &result, LoopPlan *step) {
  result.gather = gather;
  result.window = gather.getSource().getDefiningOp<tile::WindowOp>();
  result.tile = gather.getTarget().getDefiningOp<tile::AllocSharedOp>();
  if (!result.tile)
    return refuse(gather, "the copy fills a part of a shared tile, the producer whole ones");
  SharedLayout layout = result.tile.getType().getLayout();
  result.part = {0, layout.rows(), 0, layout.shape.back()};
  if (std::string problem = gatherProblem(gather); !problem.empty())
    return refuse(gather, problem);
  FragmentSources sources = sourcesOf(fragmentsOf(gather));
  if (sources.problem)
    return refuse(sources.problem, sources.reason);
  for (Value scalar : sources.scalars)
    if (failed(checkAddress(gather, scalar, step)))
      return failure();
  return checkAddress(gather, result.window, step);
}

/// True if products only add up what the copies bring: nothing covers the time until rows are
/// there.
static bool onlyAccumulates(scf::ForOp loop) {
  return llvm::all_of(loop.getOps<tile::GemmOp>(), [](tile::GemmOp gemm) {
    return llvm::all_of(gemm->getUsers(), llvm::IsaPred<scf::YieldOp, tile::GemmOp>);
  });
}

LogicalResult Planner::checkRowStages(const LoopPlan &step) {
  bool copiesRows =
      llvm::any_of(step.copies, [](const CopyPlan &copy) { return copy.asRows || copy.gather; });
  if (!copiesRows || step.stages >= kRowStages || !onlyAccumulates(step.loop))
    return success();
  return refuse(
      step.loop,
      "threads copy rows for products that nothing else covers, which is slower than the simple "
      "path with " +
          Twine(step.stages) + " stages; give it " + Twine(kRowStages));
}

LogicalResult Planner::planLoop(scf::ForOp loop) {
  LoopPlan step;
  step.loop = loop;
  step.stages =
      loop->getAttrOfType<tile::PipelineAttr>(tile::TileDialect::pipelineAttrName).getStages();
  for (Value bound : {loop.getLowerBound(), loop.getUpperBound(), loop.getStep()})
    if (failed(checkAddress(loop, bound, nullptr)))
      return failure();
  WalkResult result = loop.walk([&](Operation *op) {
    auto copy = dyn_cast<tile::CopyOp>(op);
    auto gather = dyn_cast<tile::GatherCopyOp>(op);
    if (!gather && !(copy && isa<tile::WindowType>(copy.getSource().getType())))
      return WalkResult::advance();
    if (op->getParentOp() != loop) {
      (void)refuse(op, "the copy stands under a condition or in an inner loop");
      return WalkResult::interrupt();
    }
    CopyPlan &mine = step.copies.emplace_back();
    bool refused =
        gather ? failed(planGather(gather, mine, &step)) : failed(planCopy(copy, mine, &step));
    return refused ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  if (step.copies.empty())
    return refuse(loop, "the loop copies nothing into shared memory");
  if (failed(checkTiles(step)) || failed(checkRowStages(step)))
    return failure();
  plan.steps.push_back(std::move(step));
  return success();
}

/// Copies into one tile are one step.
LogicalResult Planner::planOutside(tile::CopyOp copy) {
  tile::AllocSharedOp tile = filledTile(copy.getTarget());
  auto *step = llvm::find_if(plan.steps, [&](LoopPlan &other) {
    return !other.loop && other.copies.front().tile == tile;
  });
  if (step == plan.steps.end()) {
    plan.steps.emplace_back();
    step = std::prev(plan.steps.end());
  }
  return planCopy(copy, step->copies.emplace_back(), nullptr);
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
  for (LoopPlan &step : plan.steps)
    if (!step.loop && failed(checkTiles(step)))
      return failure();
  return std::move(plan);
}

FailureOr<Plan> to_pipe::planRoles(tile::KernelOp kernel, std::optional<Refusal> &refusal) {
  return Planner(kernel, refusal).run();
}
