//===- PresumeReference.cpp - exponentials before the maximum is known ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ComputeAgain.h"
#include "PresumedBlock.h"

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

/// Where a row's sum is above the first, a weight may have become infinite, in f32 or bf16. Where
/// that of a row without a reference is below the second, weights that count may have become 0.
static constexpr double kMostScaled = 0x1p120, kLeastScaled = 0x1p-60;

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
  void holdHalf(sm::OrderOp order);
  Value any(OpBuilder &b, Value ofRows);
  Value compare(OpBuilder &b, arith::CmpFPredicate predicate, Value value, double with);
  Value isUnset(OpBuilder &b);
  SmallVector<Value> results();
  SmallVector<Value> valuesOf(Mapping &mapping, ArrayRef<Value> wanted);
  Value greatestSums(OpBuilder &b);
  Value areLost(OpBuilder &b, Value greatest);
  void scale(OpBuilder &b, Value greatest, Mapping &mapping);
  Value movement(OpBuilder &b, Value greatest);
  void computeAgain(OpBuilder &b, Mapping &mapping);
  void eraseOriginals();

  Value splat(OpBuilder &b, Type type, double value) {
    return arith::ConstantOp::create(
        b, loc,
        cast<TypedAttr>(SplatElementsAttr::get(cast<ShapedType>(type), b.getF32FloatAttr(value))));
  }

  PresumedBlock in;
  Location loc;
  Operation *last;
  Mapping presumed;
  Value sums;  // of the presumed weights, for each row of the thread
  Value shift; // what they are relative to: the reference, or 0 where that is -inf
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
      presumed.map(*zeros.insert(result).first, splat(b, result.getType(), 0));
    else if (auto exp = dyn_cast<sm::Exp2Op>(op); exp && zeros.contains(exp.getValue()))
      presumed.map(*ones.insert(result).first, splat(b, result.getType(), 1));
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
  sums = presumed.lookup(in.sums.getResult());
  shift = presumed.lookup(in.shift);
}

//===----------------------------------------------------------------------===//
// Before and behind the wait for the late product
//===----------------------------------------------------------------------===//

/// Elements `from` to `end` of a vector.
static Value part(OpBuilder &b, Location loc, Value vector, int64_t from, int64_t end) {
  return vector::ShuffleOp::create(b, loc, vector, vector, llvm::to_vector(llvm::seq(from, end)));
}

/// The sum of the elements of each row, in four chains.
static Value sumRows(OpBuilder &b, Location loc, Value weights, ArrayRef<int64_t> rowOf,
                     int64_t rows) {
  SmallVector<Value> totals;
  for (int64_t row = 0; row < rows; ++row) {
    SmallVector<Value> chains(4);
    unsigned count = 0;
    for (auto [position, of] : llvm::enumerate(rowOf)) {
      if (of % rows != row)
        continue;
      Value element = vector::ExtractOp::create(b, loc, weights, static_cast<int64_t>(position));
      Value &chain = chains[count++ % 4];
      chain = chain ? arith::AddFOp::create(b, loc, chain, element).getResult() : element;
    }
    Value total = chains.front();
    for (Value chain : ArrayRef(chains).drop_front())
      total = chain ? arith::AddFOp::create(b, loc, total, chain).getResult() : total;
    totals.push_back(total);
  }
  return vector::FromElementsOp::create(b, loc, VectorType::get({rows}, b.getF32Type()), totals);
}

/// One half of the exponentials, and their sums, in front of the wait for the late product, the
/// other half behind it: ptxas would move all of them to one side.
void Presumer::holdHalf(sm::OrderOp order) {
  sm::WgmmaWaitOp wait;
  for (Operation *op = order->getNextNode(); op && !wait; op = op->getNextNode())
    wait = dyn_cast<sm::WgmmaWaitOp>(op);
  auto ofFloats = [](Value value) { return getElementTypeOrSelf(value.getType()).isF32(); };
  auto weights = presumed.lookup(in.weights.getResult()).getDefiningOp<sm::Exp2Op>();
  auto difference = weights.getValue().getDefiningOp<arith::SubFOp>();
  Operation *scores = difference.getLhs().getDefiningOp();
  if (!wait || !llvm::any_of(wait.getResults(), ofFloats) || !wait->isBeforeInBlock(weights) ||
      !scores || !scores->isBeforeInBlock(order))
    return;
  ArrayRef<int64_t> rowOf = in.rowOf;
  int64_t count = rowOf.size(), half = count / 2;
  auto exponentials = [&](OpBuilder &b, Value reference, int64_t from, int64_t end) {
    Value scores = part(b, loc, difference.getLhs(), from, end);
    Value repeated =
        vector::ShuffleOp::create(b, loc, reference, reference, rowOf.slice(from, end - from));
    return sm::Exp2Op::create(b, loc, arith::SubFOp::create(b, loc, scores, repeated)).getResult();
  };
  OpBuilder front(order), behind(weights);
  // Behind the wait in the author's order; what it is computed from is there before.
  Operation *ofShift = shift.getDefiningOp();
  for (Operation *op : {ofShift ? ofShift->getOperand(0).getDefiningOp() : nullptr, ofShift})
    if (op && op->getBlock() == order->getBlock() && !op->isBeforeInBlock(order))
      op->moveBefore(order);
  Value early = exponentials(front, shift, 0, half);
  Value earlySums = sumRows(front, loc, early, rowOf.take_front(half), in.rows());
  sm::OrderOp::create(front, loc, earlySums);
  Value later =
      sm::BehindOp::create(behind, loc, shift, *llvm::find_if(wait.getResults(), ofFloats));
  Value late = exponentials(behind, later, half, count);
  Value lateSums = sumRows(behind, loc, late, rowOf.drop_front(half), in.rows());
  sums = arith::AddFOp::create(behind, loc, earlySums, lateSums);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(
        vector::ExtractOp::create(behind, loc, i < half ? early : late, i < half ? i : i - half));
  weights.replaceAllUsesWith(
      vector::FromElementsOp::create(behind, loc, weights.getType(), elements).getResult());
  presumed.lookup(in.sums.getResult()).replaceAllUsesWith(sums);
  presumed.map(in.sums.getResult(), sums);
}

//===----------------------------------------------------------------------===//
// Where it does not
//===----------------------------------------------------------------------===//

/// True in all lanes of the warp if the condition holds for a row of one of them.
Value Presumer::any(OpBuilder &b, Value ofRows) {
  Value result;
  for (int64_t row = 0; row < in.rows(); ++row) {
    Value one = vector::ExtractOp::create(b, loc, ofRows, row);
    result = result ? arith::OrIOp::create(b, loc, result, one).getResult() : one;
  }
  return sm::VoteOp::create(b, loc, sm::VoteMode::Any, result);
}

/// Ordered: NaN does not satisfy it. Such a row is NaN in any way.
Value Presumer::compare(OpBuilder &b, arith::CmpFPredicate predicate, Value value, double with) {
  return arith::CmpFOp::create(b, loc, predicate, value, splat(b, value.getType(), with));
}

/// Rows that nothing was summed up of yet: their reference is -inf, and their weights are relative
/// to 0.
Value Presumer::isUnset(OpBuilder &b) {
  return compare(b, arith::CmpFPredicate::OEQ, in.reference,
                 -std::numeric_limits<double>::infinity());
}

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

/// How far the row's reference moves, a whole number: to where its greatest sum is between 1 and 2;
/// 0 where that need not be.
Value Presumer::movement(OpBuilder &b, Value greatest) {
  constexpr int64_t mantissaBits = 23, bias = 127;
  auto integers = VectorType::get({in.rows()}, b.getI32Type());
  auto number = [&](int64_t value) {
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(integers, static_cast<int32_t>(value)))
        .getResult();
  };
  Value bits = arith::BitcastOp::create(b, loc, integers, greatest);
  Value exponent = arith::SubIOp::create(
      b, loc, arith::ShRUIOp::create(b, loc, bits, number(mantissaBits)), number(bias));
  Value moved = arith::SIToFPOp::create(b, loc, greatest.getType(), exponent);
  Value above = compare(b, arith::CmpFPredicate::OGT, greatest, std::exp2(in.lag));
  Value moves = arith::OrIOp::create(b, loc, above, isUnset(b));
  return arith::SelectOp::create(b, loc, moves, moved, splat(b, greatest.getType(), 0));
}

/// The weights, and what was summed up before, with a reference that is a whole number away: exact
/// products.
void Presumer::scale(OpBuilder &b, Value greatest, Mapping &mapping) {
  Value reference = arith::AddFOp::create(b, loc, shift, movement(b, greatest));
  Value factors = sm::Exp2Op::create(b, loc, arith::SubFOp::create(b, loc, shift, reference));
  mapping.map(in.follows.getResult(), reference);
  for (Operation *op : in.dependents) {
    if (op == in.sums)
      mapping.map(op->getResult(0), arith::MulFOp::create(b, loc, sums, factors));
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

/// The greatest sum of each row, of all lanes that share it.
Value Presumer::greatestSums(OpBuilder &b) {
  Value greatest = sums;
  for (Value lanes : in.lanesOfRow)
    greatest = arith::MaxNumFOp::create(
        b, loc, greatest, sm::ShuffleOp::create(b, loc, sm::ShuffleMode::Xor, greatest, lanes));
  return greatest;
}

/// True if a row's weights are too large, or, relative to 0, too small for what they were computed
/// from to show.
Value Presumer::areLost(OpBuilder &b, Value greatest) {
  Value large = compare(b, arith::CmpFPredicate::OGT, greatest, kMostScaled);
  Value small = compare(b, arith::CmpFPredicate::OLT, greatest, kLeastScaled);
  return any(b,
             arith::OrIOp::create(b, loc, large, arith::AndIOp::create(b, loc, small, isUnset(b))));
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
    holdHalf(order);
    order.erase();
  }
  OpBuilder b(last->getBlock(), std::next(Block::iterator(last)));
  SmallVector<Value> wanted = results();
  TypeRange types = ValueRange(wanted).getTypes();
  Value above = compare(b, arith::CmpFPredicate::OGT, sums, std::exp2(in.lag));
  Value corrected = any(b, arith::OrIOp::create(b, loc, above, isUnset(b)));
  auto branch = scf::IfOp::create(b, loc, types, corrected, /*withElseRegion=*/true);
  OpBuilder otherwise = OpBuilder::atBlockBegin(branch.elseBlock());
  scf::YieldOp::create(otherwise, loc, valuesOf(presumed, wanted));

  OpBuilder rare = OpBuilder::atBlockBegin(branch.thenBlock());
  Value greatest = greatestSums(rare);
  auto again =
      scf::IfOp::create(rare, loc, types, areLost(rare, greatest), /*withElseRegion=*/true);
  scf::YieldOp::create(rare, loc, again.getResults());
  Mapping fresh, scaled;
  OpBuilder lost = OpBuilder::atBlockBegin(again.thenBlock()),
            scaling = OpBuilder::atBlockBegin(again.elseBlock());
  computeAgain(lost, fresh);
  scf::YieldOp::create(lost, loc, valuesOf(fresh, wanted));
  scale(scaling, greatest, scaled);
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
