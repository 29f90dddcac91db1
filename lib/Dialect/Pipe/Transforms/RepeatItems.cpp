//===- RepeatItems.cpp - each role goes through the work items -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace tilec {
#define GEN_PASS_DEF_REPEATITEMSPASS
#include "tilec/Dialect/Pipe/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

namespace {
class Repeater {
public:
  Repeater(tile::KernelOp kernel, pipe::WorkItemOp item, pipe::SpecializeOp roles)
      : kernel(kernel), item(item), roles(roles) {}
  void run();

private:
  void findDependent();
  Operation *drawItems();
  void drawInProducer(pipe::ChannelOp numbers, pipe::CursorOp cursor);
  Operation *readInConsumer(pipe::ChannelOp numbers, pipe::CursorOp cursor);
  void repeat(Block &role, Operation *knowsNext = nullptr);
  SmallVector<Value> starts(ArrayRef<pipe::HandOverOp> ends);
  SmallVector<Value> loadedFor(OpBuilder &at, Value number);
  void cloneInto(scf::ForOp loop, ValueRange loaded);

  tile::KernelOp kernel;
  pipe::WorkItemOp item;
  pipe::SpecializeOp roles;
  SetVector<Operation *> dependent; // of the item, in front of the roles
  SmallVector<Operation *> loads;   // of them, those from memory
};
} // namespace

void Repeater::findDependent() {
  dependent.insert(item);
  for (Operation *op = item->getNextNode(); op != roles.getOperation(); op = op->getNextNode()) {
    SetVector<Value> used(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), used);
    if (llvm::any_of(used, [&](Value value) { return dependent.contains(value.getDefiningOp()); }))
      dependent.insert(op);
  }
  dependent.remove(item);
  for (Operation *op : dependent)
    if (isa<tile::LoadScalarOp>(op))
      loads.push_back(op);
}

/// The cursors that the role starts from, in the order of its ends.
SmallVector<Value> Repeater::starts(ArrayRef<pipe::HandOverOp> ends) {
  SmallVector<Value> result;
  for (pipe::HandOverOp end : ends)
    for (auto cursor : kernel.getBody().front().getOps<pipe::CursorOp>())
      if (cursor.getNumber() == end.getNumber())
        result.push_back(cursor);
  return result;
}

static IntegerAttr numberOf(size_t number, OpBuilder &builder) {
  return builder.getI64IntegerAttr(static_cast<int64_t>(number));
}

/// What the start of item `number` loads, or of the last one if there is none of that number.
SmallVector<Value> Repeater::loadedFor(OpBuilder &at, Value number) {
  if (loads.empty())
    return {};
  SetVector<Operation *> needed;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) { return dependent.contains(op); };
  options.inclusive = true;
  for (Operation *load : loads)
    (void)getBackwardSlice(load, &needed, options);
  Location loc = item.getLoc();
  Value one = arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(1));
  Value zero = arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(0));
  Value last = arith::SubIOp::create(at, loc, item.getCount(), one);
  number = arith::MinSIOp::create(at, loc, number, last);
  number = arith::MaxSIOp::create(at, loc, number, zero);
  IRMapping mapping;
  mapping.map(item.getResult(), number);
  for (auto [place, op] : llvm::enumerate(dependent))
    if (needed.contains(op))
      at.clone(*op, mapping)->setAttr(pipe::sameInRolesAttrName, numberOf(place, at));
  return llvm::map_to_vector(loads,
                             [&](Operation *op) { return mapping.lookup(op->getResult(0)); });
}

/// Each role computes what depends on the item for itself. The proof has to know what is the same
/// in both: its number.
void Repeater::cloneInto(scf::ForOp loop, ValueRange loaded) {
  OpBuilder at = OpBuilder::atBlockBegin(loop.getBody());
  auto isInside = [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); };
  IRMapping mapping;
  mapping.map(item.getResult(), loop.getInductionVar());
  item.getResult().replaceUsesWithIf(loop.getInductionVar(), isInside);
  if (!loaded.empty())
    for (auto [op, value] : llvm::zip_equal(loads, loaded)) {
      mapping.map(op->getResult(0), value);
      op->getResult(0).replaceUsesWithIf(value, isInside);
    }
  for (auto [number, op] : llvm::enumerate(dependent)) {
    if (mapping.contains(op->getResult(0)))
      continue;
    Operation *mine = at.clone(*op, mapping);
    mine->setAttr(pipe::sameInRolesAttrName, numberOf(number, at));
    for (auto [old, result] : llvm::zip(op->getResults(), mine->getResults()))
      old.replaceUsesWithIf(result, isInside);
  }
}

/// `knowsNext`: from here on the item that comes next is known. What its start loads is loaded
/// there.
void Repeater::repeat(Block &role, Operation *knowsNext) {
  auto found = role.getOps<pipe::HandOverOp>();
  SmallVector<pipe::HandOverOp> ends(found.begin(), found.end());
  SmallVector<Operation *> work;
  for (Operation &op : role)
    work.push_back(&op);
  OpBuilder builder = OpBuilder::atBlockEnd(&role);
  SmallVector<Value> first = starts(ends);
  const size_t numCursors = first.size();
  if (knowsNext)
    llvm::append_range(first, loadedFor(builder, item.getFirst()));
  auto loop = scf::ForOp::create(builder, item.getLoc(), item.getFirst(), item.getCount(),
                                 item.getStride(), first);
  loop->setAttr(tile::TileDialect::tileLoopAttrName, builder.getUnitAttr());
  for (Operation *op : work)
    op->moveBefore(loop.getBody(), loop.getBody()->end());
  SmallVector<Value> next(ends.begin(), ends.end());
  if (knowsNext) {
    builder.setInsertionPointAfter(knowsNext);
    auto go = *loop.getOps<pipe::GoToItemOp>().begin();
    llvm::append_range(next, loadedFor(builder, go.getItem()));
  }
  cloneInto(loop, loop.getRegionIterArgs().drop_front(numCursors));
  for (auto [start, argument] : llvm::zip(first, loop.getRegionIterArgs().take_front(numCursors)))
    start.replaceUsesWithIf(argument,
                            [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); });
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, item.getLoc(), next);
}

//===----------------------------------------------------------------------===//
// Drawn items
//===----------------------------------------------------------------------===//

/// One slot for the item after this one, and one for the item behind that: the producer is ahead.
static constexpr int64_t kNumberSlots = 2;

/// The role is done with the slot, and its loop goes on with `item`.
static void handOn(OpBuilder &at, Location loc, pipe::ChannelOp numbers, pipe::CursorOp cursor,
                   Value item) {
  Value next = pipe::AdvanceOp::create(at, loc, cursor.getType(), numbers, cursor);
  pipe::HandOverOp::create(at, loc, cursor.getType(), next, ValueRange{numbers},
                           *cursor.getNumber());
  pipe::GoToItemOp::create(at, loc, item);
}

/// The answer takes as long as a load; it is asked for first and needed last.
void Repeater::drawInProducer(pipe::ChannelOp numbers, pipe::CursorOp cursor) {
  Block &role = roles.getProducer().front();
  Location loc = item.getLoc();
  OpBuilder at = OpBuilder::atBlockBegin(&role);
  Value next = pipe::DrawItemOp::create(at, loc, at.getI64Type());
  at.setInsertionPointToEnd(&role);
  pipe::AcquireOp::create(at, loc, numbers, cursor, at.getI64IntegerAttr(0));
  pipe::PostOp::create(at, loc, next, numbers, cursor);
  pipe::CommitOp::create(at, loc, numbers, cursor);
  handOn(at, loc, numbers, cursor, next);
}

/// Read behind the item's last loop: what the next one's start loads then arrives during the end of
/// this one.
Operation *Repeater::readInConsumer(pipe::ChannelOp numbers, pipe::CursorOp cursor) {
  Block &role = roles.getConsumer().front();
  Location loc = item.getLoc();
  OpBuilder at = OpBuilder::atBlockBegin(&role);
  for (Operation &op : role)
    if (op.getNumRegions() != 0)
      at.setInsertionPointAfter(&op);
  Value slot = pipe::WaitOp::create(at, loc, numbers.getType().getSlot(), numbers, cursor);
  Value zero = arith::ConstantOp::create(at, loc, at.getI64IntegerAttr(0));
  Value next = tile::LoadScalarOp::create(at, loc, at.getI64Type(), slot, zero, TypedAttr());
  Operation *knowsNext = pipe::ReleaseOp::create(at, loc, numbers, cursor);
  at.setInsertionPointToEnd(&role);
  handOn(at, loc, numbers, cursor, next);
  return knowsNext;
}

/// Returns from where on the consumers know the next item.
Operation *Repeater::drawItems() {
  OpBuilder builder(roles);
  Location loc = item.getLoc();
  int64_t number = 0;
  for (auto cursor : kernel.getBody().front().getOps<pipe::CursorOp>())
    number = std::max(number, static_cast<int64_t>(*cursor.getNumber()) + 1);
  auto slot = tile::SharedType::get(builder.getContext(), {1}, builder.getI64Type(),
                                    tile::SwizzleAttr::get(builder.getContext(), 0));
  auto type = pipe::ChannelType::get(builder.getContext(), slot, kNumberSlots);
  auto numbers = pipe::ChannelOp::create(builder, loc, type, IntegerAttr(), IntegerAttr(),
                                         /*thread_readers=*/builder.getUnitAttr(), IntegerAttr(),
                                         /*posted=*/builder.getUnitAttr());
  auto cursor = pipe::CursorOp::create(builder, loc, pipe::CursorType::get(builder.getContext()),
                                       builder.getI64IntegerAttr(number));
  drawInProducer(numbers, cursor);
  return readInConsumer(numbers, cursor);
}

/// Threads that copy rows would have to tell each other what one of them drew.
static bool canDraw(pipe::SpecializeOp roles) {
  return !roles.getProducer()
              .walk([](pipe::GatherOp) { return WalkResult::interrupt(); })
              .wasInterrupted();
}

void Repeater::run() {
  Operation *knowsNext = canDraw(roles) ? drawItems() : nullptr;
  findDependent();
  repeat(roles.getProducer().front());
  repeat(roles.getConsumer().front(), knowsNext);
  for (Operation *op : llvm::reverse(dependent.getArrayRef()))
    op->erase();
  item->erase();
}

namespace {
class RepeatItems : public tilec::impl::RepeatItemsPassBase<RepeatItems> {
public:
  void runOnOperation() override {
    Block &body = getOperation().getBody().front();
    auto items = body.getOps<pipe::WorkItemOp>();
    auto roles = body.getOps<pipe::SpecializeOp>();
    if (items.empty() || roles.empty())
      return markAllAnalysesPreserved();
    Repeater(getOperation(), *items.begin(), *roles.begin()).run();
    ++numRepeated;
  }
};
} // namespace
