//===- Roles.cpp - the producer's and the consumers' code ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"

#include <deque>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static constexpr int64_t kProducerWarps = 4;

namespace {
/// A channel, and the cursor that each role has reached in it.
struct Ring {
  pipe::ChannelOp channel;
  Value produced, consumed;
};

class Splitter {
public:
  Splitter(tile::KernelOp kernel, Plan &plan)
      : kernel(kernel), plan(plan), builder(kernel.getContext()) {}
  void run();

private:
  void createChannels();
  void moveToConsumer();
  unsigned mapFor(CopyPlan &copy);
  void produce(LoopPlan &step, ArrayRef<Ring *> rings);
  void fill(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping, OpBuilder &at);
  void consume(LoopPlan &step, ArrayRef<Ring *> rings);
  void read(CopyPlan &copy, Ring &ring, Value cursor);
  scf::ForOp carryCursor(scf::ForOp loop, Value start, Value channel);
  void startRings();
  void handOver(Block &role, bool producer);

  tile::KernelOp kernel;
  Plan &plan;
  OpBuilder builder;
  std::deque<Ring> rings;
  SmallVector<SmallVector<Ring *>> ringsOfStep;
  SmallVector<Attribute> maps;
  pipe::SpecializeOp roles;
};
} // namespace

/// Two loops whose copies have equal slots use one set of channels, one after the other.
void Splitter::createChannels() {
  ArrayRef<Ring *> previous;
  for (LoopPlan &step : plan.steps) {
    SmallVector<Ring *> &mine = ringsOfStep.emplace_back();
    for (auto [index, copy] : llvm::enumerate(step.copies)) {
      auto type = pipe::ChannelType::get(kernel.getContext(), copy.tile.getType(), step.stages);
      bool reuse = step.loop && index < previous.size() &&
                   previous[index]->channel.getType() == type && previous.size() == step.copies.size();
      if (!reuse) {
        rings.emplace_back();
        rings.back().channel = pipe::ChannelOp::create(builder, copy.tile.getLoc(), type, IntegerAttr(),
                                                       IntegerAttr(), UnitAttr());
        mine.push_back(&rings.back());
      } else {
        mine.push_back(previous[index]);
      }
      if (copy.threadReaders)
        mine.back()->channel.setThreadReaders(true);
    }
    if (step.loop)
      previous = mine;
  }
}

/// Number of the tensor map for this copy in the launch attribute, made if there is none yet.
unsigned Splitter::mapFor(CopyPlan &copy) {
  auto map = builder.getDictionaryAttr(
      {builder.getNamedAttr("box", builder.getI64ArrayAttr(copy.box)),
       builder.getNamedAttr("param", builder.getI64IntegerAttr(copy.param)),
       builder.getNamedAttr("swizzle",
                            builder.getI64IntegerAttr(copy.tile.getType().getLayout().swizzle))});
  auto *found = llvm::find(maps, map);
  if (found == maps.end())
    maps.push_back(map);
  return llvm::find(maps, Attribute(map)) - maps.begin();
}

void Splitter::moveToConsumer() {
  Block &body = kernel.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(body.without_terminator()))
    if (!plan.common.contains(&op) && !isa<pipe::ChannelOp, pipe::CursorOp, pipe::SpecializeOp>(op))
      op.moveBefore(&roles.getConsumer().front(), roles.getConsumer().front().end());
}

//===----------------------------------------------------------------------===//
// Producer
//===----------------------------------------------------------------------===//

void Splitter::fill(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping,
                    OpBuilder &at) {
  Location loc = copy.copy.getLoc();
  int64_t bytes = ring.channel.getType().getSlot().getLayout().bytes();
  pipe::AcquireOp::create(at, loc, ring.channel, cursor, at.getI64IntegerAttr(bytes));
  pipe::LoadOp::create(at, loc, mapping.lookupOrDefault(copy.window.getResult()), ring.channel, cursor,
                       at.getI64IntegerAttr(mapFor(copy)));
  pipe::CommitOp::create(at, loc, ring.channel, cursor);
}

/// Clones into the current block what `values` need from the loop's body, in order; what is mapped already is
/// not cloned again.
static void cloneAddressWork(scf::ForOp loop, ValueRange values, IRMapping &mapping, OpBuilder &at) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  for (Value value : values)
    (void)getBackwardSlice(value, &slice, options);
  for (Operation &op : loop.getBody()->without_terminator())
    if (slice.contains(&op) && (op.getNumResults() == 0 || !mapping.contains(op.getResult(0))))
      at.clone(op, mapping);
}

void Splitter::produce(LoopPlan &step, ArrayRef<Ring *> ringsHere) {
  OpBuilder at = OpBuilder::atBlockEnd(&roles.getProducer().front());
  if (!step.loop) {
    IRMapping asIs;
    fill(step.copies.front(), *ringsHere.front(), ringsHere.front()->produced, asIs, at);
    return;
  }
  scf::ForOp loop = step.loop;
  SmallVector<Value> start{ringsHere.front()->produced};
  for (BlockArgument argument : step.carried)
    start.push_back(loop.getTiedLoopInit(argument)->get());
  auto produced = scf::ForOp::create(
      at, loop.getLoc(), loop.getLowerBound(), loop.getUpperBound(), loop.getStep(), start,
      [&](OpBuilder &body, Location loc, Value iv, ValueRange carried) {
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), iv);
        for (auto [argument, value] : llvm::zip(step.carried, carried.drop_front()))
          mapping.map(argument, value);
        SmallVector<Value> windows, nextCarried;
        for (CopyPlan &copy : step.copies)
          windows.push_back(copy.window);
        cloneAddressWork(loop, windows, mapping, body);
        for (auto [copy, ring] : llvm::zip(step.copies, ringsHere))
          fill(copy, *ring, carried[0], mapping, body);
        SmallVector<Value> next{pipe::AdvanceOp::create(body, loc, carried[0].getType(),
                                                        ringsHere.front()->channel, carried[0])};
        for (BlockArgument argument : step.carried)
          nextCarried.push_back(loop.getTiedLoopYieldedValue(argument)->get());
        cloneAddressWork(loop, nextCarried, mapping, body);
        for (Value value : nextCarried)
          next.push_back(mapping.lookupOrDefault(value));
        scf::YieldOp::create(body, loc, next);
      });
  for (Ring *ring : ringsHere)
    ring->produced = produced.getResult(0);
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// The wait goes before the first reader, the release behind the last one.
void Splitter::read(CopyPlan &copy, Ring &ring, Value cursor) {
  Block *block = copy.tile->getBlock();
  Operation *first = nullptr, *last = nullptr;
  for (Operation *user : copy.tile->getUsers()) {
    if (user == copy.copy)
      continue;
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  if (!first)
    first = last = copy.copy;
  builder.setInsertionPoint(first);
  Location loc = copy.copy.getLoc();
  Value slot = pipe::WaitOp::create(builder, loc, copy.tile.getType(), ring.channel, cursor);
  builder.setInsertionPointAfter(last);
  pipe::ReleaseOp::create(builder, loc, ring.channel, cursor);
  tile::AllocSharedOp tile = copy.tile;
  copy.copy->erase();
  tile.getResult().replaceAllUsesWith(slot);
  tile.erase();
}

/// The loop with one more carried value, the cursor (its last one).
scf::ForOp Splitter::carryCursor(scf::ForOp loop, Value start, Value channel) {
  IRRewriter rewriter(builder);
  rewriter.setInsertionPoint(loop);
  auto yield = [&](OpBuilder &b, Location loc, ArrayRef<BlockArgument> added) {
    return SmallVector<Value>{
        pipe::AdvanceOp::create(b, loc, added[0].getType(), channel, added[0])};
  };
  return cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, ValueRange{start}, /*replaceInitOperandUsesInLoop=*/false, yield));
}

void Splitter::consume(LoopPlan &step, ArrayRef<Ring *> ringsHere) {
  if (!step.loop) {
    read(step.copies.front(), *ringsHere.front(), ringsHere.front()->consumed);
    return;
  }
  DictionaryAttr attributes = step.loop->getDiscardableAttrDictionary();
  scf::ForOp loop = carryCursor(step.loop, ringsHere.front()->consumed, ringsHere.front()->channel);
  loop->setDiscardableAttrs(attributes);
  for (auto [copy, ring] : llvm::zip(step.copies, ringsHere))
    read(copy, *ring, loop.getRegionIterArgs().back());
  for (Ring *ring : ringsHere)
    ring->consumed = loop.getResults().back();
}

/// With several work items a cursor for each set of rings, otherwise one for all.
void Splitter::startRings() {
  auto type = pipe::CursorType::get(kernel.getContext());
  bool items = !kernel.getBody().front().getOps<pipe::WorkItemOp>().empty();
  Value start;
  for (auto [number, mine] : llvm::enumerate(ringsOfStep)) {
    if (mine.empty() || mine.front()->produced)
      continue;
    if (!start || items)
      start = pipe::CursorOp::create(builder, kernel.getLoc(), type,
                                     items ? builder.getI64IntegerAttr(number) : IntegerAttr());
    for (Ring *ring : mine)
      ring->produced = ring->consumed = start;
  }
}

/// Where the next work item goes on.
void Splitter::handOver(Block &role, bool producer) {
  OpBuilder at = OpBuilder::atBlockEnd(&role);
  auto cursors = kernel.getBody().front().getOps<pipe::CursorOp>();
  SmallVector<pipe::CursorOp> numbered(cursors.begin(), cursors.end());
  llvm::SmallPtrSet<Ring *, 8> done;
  for (auto [step, mine] : llvm::zip(plan.steps, ringsOfStep)) {
    if (mine.empty() || !done.insert(mine.front()).second)
      continue;
    SmallVector<Value> channels;
    for (Ring *ring : mine)
      channels.push_back(ring->channel);
    Value cursor = producer ? mine.front()->produced : mine.front()->consumed;
    Location loc = mine.front()->channel.getLoc();
    if (!step.loop) // used once
      cursor = pipe::AdvanceOp::create(at, loc, cursor.getType(), mine.front()->channel, cursor);
    pipe::HandOverOp::create(at, loc, cursor.getType(), cursor, channels,
                             *numbered[done.size() - 1].getNumber());
  }
}

void Splitter::run() {
  Block &body = kernel.getBody().front();
  builder.setInsertionPoint(body.getTerminator());
  createChannels();
  startRings();
  roles = pipe::SpecializeOp::create(builder, kernel.getLoc());
  roles.getProducer().emplaceBlock();
  roles.getConsumer().emplaceBlock();
  for (auto [step, mine] : llvm::zip(plan.steps, ringsOfStep))
    produce(step, mine);
  moveToConsumer();
  for (auto [step, mine] : llvm::zip(plan.steps, ringsOfStep))
    consume(step, mine);
  if (!body.getOps<pipe::WorkItemOp>().empty()) {
    handOver(roles.getProducer().front(), /*producer=*/true);
    handOver(roles.getConsumer().front(), /*producer=*/false);
  }
  NamedAttrList launch(kernel.getLaunch());
  launch.set("maps", builder.getArrayAttr(maps));
  kernel->setAttr(tile::TileDialect::launchAttrName, launch.getDictionary(kernel.getContext()));
  kernel->setAttr(pipe::producerWarpsAttrName, builder.getI64IntegerAttr(kProducerWarps));
}

void to_pipe::splitRoles(tile::KernelOp kernel, Plan &plan) { Splitter(kernel, plan).run(); }
