//===- DrawItems.cpp - loops over work items follow drawn numbers -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tilec {
#define GEN_PASS_DEF_DRAWITEMSPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;

/// The counter has 32 bits, and items are numbers of signed ones.
static constexpr int64_t kMostItems = INT32_MAX;

/// Behind what the launch computes and in front of the tensor maps.
static Value addCounter(func::FuncOp function) {
  Builder builder(function.getContext());
  NamedAttrList launch(function->getAttrOfType<DictionaryAttr>("tile.launch"));
  auto maps = dyn_cast_or_null<ArrayAttr>(launch.get("maps"));
  unsigned at = function.getNumArguments() - (maps ? maps.size() : 0);
  (void)function.insertArgument(at, builder.getI64Type(), {}, function.getLoc());
  launch.set("counter", builder.getUnitAttr());
  function->setAttr("tile.launch", launch.getDictionary(function.getContext()));
  return function.getArgument(at);
}

static Value constant(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
}

/// The first items are the CTAs' own numbers; what is drawn counts from there on.
static Value drawn(OpBuilder &b, Location loc, scf::ForOp loop, Value counter) {
  Value last = arith::SubIOp::create(b, loc, loop.getUpperBound(), constant(b, loc, 1));
  last = arith::TruncIOp::create(b, loc, b.getI32Type(), last);
  Value number = sm::AtomicGlobalOp::create(b, loc, b.getI32Type(), sm::AtomicKind::Inc,
                                            sm::MemoryOrder::Relaxed, sm::MemoryScope::Gpu, last,
                                            counter, Value())
                     .getOld();
  number = arith::ExtUIOp::create(b, loc, b.getI64Type(), number);
  return arith::AddIOp::create(b, loc, number, loop.getStep());
}

static void draw(sm::DrawItemOp op, scf::ForOp loop, Value counter) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto compare = [&](arith::CmpIPredicate predicate, Value left, int64_t right) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, left, constant(builder, loc, right));
  };
  Value isThere = compare(arith::CmpIPredicate::ne, counter, 0);
  Value canCount = compare(arith::CmpIPredicate::sle, loop.getUpperBound(), kMostItems);
  Value counts = arith::AndIOp::create(builder, loc, isThere, canCount);
  auto next = scf::IfOp::create(
      builder, loc, counts,
      [&](OpBuilder &b, Location l) { scf::YieldOp::create(b, l, drawn(b, l, loop, counter)); },
      [&](OpBuilder &b, Location l) {
        Value turn = arith::AddIOp::create(b, l, loop.getInductionVar(), loop.getStep());
        scf::YieldOp::create(b, l, turn);
      });
  op.replaceAllUsesWith(next.getResult(0));
  op.erase();
}

/// The loop, going on with the item of `go`.
static void follow(scf::ForOp loop, sm::GoToItemOp go) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> start{loop.getLowerBound()};
  llvm::append_range(start, loop.getInitArgs());
  auto condition = [&](OpBuilder &b, Location l, ValueRange values) {
    Value isThere =
        arith::CmpIOp::create(b, l, arith::CmpIPredicate::slt, values[0], loop.getUpperBound());
    scf::ConditionOp::create(b, l, isThere, values);
  };
  auto body = [&](OpBuilder &b, Location l, ValueRange values) {
    auto *yield = loop.getBody()->getTerminator();
    SmallVector<Value> next{go.getItem()};
    llvm::append_range(next, yield->getOperands());
    go.erase();
    yield->erase();
    Block *block = b.getInsertionBlock();
    block->getOperations().splice(block->end(), loop.getBody()->getOperations());
    for (auto [old, value] : llvm::zip_equal(loop.getBody()->getArguments(), values))
      old.replaceAllUsesWith(value);
    llvm::replace(next, loop.getInductionVar(), values[0]);
    b.setInsertionPointToEnd(block);
    scf::YieldOp::create(b, l, next);
  };
  auto types = llvm::to_vector(ValueRange(start).getTypes());
  auto repeated = scf::WhileOp::create(builder, loc, types, start, condition, body);
  loop.replaceAllUsesWith(repeated.getResults().drop_front());
  loop.erase();
}

namespace {
class DrawItems : public tilec::impl::DrawItemsPassBase<DrawItems> {
public:
  void runOnOperation() override {
    SmallVector<sm::GoToItemOp> all;
    getOperation().walk([&](sm::GoToItemOp go) { all.push_back(go); });
    if (all.empty())
      return markAllAnalysesPreserved();
    Value counter = addCounter(getOperation());
    for (sm::GoToItemOp go : all) {
      auto loop = cast<scf::ForOp>(go->getParentOp());
      for (auto op : llvm::make_early_inc_range(loop.getBody()->getOps<sm::DrawItemOp>()))
        draw(op, loop, counter);
      follow(loop, go);
      ++numLoops;
    }
  }
};
} // namespace
