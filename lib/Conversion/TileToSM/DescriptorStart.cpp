//===- DescriptorStart.cpp - where a wgmma descriptor's matrix starts ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kUnit = 16, kFieldMask = 0x3FFFF;

/// True if an index of the program is in `number`; the compiler's own numbers, of slots and warpgroups, are i32 from
/// the start. Of an index that grows with a loop, LLVM makes a descriptor in 64 bits that grows, and ptxas 13.0 lost its
/// upper word where it unrolled that loop (stepped_gemm, a test kernel).
static bool hasIndex(Value number) {
  Operation *op = number.getDefiningOp();
  if (!op || !isa<arith::ArithDialect>(op->getDialect()))
    return false;
  return isa<arith::TruncIOp>(op) || llvm::any_of(op->getOperands(), hasIndex);
}

/// `term` / 16, where it is a number times a multiple of 16; null otherwise.
static Value inUnits(Emitter e, Value term) {
  APInt constant;
  if (auto shift = term.getDefiningOp<arith::ShLIOp>())
    if (matchPattern(shift.getRhs(), m_ConstantInt(&constant)) && constant.uge(llvm::Log2_64(kUnit)))
      return e.shiftLeft(shift.getLhs(), constant.getZExtValue() - llvm::Log2_64(kUnit));
  if (auto product = term.getDefiningOp<arith::MulIOp>())
    if (matchPattern(product.getRhs(), m_ConstantInt(&constant)) && constant.srem(kUnit) == 0)
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

static bool isNegative(Value term) {
  APInt constant;
  return matchPattern(term, m_ConstantInt(&constant)) && constant.isNegative();
}

static Value fieldOf(Emitter e, Value address) {
  return e.shiftRight(e.bitAnd(address, kFieldMask), llvm::Log2_64(kUnit));
}

Value tilec::to_sm::descriptorAt(Emitter e, Value address, uint64_t descriptor) {
  SmallVector<Value> terms = termsOf(address);
  // Beside a negative term, the others may lie outside of the field.
  if (hasIndex(address) || llvm::any_of(terms, isNegative))
    return e.bitOr(e.widen(fieldOf(e, address)), e.i64(static_cast<int64_t>(descriptor)));
  Value start, moving;
  for (Value term : terms)
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
