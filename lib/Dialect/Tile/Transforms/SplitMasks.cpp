//===- SplitMasks.cpp - masks only in the tiles that need them ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopTest.h"
#include "MaskTest.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-split-masks"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_SPLITMASKSPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// Below this many elements a mask costs less than the branch around it.
constexpr int64_t fewestElements = 1024;

struct SplitMasks : tilec::impl::SplitMasksPassBase<SplitMasks> {
  void runOnOperation() override;

  bool fold(arith::SelectOp select);
  void split(arith::SelectOp select);
};

/// Copies a mask's operations to where they are needed, each once.
class MaskCloner {
public:
  explicit MaskCloner(OpBuilder &builder) : builder(builder) {}

  Value clone(Value value);
  unsigned numCloned() const { return cloned; }

private:
  OpBuilder &builder;
  IRMapping mapping;
  unsigned cloned = 0;
};
} // namespace

void SplitMasks::runOnOperation() {
  SmallVector<arith::SelectOp> selects;
  getOperation().walk([&](arith::SelectOp select) {
    auto mask = dyn_cast<RankedTensorType>(select.getCondition().getType());
    if (mask && mask.getNumElements() >= fewestElements)
      selects.push_back(select);
  });
  for (arith::SelectOp select : selects)
    if (!fold(select))
      split(select);
}

/// The fragments' operations behind `value`, operands before their users.
static void collectTree(Value value, SetVector<Operation *> &tree) {
  Operation *op = value.getDefiningOp();
  if (!op || !isa<RankedTensorType>(value.getType()) || tree.contains(op))
    return;
  for (Value operand : op->getOperands())
    collectTree(operand, tree);
  tree.insert(op);
}

static void replaceSelect(arith::SelectOp select, Value by) {
  SetVector<Operation *> mask;
  collectTree(select.getCondition(), mask);
  select.replaceAllUsesWith(by);
  select.erase();
  for (Operation *op : llvm::reverse(mask))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// A mask that is the same in all tiles needs no test.
bool SplitMasks::fold(arith::SelectOp select) {
  for (bool value : {true, false}) {
    MaskTest test(select);
    Value same = test.build(select.getCondition(), value);
    bool always = same && matchPattern(same, m_One());
    test.eraseUnused();
    if (!always)
      continue;
    replaceSelect(select, value ? select.getTrueValue() : select.getFalseValue());
    ++folded;
    return true;
  }
  return false;
}

static bool isConstant(Value value) { return matchPattern(value, m_Constant()); }

Value MaskCloner::clone(Value value) {
  Operation *op = value.getDefiningOp();
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (!op || !isa<RankedTensorType>(value.getType()) || op->getNumResults() != 1 ||
      !isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpIOp, arith::AddIOp, arith::SubIOp,
           arith::MulIOp, arith::ExtSIOp, arith::SelectOp, arith::ConstantOp, tile::BroadcastOp,
           tile::IotaOp>(op))
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, clone(operand));
  Value copy = builder.clone(*op, mapping)->getResult(0);
  mapping.map(value, copy);
  ++cloned;
  return copy;
}

void SplitMasks::split(arith::SelectOp select) {
  // Keep the side that was computed: it is the one that most tiles want.
  bool wanted = !isConstant(select.getTrueValue()) || isConstant(select.getFalseValue());
  MaskTest test(select);
  Value same = test.build(select.getCondition(), wanted);
  if (auto loop = select->getParentOfType<scf::ForOp>(); loop && same)
    same = testInLoop(same, loop, select);
  if (!same || matchPattern(same, m_Zero())) {
    test.eraseUnused();
    return;
  }
  Value kept = wanted ? select.getTrueValue() : select.getFalseValue();
  unsigned cloned = 0;
  OpBuilder builder(select);
  auto branch = scf::IfOp::create(
      builder, select.getLoc(), same,
      [&](OpBuilder &inner, Location loc) { scf::YieldOp::create(inner, loc, kept); },
      [&](OpBuilder &inner, Location loc) {
        MaskCloner cloner(inner);
        Value mask = cloner.clone(select.getCondition());
        Value masked = arith::SelectOp::create(inner, loc, mask, select.getTrueValue(),
                                               select.getFalseValue());
        scf::YieldOp::create(inner, loc, masked);
        cloned = cloner.numCloned();
      });
  remark::passed(select.getLoc(), remark::RemarkOpts::name("mask").category("masks"))
      << llvm::formatv("{0} operations that mask {1} elements run only in tiles that need them",
                       cloned + 1,
                       cast<RankedTensorType>(select.getCondition().getType()).getNumElements())
             .str();
  ++splitMasks;
  replaceSelect(select, branch.getResult(0));
  test.eraseUnused();
}
