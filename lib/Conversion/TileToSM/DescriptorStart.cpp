//===- DescriptorStart.cpp - where a wgmma descriptor's matrix starts ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kUnit = 16, kFieldMask = 0x3FFFF;

/// `term` / 16, where it is a number times a multiple of 16; null otherwise.
static Value inUnits(Emitter e, Value term) {
  APInt constant;
  if (auto shift = term.getDefiningOp<arith::ShLIOp>())
    if (matchPattern(shift.getRhs(), m_ConstantInt(&constant)) &&
        constant.uge(llvm::Log2_64(kUnit)))
      return e.shiftLeft(shift.getLhs(), constant.getZExtValue() - llvm::Log2_64(kUnit));
  if (auto product = term.getDefiningOp<arith::MulIOp>())
    if (matchPattern(product.getRhs(), m_ConstantInt(&constant)) && !constant.isNegative() &&
        constant.srem(kUnit) == 0)
      return e.mul(product.getLhs(), constant.getSExtValue() / kUnit);
  return {};
}

/// What `address` is the sum of.
static SmallVector<Value> termsOf(Value address) {
  SmallVector<Value> open{address}, terms;
  while (!open.empty()) {
    Value term = open.pop_back_val();
    if (auto sum = term.getDefiningOp<arith::AddIOp>())
      open.append({sum.getRhs(), sum.getLhs()});
    else
      terms.push_back(term);
  }
  return terms;
}

static Value fieldOf(Emitter e, Value address) {
  return e.shiftRight(e.bitAnd(address, kFieldMask), llvm::Log2_64(kUnit));
}

Value tilec::to_sm::descriptorAt(Emitter e, Value address, bool isPart, uint64_t descriptor) {
  // Of a part that grows with a loop, LLVM would make a descriptor in 64 bits that grows, and
  // ptxas 13.0 lost its upper word where it unrolled that loop (stepped_gemm, a test kernel).
  if (isPart)
    return e.bitOr(e.widen(fieldOf(e, address)), e.i64(static_cast<int64_t>(descriptor)));
  Value start, moving;
  for (Value term : termsOf(address))
    if (Value units = inUnits(e, term))
      moving = moving ? e.add(moving, units) : units;
    else
      start = start ? e.add(start, term) : term;
  // The field is at the bottom of the lower word: nothing is carried into the upper one.
  Value lower = e.i32(static_cast<int32_t>(llvm::Lo_32(descriptor)));
  if (start)
    lower = e.bitOr(fieldOf(e, start), lower);
  if (moving)
    lower = e.add(lower, moving);
  return e.bitOr(e.widen(lower), e.i64(static_cast<int64_t>(descriptor & ~uint64_t(UINT32_MAX))));
}
