//===- Mutants.cpp - one thing taken away from a kernel -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Mutants.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilec::test {

static constexpr size_t each = 1000, some = 6;

std::string place(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << op->getName() << " at " << op->getLoc();
  return text;
}

static Value constant(Operation *before, TypedAttr value) {
  OpBuilder builder(before);
  return arith::ConstantOp::create(builder, before->getLoc(), value);
}

static Value constant(Operation *before, Type type, int64_t value) {
  return constant(before, Builder(before->getContext()).getIntegerAttr(type, value));
}

/// Operations of one kind for which `test` holds.
template <class Op> static auto where(bool (*test)(Op)) {
  return [test](ModuleOp module) {
    std::vector<Operation *> result;
    module.walk([&](Op op) {
      if (test(op))
        result.push_back(op);
    });
    return result;
  };
}

template <class Op> static auto all() {
  return where<Op>([](Op) { return true; });
}

static void erase(Operation *op) { op->erase(); }

static void handOn(Operation *op) {
  op->replaceAllUsesWith(op->getOperands());
  op->erase();
}

/// Lets one more group go on.
template <class Op> static void waitForLess(Operation *op) {
  auto wait = cast<Op>(op);
  wait.setPending(wait.getPending() + 1);
}

static void xorWith(OpOperand &operand, int64_t bits) {
  Operation *op = operand.getOwner();
  OpBuilder builder(op);
  Value mask = constant(op, operand.get().getType(), bits);
  operand.set(arith::XOrIOp::create(builder, op->getLoc(), operand.get(), mask));
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// A wait for a slot to be free passes in the first round.
static bool isNeeded(sm::BarrierTryWaitOp wait) { return !matchPattern(wait.getParity(), m_One()); }

static void flipParity(Operation *op) {
  xorWith(cast<sm::BarrierTryWaitOp>(op).getParityMutable(), 1);
}

static void countMore(Operation *op) {
  auto init = cast<sm::BarrierInitOp>(op);
  OpBuilder builder(op);
  Value one = constant(op, builder.getI32Type(), 1);
  init.getCountMutable().assign(arith::AddIOp::create(builder, op->getLoc(), init.getCount(), one));
}

static void dropArrivalPredicate(Operation *op) {
  cast<sm::BarrierArriveOp>(op).getPredicateMutable().clear();
}

//===----------------------------------------------------------------------===//
// Work items
//===----------------------------------------------------------------------===//

static bool isDraw(sm::AtomicGlobalOp op) { return op.getKind() == sm::AtomicKind::Inc; }

/// The counter wraps elsewhere.
static void changeLimit(Operation *op) {
  xorWith(cast<sm::AtomicGlobalOp>(op).getValueMutable(), 8);
}

/// Leaves an item out.
static void skipItem(Operation *op) {
  OpBuilder builder(op->getBlock(), std::next(op->getIterator()));
  Value old = cast<sm::AtomicGlobalOp>(op).getOld();
  Value one = arith::ConstantOp::create(builder, op->getLoc(), builder.getI32IntegerAttr(1));
  Value next = arith::AddIOp::create(builder, op->getLoc(), old, one);
  old.replaceAllUsesExcept(next, next.getDefiningOp());
}

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// Around accesses to memory, not around the choice of a number.
static bool isPredicate(scf::IfOp branch) {
  if (matchPattern(branch.getCondition(), m_Constant()))
    return false;
  auto accesses = [](Operation *op) {
    return isa_and_nonnull<sm::SMDialect>(op->getDialect()) && !isMemoryEffectFree(op);
  };
  return llvm::any_of(branch.getThenRegion().front(), [&](Operation &op) { return accesses(&op); });
}

static void always(Operation *op) {
  auto branch = cast<scf::IfOp>(op);
  branch.getConditionMutable().assign(constant(op, IntegerType::get(op->getContext(), 1), 1));
}

/// Of elements.
static bool isMask(arith::SelectOp select) {
  return isa<VectorType>(select.getCondition().getType()) &&
         !matchPattern(select.getCondition(), m_Constant());
}

static void unmask(Operation *op) {
  auto select = cast<arith::SelectOp>(op);
  auto type = cast<ShapedType>(select.getCondition().getType());
  select.getConditionMutable().assign(constant(op, DenseElementsAttr::get(type, true)));
}

static bool isBounded(sm::CpAsyncOp copy) {
  return !matchPattern(copy.getSourceBytes(), m_Constant());
}

/// Copies what lies past the end.
static void copyAll(Operation *op) {
  auto copy = cast<sm::CpAsyncOp>(op);
  copy.getSourceBytesMutable().assign(
      constant(op, copy.getSourceBytes().getType(), copy.getBytes()));
}

//===----------------------------------------------------------------------===//
// Swizzles
//===----------------------------------------------------------------------===//

/// Of two values: not a negation.
static bool isSwizzle(arith::XOrIOp op) {
  return !op.use_empty() && op.getType().isInteger(32) &&
         !matchPattern(op.getLhs(), m_Constant()) && !matchPattern(op.getRhs(), m_Constant());
}

static void dropSwizzle(Operation *op) {
  op->getResult(0).replaceAllUsesWith(op->getOperand(0));
  op->erase();
}

static void turnTarget(Operation *op) { xorWith(cast<sm::CpAsyncOp>(op).getTargetMutable(), 16); }

/// The other swizzle: 128 bytes become 64, 64 become 32.
static void changeB(Operation *op) {
  xorWith(cast<sm::WgmmaOp>(op).getBMutable(), int64_t(3) << 62);
}

static bool hasDescriptorA(sm::WgmmaOp op) { return op.getA().getType().isInteger(64); }

static void changeA(Operation *op) {
  xorWith(cast<sm::WgmmaOp>(op).getAMutable(), int64_t(3) << 62);
}

/// The slab arrives 8 rows further on.
static void shiftTarget(Operation *op) {
  auto load = cast<sm::TmaLoadOp>(op);
  OpBuilder builder(op);
  Value bytes = constant(op, builder.getI32Type(), 1024);
  load.getTargetMutable().assign(
      arith::AddIOp::create(builder, op->getLoc(), load.getTarget(), bytes));
}

static std::vector<Operation *> kernelsWithMaps(ModuleOp module) {
  std::vector<Operation *> result;
  for (auto kernel : module.getOps<func::FuncOp>())
    if (auto launch = kernel->getAttrOfType<DictionaryAttr>("tile.launch"))
      if (auto maps = launch.getAs<ArrayAttr>("maps"); maps && !maps.empty())
        result.push_back(kernel);
  return result;
}

/// The tensor maps say another swizzle than the descriptors.
static void changeMaps(Operation *kernel) {
  auto launch = kernel->getAttrOfType<DictionaryAttr>("tile.launch");
  SmallVector<Attribute> maps;
  Builder builder(kernel->getContext());
  for (Attribute entry : launch.getAs<ArrayAttr>("maps")) {
    NamedAttrList recipe(cast<DictionaryAttr>(entry));
    bool is64 = cast<IntegerAttr>(recipe.get("swizzle")).getInt() == 64;
    recipe.set("swizzle", builder.getI64IntegerAttr(is64 ? 32 : 64));
    maps.push_back(recipe.getDictionary(kernel->getContext()));
  }
  NamedAttrList changed(launch);
  changed.set("maps", builder.getArrayAttr(maps));
  kernel->setAttr("tile.launch", changed.getDictionary(kernel->getContext()));
}

const std::vector<MutantKind> &mutantKinds() {
  static const std::vector<MutantKind> kinds = {
      {"barrier", all<sm::BarrierOp>(), erase, each},
      {"warp barrier", all<sm::WarpBarrierOp>(), erase, each},
      {"named barrier", all<sm::NamedBarrierOp>(), erase, each},
      {"proxy fence", all<sm::FenceProxyOp>(), erase, each},
      {"fence of barriers", all<sm::FenceBarrierInitOp>(), erase, each},
      {"copies' wait", all<sm::CpAsyncWaitOp>(), erase, each},
      {"copies' wait for less", all<sm::CpAsyncWaitOp>(), waitForLess<sm::CpAsyncWaitOp>, each},
      {"copies' commit", all<sm::CpAsyncCommitOp>(), erase, each},
      {"copies' arrival", all<sm::CpAsyncArriveOp>(), erase, each},
      {"products' fence", all<sm::WgmmaFenceOp>(), handOn, each},
      {"products' commit", all<sm::WgmmaCommitOp>(), erase, each},
      {"products' wait for less", all<sm::WgmmaWaitOp>(), waitForLess<sm::WgmmaWaitOp>, each},
      {"mbarrier wait", where<sm::BarrierTryWaitOp>(isNeeded), erase, each},
      {"mbarrier parity", all<sm::BarrierTryWaitOp>(), flipParity, each},
      {"mbarrier arrival", all<sm::BarrierArriveOp>(), erase, each},
      {"mbarrier announcement", all<sm::BarrierArriveExpectTxOp>(), erase, each},
      {"mbarrier count", all<sm::BarrierInitOp>(), countMore, each},
      {"mbarrier arrival's predicate",
       where<sm::BarrierArriveOp>([](sm::BarrierArriveOp op) { return bool(op.getPredicate()); }),
       dropArrivalPredicate, each},
      {"bulk copy", all<sm::TmaLoadOp>(), erase, each},
      {"counter's limit", where<sm::AtomicGlobalOp>(isDraw), changeLimit, each},
      {"drawn item", where<sm::AtomicGlobalOp>(isDraw), skipItem, each},
      {"predicate", where<scf::IfOp>(isPredicate), always, 2 * some},
      {"mask", where<arith::SelectOp>(isMask), unmask, some},
      {"copied bytes", where<sm::CpAsyncOp>(isBounded), copyAll, some},
      {"swizzle of an address", where<arith::XOrIOp>(isSwizzle), dropSwizzle, some},
      {"swizzle of a copy", all<sm::CpAsyncOp>(), turnTarget, some},
      {"swizzle of a left operand", where<sm::WgmmaOp>(hasDescriptorA), changeA, some},
      {"swizzle of a right operand", all<sm::WgmmaOp>(), changeB, some},
      {"swizzle of tensor maps", kernelsWithMaps, changeMaps, each},
      {"row of a bulk copy", all<sm::TmaLoadOp>(), shiftTarget, each},
  };
  return kinds;
}

} // namespace tilec::test
