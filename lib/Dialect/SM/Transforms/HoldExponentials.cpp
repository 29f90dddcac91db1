//===- HoldExponentials.cpp - half of them behind a wait --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HoldExponentials.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

/// Elements of a thread from which holding half of them pays for a comparison and the selections.
static constexpr int64_t kLeastElements = 16;

/// The repetition of a row's number for each of its elements that `exp` subtracts, behind `wait`;
/// null if there is none.
static vector::ShuffleOp subtractedBy(sm::Exp2Op exp, Operation *wait) {
  auto type = dyn_cast<VectorType>(exp.getType());
  auto difference = exp.getValue().getDefiningOp<arith::SubFOp>();
  if (!type || type.getNumElements() < kLeastElements || !difference)
    return {};
  auto repeat = difference.getRhs().getDefiningOp<vector::ShuffleOp>();
  bool follows = repeat && repeat->getBlock() == wait->getBlock() && wait->isBeforeInBlock(repeat);
  return follows && repeat.getV1() == repeat.getV2() ? repeat : vector::ShuffleOp();
}

/// The repetition with numbers for the second half of the elements that are known behind the wait
/// only.
static Value heldBy(vector::ShuffleOp repeat, Value sum) {
  OpBuilder b(repeat);
  Value late = sm::BehindOp::create(b, repeat.getLoc(), repeat.getV1(), sum);
  int64_t numbers = repeat.getV1VectorType().getNumElements();
  SmallVector<int64_t> mask;
  for (auto [position, number] : llvm::enumerate(repeat.getMask()))
    mask.push_back(number % numbers + (2 * position < repeat.getMask().size() ? 0 : numbers));
  return vector::ShuffleOp::create(b, repeat.getLoc(), repeat.getV1(), late, mask);
}

unsigned tilec::holdExponentials(Value sum) {
  auto wait = sum.getDefiningOp<sm::WgmmaWaitOp>();
  if (!wait)
    return 0;
  unsigned held = 0;
  for (auto exp : wait->getBlock()->getOps<sm::Exp2Op>())
    if (vector::ShuffleOp repeat = subtractedBy(exp, wait)) {
      exp.getValue().getDefiningOp<arith::SubFOp>().getRhsMutable().assign(heldBy(repeat, sum));
      ++held;
    }
  return held;
}
