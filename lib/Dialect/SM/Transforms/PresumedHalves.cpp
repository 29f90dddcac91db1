//===- PresumedHalves.cpp - exponentials on both sides of a wait ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "PresumedHalves.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilec;

static bool isOfFloats(Value value) { return getElementTypeOrSelf(value.getType()).isF32(); }

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

/// The wait behind `order` for a product whose sums are in registers.
static sm::WgmmaWaitOp findWait(sm::OrderOp order) {
  for (Operation *op = order->getNextNode(); op; op = op->getNextNode())
    if (auto wait = dyn_cast<sm::WgmmaWaitOp>(op))
      return llvm::any_of(wait.getResults(), isOfFloats) ? wait : nullptr;
  return {};
}

void tilec::holdHalf(const PresumedBlock &block, IRMapping &presumed, Value shift,
                     sm::OrderOp order) {
  Location loc = block.follows->getLoc();
  sm::WgmmaWaitOp wait = findWait(order);
  auto weights = presumed.lookup(block.weights->getResult(0)).getDefiningOp<sm::Exp2Op>();
  auto difference = weights.getValue().getDefiningOp<arith::SubFOp>();
  Operation *scores = difference.getLhs().getDefiningOp();
  if (!wait || !wait->isBeforeInBlock(weights) || !scores || !scores->isBeforeInBlock(order))
    return;
  ArrayRef<int64_t> rowOf = block.rowOf;
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
  Value earlySums = sumRows(front, loc, early, rowOf.take_front(half), block.rows());
  sm::OrderOp::create(front, loc, earlySums);
  Value later =
      sm::BehindOp::create(behind, loc, shift, *llvm::find_if(wait.getResults(), isOfFloats));
  Value late = exponentials(behind, later, half, count);
  Value lateSums = sumRows(behind, loc, late, rowOf.drop_front(half), block.rows());
  Value sums = arith::AddFOp::create(behind, loc, earlySums, lateSums);
  SmallVector<Value> elements;
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(
        vector::ExtractOp::create(behind, loc, i < half ? early : late, i < half ? i : i - half));
  weights.replaceAllUsesWith(
      vector::FromElementsOp::create(behind, loc, weights.getType(), elements).getResult());
  presumed.lookup(block.sums->getResult(0)).replaceAllUsesWith(sums);
  presumed.map(block.sums->getResult(0), sums);
}
