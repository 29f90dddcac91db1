//===- InsertBarriersAndFences.cpp - order accesses of different threads --===//
// SPDX-License-Identifier: Apache-2.0
//
// A forward walk carries the accesses that no barrier orders yet. Loops are walked until the state
// at their start is stable; what an operation needs in front of it is what the last visit said.
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedAccess.h"
#include "tilec/Analysis/WindowMotion.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Transforms/RegionUtils.h"

#define DEBUG_TYPE "tile-insert-barriers-and-fences"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_INSERTBARRIERSANDFENCESPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// An access that later conflicting ones must wait for.
struct Unordered {
  Access access;
  /// Of an asynchronous copy or a product in flight: the least number of others started after it,
  /// on any path.
  int64_t younger = 0;
  /// A `pipe.mma` may still read.
  bool inFlight = false;
  /// Its window may by now show another, overlapping part of the tensor.
  bool windowMoved = false;

  bool isAsync() const { return access.kind == AccessKind::AsyncCopy; }
};

/// Accesses since the last barrier that orders them, by operation and number of the access.
class State {
public:
  using Key = std::pair<Operation *, unsigned>;

  /// True if `other` added anything.
  bool join(const State &other) {
    bool changed = false;
    for (const auto &[key, entry] : other.entries) {
      auto [known, isNew] = entries.insert({key, entry});
      changed |= isNew || entry.younger < known->second.younger ||
                 (entry.windowMoved && !known->second.windowMoved) ||
                 (entry.inFlight && !known->second.inFlight);
      known->second.inFlight |= entry.inFlight;
      known->second.younger = std::min(known->second.younger, entry.younger);
      known->second.windowMoved |= entry.windowMoved;
    }
    return changed;
  }

  llvm::MapVector<Key, Unordered> entries;
};

/// What stands in front of an operation.
struct Ordering {
  std::optional<int64_t> pendingCopies; // of a wait for asynchronous copies
  bool fence = false;
};

struct InsertBarriersAndFences
    : tilec::impl::InsertBarriersAndFencesPassBase<InsertBarriersAndFences> {
  void runOnOperation() override;

  LogicalResult checkAllocated();
  void findWgmmaOperands();
  void visit(Block &block, State &state);
  void visit(Operation *op, State &state);
  void visitLoop(Operation *loop, State &state);
  void settleLoop(Operation *loop, State &state);
  SmallVector<Operation *> orderedIn(Operation *loop) const;
  void visitBranch(Operation *branch, State &state);
  void visitAccesses(Operation *op, State &state);
  void noteProductsInFlight(Operation *op, ArrayRef<Access> accesses, State &state);
  LogicalResult checkProductsInFlight();
  Ordering order(State &state, ArrayRef<Access> accesses);
  void insert();
  void fenceSlots();

  DenseSet<Value> wgmmaOperands;
  llvm::MapVector<Operation *, Ordering> orderings;
  /// Writes to what a product in flight reads, and one such product.
  llvm::MapVector<Operation *, Operation *> tooEarly;
};
} // namespace

void InsertBarriersAndFences::runOnOperation() {
  wgmmaOperands.clear();
  orderings.clear();
  tooEarly.clear();
  if (failed(checkAllocated()))
    return signalPassFailure();
  findWgmmaOperands();
  State state;
  visit(getOperation().getBody().front(), state);
  if (failed(checkProductsInFlight()))
    return signalPassFailure();
  insert();
  fenceSlots();
}

/// Threads of the producer copy through the generic proxy, products read through the async one. The
/// wait shows a consumer that the copies have landed; its fence between the two is on the way from
/// each copy to the product.
void InsertBarriersAndFences::fenceSlots() {
  getOperation().walk([&](pipe::WaitOp wait) {
    auto channel = wait.getChannel().getDefiningOp<pipe::ChannelOp>();
    bool onlyLoads = llvm::all_of(wait->getUsers(), llvm::IsaPred<tile::LoadOp>);
    if (!channel || !channel.getCopiers() || onlyLoads)
      return;
    OpBuilder builder(wait->getContext());
    builder.setInsertionPointAfter(wait);
    sm::FenceProxyOp::create(builder, wait.getLoc());
    ++fences;
  });
}

LogicalResult InsertBarriersAndFences::checkAllocated() {
  WalkResult result = getOperation().walk([](tile::AllocSharedOp alloc) {
    if (alloc.getOffset())
      return WalkResult::advance();
    alloc.emitOpError("has no offset; run tile-allocate-shared first");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult InsertBarriersAndFences::checkProductsInFlight() {
  for (auto [write, product] : tooEarly) {
    InFlightDiagnostic error = write->emitOpError(
        "writes a shared tile that a matrix product in flight still reads; wait for it first");
    error.attachNote(product->getLoc()) << "the product";
  }
  return success(tooEarly.empty());
}

void InsertBarriersAndFences::findWgmmaOperands() {
  getOperation().walk([&](Operation *op) {
    for (const Access &access : accessesOf(op))
      if (access.kind == AccessKind::Wgmma)
        wgmmaOperands.insert(access.base);
  });
}

void InsertBarriersAndFences::visit(Block &block, State &state) {
  for (Operation &op : block)
    visit(&op, state);
}

void InsertBarriersAndFences::visit(Operation *op, State &state) {
  if (isa<LoopLikeOpInterface>(op))
    visitLoop(op, state);
  else if (auto roles = dyn_cast<pipe::SpecializeOp>(op))
    visit(roles.getConsumer().front(), state); // the producer touches slots only
  else if (op->getNumRegions() != 0)
    visitBranch(op, state);
  else
    visitAccesses(op, state);
}

/// An operation that meets nothing outside of its windows, as one with an index tile may.
static bool isPlain(Operation *op) { return isa<tile::LoadOp, tile::StoreOp, tile::CopyOp>(op); }

/// True if the two meet different parts of one tensor, whichever iterations they are in.
static bool meetApart(Operation *earlierOp, const Unordered &earlier, Operation *op,
                      const Access &access) {
  auto earlierWindow = earlier.access.handle.getDefiningOp<tile::WindowOp>();
  auto window = access.handle.getDefiningOp<tile::WindowOp>();
  return isPlain(earlierOp) && isPlain(op) && earlierWindow && window &&
         areApart(earlierWindow, window);
}

/// True if no two threads hold the same element.
static bool hasOneOwner(RankedTensorType fragment) {
  auto encoding = dyn_cast_or_null<tile::FragAttr>(fragment.getEncoding());
  if (!encoding)
    return false;
  FragmentLayout layout = encoding.getLayout();
  for (int64_t warp = 0, end = layout.numWarps(); warp < end; ++warp)
    for (int64_t lane = 0; lane < 32; ++lane)
      if (!layout.isFirstCopy(warp, lane))
        return false;
  return true;
}

/// True if each thread meets only its own elements of global memory: the same operation or another
/// load or store of the same fragment, on the same part of the tensor. Where an index tile says
/// which elements are met, any thread may meet any of them. Of threads with the same elements all
/// load, and the first one stores.
static bool isWithinThreads(Operation *earlierOp, const Unordered &earlier, Operation *op,
                            const Access &access) {
  if (!isPlain(earlierOp) || !isPlain(op) || access.shared ||
      earlier.access.handle != access.handle || earlier.windowMoved)
    return false;
  auto fragmentOf = [](Operation *any) {
    if (auto load = dyn_cast<tile::LoadOp>(any))
      return load.getResult().getType();
    auto store = dyn_cast<tile::StoreOp>(any);
    return store ? store.getValue().getType() : RankedTensorType();
  };
  return isa<tile::WindowType>(access.handle.getType()) &&
         (earlierOp == op || (fragmentOf(op) && fragmentOf(op) == fragmentOf(earlierOp) &&
                              hasOneOwner(fragmentOf(op))));
}

/// The kind of an atomic operation whose old value nobody asks for.
static std::optional<tile::AtomicKind> blindKind(Operation *op) {
  auto kindOf = [](auto atomic) -> std::optional<tile::AtomicKind> {
    if (atomic.getOld() && !atomic.getOld().use_empty())
      return std::nullopt;
    return atomic.getKind();
  };
  if (auto atomic = dyn_cast<tile::AtomicOp>(op))
    return kindOf(atomic);
  auto atomic = dyn_cast<tile::AtomicScalarOp>(op);
  return atomic ? kindOf(atomic) : std::nullopt;
}

/// True for two atomic operations that leave the same behind in any order.
static bool commute(Operation *a, Operation *b) {
  std::optional<tile::AtomicKind> kind = blindKind(a);
  return kind && kind == blindKind(b) && kind != tile::AtomicKind::Exch &&
         kind != tile::AtomicKind::Cas;
}

/// True if an operation meets itself on a part of a shared tile that is another one each time.
static bool meetsOtherPart(Operation *earlierOp, const Unordered &earlier, Operation *op,
                           const Access &access) {
  return earlierOp == op && access.shared && earlier.access.handle == access.handle &&
         !earlier.windowMoved && isa_and_nonnull<tile::SliceOp>(access.handle.getDefiningOp());
}

/// True if `op` needs a barrier between it and an earlier access.
static bool mustWait(Operation *earlierOp, const Unordered &earlier, Operation *op,
                     const Access &access) {
  return earlier.access.conflicts(access) && !commute(earlierOp, op) &&
         !isWithinThreads(earlierOp, earlier, op, access) &&
         !meetsOtherPart(earlierOp, earlier, op, access) &&
         !meetApart(earlierOp, earlier, op, access);
}

/// True if the access of an operation in `loop` may meet what it met in another iteration.
static bool meetsAgain(tile::SliceOp slice, Operation *loop) {
  auto forLoop = dyn_cast<scf::ForOp>(loop);
  return !forLoop || !loop->isProperAncestor(slice) || !isDisjointEachIteration(slice, forLoop);
}

/// Notes which windows of `loop` show something else in the next iteration.
static void moveWindows(State &state, Operation *loop) {
  for (auto &[key, entry] : state.entries) {
    auto slice = entry.access.handle.getDefiningOp<tile::SliceOp>();
    if (slice && loop->isProperAncestor(key.first))
      entry.windowMoved |= meetsAgain(slice, loop);
    auto window = entry.access.handle.getDefiningOp<tile::WindowOp>();
    if (!window || !loop->isProperAncestor(window))
      continue;
    auto forLoop = dyn_cast<scf::ForOp>(loop);
    entry.windowMoved |= !forLoop || !isDisjointEachIteration(window, forLoop);
  }
}

/// True if the iterations of a loop over work items touch global memory as those of two CTAs would:
/// none of them knows which CTA it is in, so none has global memory that is this CTA's own.
static bool isOfAnyCta(Operation *loop) {
  if (!loop->hasAttr(tile::TileDialect::tileLoopAttrName))
    return false;
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  SetVector<Operation *> sources;
  BackwardSliceOptions options;
  options.omitBlockArguments = true;
  for (Value value : used)
    (void)getBackwardSlice(value, &sources, options);
  auto knows = loop->walk([](tile::ProgramIdOp) { return WalkResult::interrupt(); });
  return !knows.wasInterrupted() && llvm::none_of(sources, llvm::IsaPred<tile::ProgramIdOp>);
}

/// Accesses at the end of an iteration meet those at the start of the next. Those of two work
/// items, which may be of two CTAs, are in no order: only the memory that is this CTA's own has to
/// be waited for.
void InsertBarriersAndFences::settleLoop(Operation *loop, State &state) {
  State exit, ofItems;
  bool isItemLoop = isOfAnyCta(loop);
  for (bool changed = true; changed;) {
    State current = state;
    for (Region &region : loop->getRegions()) {
      for (Block &block : region)
        visit(block, current);
      if (&region == &loop->getRegions().front())
        exit = current;
    }
    moveWindows(current, loop);
    if (isItemLoop) {
      ofItems = current;
      current.entries.remove_if([](const auto &item) { return !item.second.access.shared; });
    }
    changed = state.join(current);
  }
  state.join(ofItems);
  if (isa<scf::WhileOp>(loop)) // left from its first region, a for loop from its start
    state = std::move(exit);
}

SmallVector<Operation *> InsertBarriersAndFences::orderedIn(Operation *loop) const {
  SmallVector<Operation *> found;
  for (const auto &[op, ordering] : orderings)
    if (loop->isProperAncestor(op))
      found.push_back(op);
  llvm::sort(found);
  return found;
}

/// A barrier that only the first iteration needs stands in front of the loop. What is in flight
/// there is better waited for inside.
void InsertBarriersAndFences::visitLoop(Operation *loop, State &state) {
  orderings.erase(loop);
  State before = state;
  settleLoop(loop, state);
  bool inFlight = llvm::any_of(before.entries, [](const auto &item) {
    return item.second.isAsync() || item.second.inFlight;
  });
  SmallVector<Operation *> ordered = orderedIn(loop);
  if (ordered.empty() || before.entries.empty() || inFlight || !isa<scf::ForOp>(loop) ||
      loop->getParentOfType<pipe::SpecializeOp>())
    return;
  State alone;
  settleLoop(loop, alone);
  SmallVector<Operation *> orderedAlone = orderedIn(loop);
  if (orderedAlone == ordered || !llvm::includes(ordered, orderedAlone)) {
    settleLoop(loop, before);
    state = std::move(before);
    return;
  }
  orderings[loop] = order(before, {});
  state = std::move(alone);
}

void InsertBarriersAndFences::visitBranch(Operation *branch, State &state) {
  State before = state;
  bool mayRunNone =
      llvm::any_of(branch->getRegions(), [](Region &region) { return region.empty(); });
  if (!mayRunNone)
    state = State();
  for (Region &region : branch->getRegions())
    for (Block &block : region) {
      State current = before;
      visit(block, current);
      state.join(current);
    }
}

void InsertBarriersAndFences::visitAccesses(Operation *op, State &state) {
  SmallVector<Access> accesses = accessesOf(op);
  bool conflict = llvm::any_of(state.entries, [&](const auto &entry) {
    return llvm::any_of(accesses, [&](const Access &access) {
      return mustWait(entry.first.first, entry.second, op, access);
    });
  });
  if (conflict)
    orderings[op] = order(state, accesses);
  else
    orderings.erase(op);
  noteProductsInFlight(op, accesses, state);
  if (isAsyncCopy(op))
    for (auto &[key, entry] : state.entries)
      entry.younger += entry.isAsync();
  for (auto [index, access] : llvm::enumerate(accesses)) {
    Unordered &entry = state.entries[{op, static_cast<unsigned>(index)}];
    entry = {access};
    entry.inFlight = isa<pipe::MmaOp>(op);
  }
}

/// Products finish in order of issue: a wait that leaves n pending ends all but the n youngest.
void InsertBarriersAndFences::noteProductsInFlight(Operation *op, ArrayRef<Access> accesses,
                                                   State &state) {
  std::optional<int64_t> pending;
  if (auto wait = dyn_cast<pipe::MmaWaitOp>(op))
    pending = wait.getPending();
  else if (auto gemm = dyn_cast<tile::GemmOp>(op); gemm && runsOnWgmma(gemm))
    pending = 0;
  tooEarly.erase(op);
  for (auto &[key, entry] : state.entries) {
    if (!entry.inFlight)
      continue;
    if (pending && entry.younger >= *pending)
      entry.inFlight = false;
    entry.younger += isa<pipe::MmaOp>(op);
    for (const Access &access : accesses)
      if (entry.inFlight && access.write && access.overlaps(entry.access))
        tooEarly[op] = key.first;
  }
}

/// The cheapest ordering that puts everything in conflict with `accesses` before them; the state
/// keeps what it does not order.
Ordering InsertBarriersAndFences::order(State &state, ArrayRef<Access> accesses) {
  Ordering ordering;
  for (const auto &[key, entry] : state.entries)
    if (entry.isAsync() && llvm::any_of(accesses, [&](const Access &access) {
          return entry.access.conflicts(access);
        }))
      ordering.pendingCopies =
          std::min(entry.younger, ordering.pendingCopies.value_or(entry.younger));
  state.entries.remove_if([&](const auto &item) {
    const Unordered &entry = item.second;
    if (entry.inFlight)
      return false;
    if (entry.isAsync() && (!ordering.pendingCopies || entry.younger < *ordering.pendingCopies))
      return false;
    ordering.fence |= entry.access.write && wgmmaOperands.contains(entry.access.base);
    return true;
  });
  return ordering;
}

void InsertBarriersAndFences::insert() {
  for (const auto &[op, ordering] : orderings) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (ordering.pendingCopies) {
      sm::CpAsyncWaitOp::create(builder, loc, *ordering.pendingCopies);
      ++waits;
    }
    if (ordering.fence) {
      sm::FenceProxyOp::create(builder, loc);
      ++fences;
    }
    if (op->getParentOfType<pipe::SpecializeOp>())
      pipe::RoleBarrierOp::create(builder, loc);
    else
      sm::BarrierOp::create(builder, loc);
    ++barriers;
  }
}
