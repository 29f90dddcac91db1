//===- RepeatItems.cpp - each role goes through the work items -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"

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
  void repeat(Block &role);
  SmallVector<Value> starts(ArrayRef<pipe::HandOverOp> ends);
  void cloneInto(scf::ForOp loop);

  tile::KernelOp kernel;
  pipe::WorkItemOp item;
  pipe::SpecializeOp roles;
  SetVector<Operation *> dependent; // of the item, in front of the roles
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

/// Each role computes what depends on the item for itself. The proof has to know what is the same in
/// both: its number.
void Repeater::cloneInto(scf::ForOp loop) {
  OpBuilder at = OpBuilder::atBlockBegin(loop.getBody());
  auto isInside = [&](OpOperand &use) { return loop->isProperAncestor(use.getOwner()); };
  IRMapping mapping;
  mapping.map(item.getResult(), loop.getInductionVar());
  item.getResult().replaceUsesWithIf(loop.getInductionVar(), isInside);
  for (auto [number, op] : llvm::enumerate(dependent)) {
    Operation *mine = at.clone(*op, mapping);
    mine->setAttr(pipe::sameInRolesAttrName, at.getI64IntegerAttr(number));
    for (auto [old, result] : llvm::zip(op->getResults(), mine->getResults()))
      old.replaceUsesWithIf(result, isInside);
  }
}

void Repeater::repeat(Block &role) {
  auto found = role.getOps<pipe::HandOverOp>();
  SmallVector<pipe::HandOverOp> ends(found.begin(), found.end());
  SmallVector<Operation *> work;
  for (Operation &op : role)
    work.push_back(&op);
  OpBuilder builder = OpBuilder::atBlockEnd(&role);
  SmallVector<Value> first = starts(ends);
  auto loop = scf::ForOp::create(builder, item.getLoc(), item.getFirst(), item.getCount(),
                                 item.getStride(), first);
  loop->setAttr(tile::TileDialect::tileLoopAttrName, builder.getStringAttr("static"));
  for (Operation *op : work)
    op->moveBefore(loop.getBody(), loop.getBody()->end());
  cloneInto(loop);
  for (auto [start, argument] : llvm::zip(first, loop.getRegionIterArgs()))
    start.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return loop->isProperAncestor(use.getOwner());
    });
  builder.setInsertionPointToEnd(loop.getBody());
  scf::YieldOp::create(builder, item.getLoc(), SmallVector<Value>(ends.begin(), ends.end()));
}

void Repeater::run() {
  findDependent();
  repeat(roles.getProducer().front());
  repeat(roles.getConsumer().front());
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
