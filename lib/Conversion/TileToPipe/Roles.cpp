//===- Roles.cpp - the producer's and the consumers' code ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Plan.h"
#include "ProducerLoop.h"
#include "tilec/Target/Arch.h"

#include <deque>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static constexpr int64_t kWarpThreads = 32;

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
  int64_t stagesOf(LoopPlan &step);
  void createChannels();
  void moveToConsumer();
  unsigned mapFor(CopyPlan &copy);
  void produce(LoopPlan &step, ArrayRef<Ring *> rings);
  void fill(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping, OpBuilder &at);
  void fillRows(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping, OpBuilder &at,
                Fragments &fragments);
  void consume(LoopPlan &step, ArrayRef<Ring *> rings);
  void read(MutableArrayRef<CopyPlan> copies, Ring &ring, Value cursor);
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
  bool twoItems = false;
};
} // namespace

/// True if the tile can lie in a slot of the channel: rows may be counted along other axes.
static bool fitsInto(pipe::ChannelType channel, tile::SharedType tile) {
  tile::SharedType slot = channel.getSlot();
  return slot.getElementType() == tile.getElementType() && slot.getSwizzle() == tile.getSwizzle() &&
         slot.getShape().back() == tile.getShape().back() &&
         slot.getLayout().rows() == tile.getLayout().rows();
}

/// True if the rings hold the tiles of the step.
static bool canReuse(ArrayRef<Ring *> rings, LoopPlan &step) {
  size_t next = 0;
  for (CopyPlan &copy : step.copies) {
    if (!copy.opens)
      continue;
    if (next == rings.size())
      return false;
    pipe::ChannelOp channel = rings[next++]->channel;
    pipe::ChannelType type = channel.getType();
    if (type.getStages() != step.stages || !fitsInto(type, copy.tile.getType()) ||
        channel.getCopiers().has_value() != bool(copy.gather))
      return false;
  }
  return next == rings.size();
}

/// True if a kernel of several work items has room for what two of them load outside of loops,
/// beside all else that it allocates. Of its CTA's share of the SM, 8 KiB are left for barriers and
/// what reductions exchange.
static bool hasRoomForTwoItems(tile::KernelOp kernel, Plan &plan) {
  if (kernel.getBody().front().getOps<pipe::WorkItemOp>().empty())
    return false;
  constexpr int64_t left = 8 * 1024;
  int64_t bytes = 0;
  auto add = [&](tile::AllocSharedOp tile, int64_t slots) {
    bytes += tile.getType().getLayout().bytes() * slots;
  };
  kernel.walk([&](tile::AllocSharedOp tile) { add(tile, 1); });
  for (LoopPlan &step : plan.steps)
    for (CopyPlan &copy : step.copies)
      if (copy.opens)
        add(copy.tile, (step.loop ? step.stages : 2) - 1);
  auto ctas = kernel->getAttrOfType<IntegerAttr>("tile.ctas_per_sm");
  return bytes + left <= sm90a.sharedBytesPerSM / (ctas ? ctas.getInt() : 1);
}

/// What stands outside of loops is loaded for the next work item while this one is computed, if
/// there is room for both.
int64_t Splitter::stagesOf(LoopPlan &step) { return step.loop || !twoItems ? step.stages : 2; }

/// Two loops whose tiles have equal slots use one set of channels, one after the other: all of them
/// or none, because they have one cursor. One ring for each copy of a step: copies that fill one
/// tile have one.
void Splitter::createChannels() {
  SmallVector<Ring *> previous; // of each tile
  for (LoopPlan &step : plan.steps) {
    SmallVector<Ring *> &mine = ringsOfStep.emplace_back(), tiles;
    bool reuse = step.loop && canReuse(previous, step);
    for (CopyPlan &copy : step.copies) {
      if (!copy.opens) {
        mine.push_back(mine.back());
        continue;
      }
      if (reuse) {
        mine.push_back(previous[tiles.size()]);
      } else {
        auto type =
            pipe::ChannelType::get(kernel.getContext(), copy.tile.getType(), stagesOf(step));
        rings.emplace_back();
        rings.back().channel =
            pipe::ChannelOp::create(builder, copy.tile.getLoc(), type, IntegerAttr(), IntegerAttr(),
                                    UnitAttr(), IntegerAttr(), UnitAttr());
        mine.push_back(&rings.back());
      }
      tiles.push_back(mine.back());
      if (copy.gather)
        mine.back()->channel.setCopiers(kWarpThreads * kProducerWarps);
      if (copy.threadReaders)
        mine.back()->channel.setThreadReaders(true);
    }
    if (step.loop)
      previous = tiles;
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

void Splitter::fill(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping, OpBuilder &at) {
  Location loc = copy.op()->getLoc();
  int64_t bytes = ring.channel.getType().getSlot().getLayout().bytes();
  if (copy.opens)
    pipe::AcquireOp::create(at, loc, ring.channel, cursor, at.getI64IntegerAttr(bytes));
  bool whole = copy.window.getType().getShape() == ring.channel.getType().getSlot().getShape();
  DenseI64ArrayAttr place = at.getDenseI64ArrayAttr({copy.part.row, copy.part.column});
  pipe::LoadOp::create(at, loc, mapping.lookupOrDefault(copy.window.getResult()), ring.channel,
                       cursor, at.getI64IntegerAttr(mapFor(copy)),
                       whole ? DenseI64ArrayAttr() : place);
  if (copy.closes)
    pipe::CommitOp::create(at, loc, ring.channel, cursor);
}

void Splitter::fillRows(CopyPlan &copy, Ring &ring, Value cursor, IRMapping &mapping, OpBuilder &at,
                        Fragments &fragments) {
  tile::GatherCopyOp gather = copy.gather;
  ProducerFragments &mine = fragments.in(indexLayout(gather));
  Location loc = gather.getLoc();
  Value index = mine.get(gather.getIndex(), mapping, at);
  Value mask = gather.getMask() ? mine.get(gather.getMask(), mapping, at) : Value();
  pipe::AcquireOp::create(at, loc, ring.channel, cursor, at.getI64IntegerAttr(0));
  pipe::GatherOp::create(at, loc, mapping.lookupOrDefault(copy.window.getResult()), index,
                         ring.channel, cursor, mask, gather.getAxisAttr());
  pipe::CommitOp::create(at, loc, ring.channel, cursor);
}

void Splitter::produce(LoopPlan &step, ArrayRef<Ring *> ringsHere) {
  OpBuilder at = OpBuilder::atBlockEnd(&roles.getProducer().front());
  if (!step.loop) {
    IRMapping asIs;
    for (CopyPlan &copy : step.copies)
      fill(copy, *ringsHere.front(), ringsHere.front()->produced, asIs, at);
    return;
  }
  ProducerLoop loop(step, at);
  SmallVector<Value> start{ringsHere.front()->produced};
  llvm::append_range(start, loop.start());
  auto produced = scf::ForOp::create(
      at, step.loop.getLoc(), step.loop.getLowerBound(), step.loop.getUpperBound(),
      step.loop.getStep(), start, [&](OpBuilder &body, Location loc, Value iv, ValueRange carried) {
        loop.enter(body, iv, carried.drop_front());
        for (auto [copy, ring] : llvm::zip(step.copies, ringsHere))
          if (copy.gather)
            fillRows(copy, *ring, carried[0], loop.mapping, body, loop.fragments);
          else
            fill(copy, *ring, carried[0], loop.mapping, body);
        SmallVector<Value> next{pipe::AdvanceOp::create(body, loc, carried[0].getType(),
                                                        ringsHere.front()->channel, carried[0])};
        llvm::append_range(next, loop.next(body));
        scf::YieldOp::create(body, loc, next);
      });
  for (Ring *ring : ringsHere)
    ring->produced = produced.getResult(0);
}

//===----------------------------------------------------------------------===//
// Consumers
//===----------------------------------------------------------------------===//

/// Erases the copies of a tile, and the parts that they fill.
static void eraseFills(MutableArrayRef<CopyPlan> copies) {
  for (CopyPlan &copy : copies) {
    Value target = copy.gather ? copy.gather.getTarget() : copy.copy.getTarget();
    copy.op()->erase();
    while (auto slice = target.getDefiningOp<tile::SliceOp>()) {
      target = slice.getSource();
      if (!slice->use_empty())
        break;
      slice.erase();
    }
  }
}

/// The wait goes before the first reader, the release behind the last one.
void Splitter::read(MutableArrayRef<CopyPlan> copies, Ring &ring, Value cursor) {
  CopyPlan &copy = copies.front();
  Block *block = copy.tile->getBlock();
  Operation *first = nullptr, *last = nullptr;
  for (Operation *user : copy.tile->getUsers()) {
    if (!isa<tile::GemmOp, tile::LoadOp>(user))
      continue; // fills it
    Operation *ancestor = block->findAncestorOpInBlock(*user);
    if (!first || ancestor->isBeforeInBlock(first))
      first = ancestor;
    if (!last || last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  if (!first)
    first = last = copy.tile->getNextNode();
  builder.setInsertionPoint(first);
  Location loc = copy.op()->getLoc();
  Value slot = pipe::WaitOp::create(builder, loc, copy.tile.getType(), ring.channel, cursor);
  builder.setInsertionPointAfter(last);
  pipe::ReleaseOp::create(builder, loc, ring.channel, cursor);
  tile::AllocSharedOp tile = copy.tile;
  eraseFills(copies);
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
    read(step.copies, *ringsHere.front(), ringsHere.front()->consumed);
    return;
  }
  DictionaryAttr attributes = step.loop->getDiscardableAttrDictionary();
  scf::ForOp loop = carryCursor(step.loop, ringsHere.front()->consumed, ringsHere.front()->channel);
  loop->setDiscardableAttrs(attributes);
  for (size_t i = 0; i < step.copies.size(); ++i)
    if (step.copies[i].opens)
      read(copiesOfTile(step.copies, i), *ringsHere[i], loop.getRegionIterArgs().back());
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
      if (!llvm::is_contained(channels, ring->channel.getResult()))
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
  for (LoopPlan &step : plan.steps)
    for (CopyPlan &copy : step.copies)
      if (copy.asRows)
        copyAsRows(copy);
  builder.setInsertionPoint(body.getTerminator());
  twoItems = hasRoomForTwoItems(kernel, plan);
  createChannels();
  startRings();
  roles = pipe::SpecializeOp::create(builder, kernel.getLoc());
  roles.getProducer().emplaceBlock();
  roles.getConsumer().emplaceBlock();
  for (auto [step, mine] : llvm::zip(plan.steps, ringsOfStep))
    produce(step, mine);
  for (LoopPlan &step : plan.steps)
    layOutForConsumers(kernel, step);
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
