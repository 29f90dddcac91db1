//===- ScalarRange.cpp - what values a scalar integer can have ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ScalarRange.h"
#include "mlir/IR/Matchers.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec;

/// Operations looked through; chains of address arithmetic are short.
static constexpr unsigned deepest = 8;

ScalarRange tilec::rangeOfWidth(unsigned width) {
  return {llvm::minIntN(width), llvm::maxIntN(width)};
}

static ScalarRange rangeAt(Value value, unsigned depth);

/// The range of a sum or difference, or everything if it may wrap around.
static ScalarRange rangeOfSum(Operation *op, bool subtract, unsigned width, unsigned depth) {
  ScalarRange a = rangeAt(op->getOperand(0), depth), b = rangeAt(op->getOperand(1), depth);
  int64_t min = 0, max = 0;
  bool wraps = subtract
                   ? llvm::SubOverflow(a.min, b.max, min) | llvm::SubOverflow(a.max, b.min, max)
                   : llvm::AddOverflow(a.min, b.min, min) | llvm::AddOverflow(a.max, b.max, max);
  ScalarRange all = rangeOfWidth(width);
  return !wraps && ScalarRange{min, max}.within(all) ? ScalarRange{min, max} : all;
}

/// Of a number that is shifted right; everything if perhaps by more than it has bits.
static ScalarRange rangeOfShift(ScalarRange number, ScalarRange by, unsigned width) {
  if (by.min < 0 || by.max >= width)
    return rangeOfWidth(width);
  return {std::min(number.min >> by.min, number.min >> by.max),
          std::max(number.max >> by.min, number.max >> by.max)};
}

static ScalarRange rangeAt(Value value, unsigned depth) {
  unsigned width = value.getType().getIntOrFloatBitWidth();
  ScalarRange all = rangeOfWidth(width);
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return {constant.getSExtValue(), constant.getSExtValue()};
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return all;
  auto operand = [&](unsigned index) { return rangeAt(op->getOperand(index), depth - 1); };
  return TypeSwitch<Operation *, ScalarRange>(op)
      .Case([&](tile::DimOp) { return ScalarRange{0, all.max}; })
      .Case([&](arith::ExtSIOp) { return operand(0); })
      .Case([&](arith::TruncIOp) { return operand(0).within(all) ? operand(0) : all; })
      .Case([&](arith::MaxSIOp) {
        ScalarRange a = operand(0), b = operand(1);
        return ScalarRange{std::max(a.min, b.min), std::max(a.max, b.max)};
      })
      .Case([&](arith::MinSIOp) {
        ScalarRange a = operand(0), b = operand(1);
        return ScalarRange{std::min(a.min, b.min), std::min(a.max, b.max)};
      })
      .Case([&](arith::SelectOp) {
        ScalarRange a = operand(1), b = operand(2);
        return ScalarRange{std::min(a.min, b.min), std::max(a.max, b.max)};
      })
      .Case([&](arith::ShRSIOp) { return rangeOfShift(operand(0), operand(1), width); })
      .Case([&](arith::AddIOp) { return rangeOfSum(op, /*subtract=*/false, width, depth - 1); })
      .Case([&](arith::SubIOp) { return rangeOfSum(op, /*subtract=*/true, width, depth - 1); })
      .Default(all);
}

ScalarRange tilec::rangeOf(Value value) { return rangeAt(value, deepest); }
