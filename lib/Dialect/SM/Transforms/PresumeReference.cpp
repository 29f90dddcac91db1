//===- PresumeReference.cpp - exponentials before the maximum is known ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ComputeAgain.h"
#include "PresumedHalves.h"
#include "PresumedSums.h"

#include "tilec/Dialect/SM/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tilec {
#define GEN_PASS_DEF_PRESUMEREFERENCEPASS
#include "tilec/Dialect/SM/Transforms/Passes.h.inc"
} // namespace tilec

using namespace mlir;
using namespace tilec;

namespace {
class PresumeReference : public tilec::impl::PresumeReferencePassBase<PresumeReference> {
public:
  void runOnOperation() override;
};

/// Rewrites one block.
class Presumer {
public:
  explicit Presumer(PresumedBlock block)
      : in(std::move(block)), loc(in.follows.getLoc()), last(in.dependents.back()) {}
  void run();

private:
  using Mapping = IRMapping;

  void presume();
  SmallVector<Value> results();
  SmallVector<Value> valuesOf(Mapping &mapping, ArrayRef<Value> wanted);
  void scale(OpBuilder &b, Value movement, Mapping &mapping);
  void computeAgain(OpBuilder &b, Mapping &mapping);
  void eraseOriginals();

  PresumedBlock in;
  Location loc;
  Operation *last;
  Mapping presumed;
  Value shift; // what presumed weights are relative to: the reference, or 0 where that is -inf
};
} // namespace

//===----------------------------------------------------------------------===//
// Where the reference stays
//===----------------------------------------------------------------------===//

/// Clones what depends on the reference, each in front of the original, with the carried one. Rows
/// without a reference are corrected in any case; of the others what was summed up stays as it is.
void Presumer::presume() {
  DenseSet<Value> zeros, ones;
  auto now = [&](Value value) { return presumed.lookupOrDefault(value); };
  auto isReference = [&](Value value) {
    return now(value) == in.reference ||
           (presumed.contains(in.shift) && now(value) == presumed.lookup(in.shift));
  };
  presumed.map(in.follows.getResult(), in.reference);
  for (Operation *op : in.dependents) {
    OpBuilder b(op);
    Value result = op->getResult(0);
    auto difference = dyn_cast<arith::SubFOp>(op);
    auto product = dyn_cast<arith::MulFOp>(op);
    if (difference && isReference(difference.getLhs()) && isReference(difference.getRhs()))
      presumed.map(*zeros.insert(result).first, splat(b, loc, result.getType(), 0));
    else if (auto exp = dyn_cast<sm::Exp2Op>(op); exp && zeros.contains(exp.getValue()))
      presumed.map(*ones.insert(result).first, splat(b, loc, result.getType(), 1));
    else if (auto repeat = dyn_cast<vector::ShuffleOp>(op); repeat && ones.contains(repeat.getV1()))
      presumed.map(*ones.insert(result).first,
                   b.clone(*op, presumed)->getResult(0)); // sm-skip-scaling looks for it
    else if (product && ones.contains(product.getLhs()))
      presumed.map(result, now(product.getRhs()));
    else if (product && ones.contains(product.getRhs()))
      presumed.map(result, now(product.getLhs()));
    else
      b.clone(*op, presumed);
  }
  shift = presumed.lookup(in.shift);
}

//===----------------------------------------------------------------------===//
// Where it does not
//===----------------------------------------------------------------------===//

/// What the block's end, or another value that stays, uses of the dependents.
SmallVector<Value> Presumer::results() {
  SmallVector<Value> values;
  auto isUsed = [&](Value value) {
    return llvm::any_of(value.getUsers(), [&](Operation *user) {
      return !in.dependents.contains(user) && !isa<sm::OrderOp>(user);
    });
  };
  if (isUsed(in.follows))
    values.push_back(in.follows);
  for (Operation *op : in.dependents)
    llvm::copy_if(op->getResults(), std::back_inserter(values), isUsed);
  return values;
}

SmallVector<Value> Presumer::valuesOf(Mapping &mapping, ArrayRef<Value> wanted) {
  return llvm::map_to_vector(wanted, [&](Value value) { return mapping.lookup(value); });
}

/// The weights, and what was summed up before, with a reference that is a whole number away: exact
/// products.
void Presumer::scale(OpBuilder &b, Value movement, Mapping &mapping) {
  Value reference = arith::AddFOp::create(b, loc, shift, movement);
  Value factors = sm::Exp2Op::create(b, loc, arith::SubFOp::create(b, loc, shift, reference));
  mapping.map(in.follows.getResult(), reference);
  for (Operation *op : in.dependents) {
    if (op == in.sums)
      mapping.map(op->getResult(0),
                  arith::MulFOp::create(b, loc, presumed.lookup(op->getResult(0)), factors));
    else if (op == in.narrowed) {
      Value narrow = presumed.lookup(op->getResult(0));
      Value repeated = vector::ShuffleOp::create(b, loc, factors, factors, in.rowOf);
      Value same = arith::TruncFOp::create(b, loc, narrow.getType(), repeated);
      mapping.map(op->getResult(0), arith::MulFOp::create(b, loc, narrow, same));
    } else if (!in.ofWeights.contains(op)) {
      b.clone(*op, mapping);
    }
  }
}

/// The scores, and all that depends on them.
void Presumer::computeAgain(OpBuilder &b, Mapping &mapping) {
  mapping.map(in.again.getResult(), computeScoresAgain(b, in.again));
  for (Operation *op : in.fromScores)
    b.clone(*op, mapping);
}

void Presumer::eraseOriginals() {
  Block *block = in.follows->getBlock();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(*block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void Presumer::run() {
  presume();
  for (sm::OrderOp order : in.orders) {
    holdHalf(in, presumed, shift, order);
    order.erase();
  }
  PresumedSums sums(in, presumed.lookup(in.sums.getResult()));
  OpBuilder b(last->getBlock(), std::next(Block::iterator(last)));
  SmallVector<Value> wanted = results();
  TypeRange types = ValueRange(wanted).getTypes();
  auto branch = scf::IfOp::create(b, loc, types, sums.needCorrection(b), /*withElseRegion=*/true);
  OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
  scf::YieldOp::create(otherwise, loc, valuesOf(presumed, wanted));

  OpBuilder rare = OpBuilder::atBlockBegin(branch.thenBlock());
  Value greatest = sums.greatest(rare);
  auto again =
      scf::IfOp::create(rare, loc, types, sums.areLost(rare, greatest), /*withElseRegion=*/true);
  scf::YieldOp::create(rare, loc, again.getResults());
  Mapping fresh, scaled;
  OpBuilder lost = OpBuilder::atBlockBegin(again.thenBlock()),
            scaling = OpBuilder::atBlockBegin(again.elseBlock());
  computeAgain(lost, fresh);
  scf::YieldOp::create(lost, loc, valuesOf(fresh, wanted));
  scale(scaling, sums.movement(scaling, greatest), scaled);
  scf::YieldOp::create(scaling, loc, valuesOf(scaled, wanted));

  for (auto [value, result] : llvm::zip(wanted, branch.getResults()))
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      Operation *user = use.getOwner();
      return !in.dependents.contains(user) && !branch->isAncestor(user);
    });
  eraseOriginals();
}

/// The next one, each of them once; rewriting one may bring values of another one into a branch.
static std::optional<PresumedBlock> findNext(func::FuncOp kernel, DenseSet<Operation *> &seen) {
  std::optional<PresumedBlock> found;
  kernel.walk([&](arith::SelectOp op) {
    if (seen.insert(op).second)
      found = findPresumedBlock(op);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

void PresumeReference::runOnOperation() {
  // On the simple path nothing runs beside the maximum.
  if (getOperation()->hasAttr("tile.producer_warps")) {
    DenseSet<Operation *> seen;
    while (std::optional<PresumedBlock> block = findNext(getOperation(), seen)) {
      Presumer(std::move(*block)).run();
      ++presumed;
    }
  }
  getOperation().walk([](sm::AgainOp again) {
    again.replaceAllUsesWith(again.getValue());
    again.erase();
  });
}
