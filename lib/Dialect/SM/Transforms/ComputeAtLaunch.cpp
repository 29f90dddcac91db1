//===- ComputeAtLaunch.cpp - what depends on the dimensions alone ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LaunchText.h"
#include "NarrowDivisions.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

namespace tilec {
#define GEN_PASS_DEF_COMPUTEATLAUNCHPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

/// Each value is an argument of the kernel, and is computed at every launch.
static constexpr size_t kMostValues = 12;
/// The dividend of tile::reciprocal has 31 bits.
static constexpr uint64_t kMostDividend = (uint64_t(1) << 31) - 1;

namespace {
class ComputeAtLaunch : public tilec::impl::ComputeAtLaunchPassBase<ComputeAtLaunch> {
public:
  void runOnOperation() override;

private:
  StringAttr divisorOf(Operation *op, LaunchText &text);
  StringAttr valueOf(Operation *op, LaunchText &text);
  void replaceDivision(Operation *op, Value reciprocal);
  void replaceValue(Operation *op, Value computed);
  SmallVector<Value> addArguments(ArrayRef<StringAttr> expressions);
};
} // namespace

/// The expression for the reciprocal of what `op` divides by; null if it stays a division.
StringAttr ComputeAtLaunch::divisorOf(Operation *op, LaunchText &text) {
  if (!isa<arith::DivUIOp, arith::RemUIOp>(op) || !op->getResult(0).getType().isInteger(32))
    return {};
  Value divisor = op->getOperand(1);
  if (matchPattern(divisor, m_Constant()) || maxUnsigned(op->getOperand(0)) > kMostDividend)
    return {};
  std::optional<LaunchText::Value> known = text.of(divisor);
  return known && known->nonNegative
             ? StringAttr::get(&getContext(), "reciprocal(" + known->text + ")")
             : StringAttr();
}

/// The expression for the result of `op`, if more than one instruction of others needs it.
StringAttr ComputeAtLaunch::valueOf(Operation *op, LaunchText &text) {
  if (op->getNumResults() != 1 || op->hasTrait<OpTrait::ConstantLike>())
    return {};
  std::optional<LaunchText::Value> known = text.of(op->getResult(0));
  if (!known || known->cost < 2)
    return {};
  bool isPart = llvm::all_of(op->getUsers(), [&](Operation *user) {
    return user->getNumResults() == 1 && text.of(user->getResult(0));
  });
  return isPart ? StringAttr() : StringAttr::get(&getContext(), known->text);
}

/// One argument per expression, behind the dimensions and in front of the tensor maps.
SmallVector<Value> ComputeAtLaunch::addArguments(ArrayRef<StringAttr> expressions) {
  func::FuncOp function = getOperation();
  NamedAttrList launch(function->getAttrOfType<DictionaryAttr>("tile.launch"));
  SmallVector<Attribute> derived;
  if (auto known = dyn_cast_or_null<ArrayAttr>(launch.get("derived")))
    derived.assign(known.begin(), known.end());
  auto maps = dyn_cast_or_null<ArrayAttr>(launch.get("maps"));
  unsigned at = function.getNumArguments() - (maps ? maps.size() : 0);
  Builder builder(&getContext());
  SmallVector<Value> arguments;
  for (StringAttr expression : expressions) {
    derived.push_back(expression);
    (void)function.insertArgument(at, builder.getI64Type(), {}, function.getLoc());
    arguments.push_back(function.getArgument(at++));
  }
  launch.set("derived", builder.getArrayAttr(derived));
  function->setAttr("tile.launch", launch.getDictionary(&getContext()));
  return arguments;
}

/// See tile::reciprocal.
static Value multiply(OpBuilder &b, Location loc, Value dividend, Value reciprocal) {
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
  };
  Type wide = b.getI64Type(), narrow = b.getI32Type();
  Value factor = arith::AndIOp::create(b, loc, reciprocal, constant(wide, UINT32_MAX));
  Value shift = arith::TruncIOp::create(
      b, loc, narrow, arith::ShRUIOp::create(b, loc, reciprocal, constant(wide, 32)));
  Value product =
      arith::MulIOp::create(b, loc, arith::ExtUIOp::create(b, loc, wide, dividend), factor);
  Value high = arith::TruncIOp::create(b, loc, narrow,
                                       arith::ShRUIOp::create(b, loc, product, constant(wide, 31)));
  return arith::ShRUIOp::create(b, loc, high, shift);
}

void ComputeAtLaunch::replaceDivision(Operation *op, Value reciprocal) {
  OpBuilder b(op);
  Value dividend = op->getOperand(0);
  Value result = multiply(b, op->getLoc(), dividend, reciprocal);
  if (isa<arith::RemUIOp>(op)) {
    Value whole = arith::MulIOp::create(b, op->getLoc(), result, op->getOperand(1));
    result = arith::SubIOp::create(b, op->getLoc(), dividend, whole);
  }
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
  ++divisions;
}

void ComputeAtLaunch::replaceValue(Operation *op, Value computed) {
  if (op->getResult(0).getType().isInteger(32)) {
    OpBuilder b(op);
    computed = arith::TruncIOp::create(b, op->getLoc(), b.getI32Type(), computed);
  }
  op->getResult(0).replaceAllUsesWith(computed);
  op->erase();
  ++values;
}

/// A loop over work items without roles: what is taken apart in front of it is held in registers
/// while an item's own loop runs, and nothing computes it again (`sm-recompute-in-items` is for
/// roles).
static bool holdsScalars(func::FuncOp function) {
  return !function->hasAttr("tile.producer_warps") &&
         function
             .walk([](scf::ForOp loop) {
               return loop->hasAttr(tile::TileDialect::tileLoopAttrName) ? WalkResult::interrupt()
                                                                         : WalkResult::advance();
             })
             .wasInterrupted();
}

void ComputeAtLaunch::runOnOperation() {
  if (holdsScalars(getOperation()))
    return;
  llvm::MapVector<StringAttr, SmallVector<Operation *>> found;
  auto replaceAll = [&](auto expressionOf, auto replace) {
    found.clear();
    LaunchText text(getOperation());
    getOperation().walk([&](Operation *op) {
      StringAttr expression = expressionOf(op, text);
      if (expression && (found.size() < kMostValues || found.contains(expression)))
        found[expression].push_back(op);
    });
    if (found.empty())
      return;
    auto expressions = llvm::map_to_vector(found, [](auto &entry) { return entry.first; });
    for (auto [entry, argument] : llvm::zip(found, addArguments(expressions)))
      for (Operation *op : entry.second)
        replace(op, argument);
  };
  replaceAll([&](Operation *op, LaunchText &text) { return divisorOf(op, text); },
             [&](Operation *op, Value argument) { replaceDivision(op, argument); });
  // What is left of the divisors' own computation.
  replaceAll([&](Operation *op, LaunchText &text) { return valueOf(op, text); },
             [&](Operation *op, Value argument) { replaceValue(op, argument); });
}
