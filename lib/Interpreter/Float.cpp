//===- Float.cpp - floating point, approximate functions, casts -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Values.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tilec::interp;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// f32 is a loop over floats; narrower types (their kind in `imm`) are computed in f32 and rounded.
template <auto function> static Outcome runUnary(Warp &warp, const Instr &instr) {
  const float *a = warp.words<float>(instr.a);
  float *dst = warp.words<float>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = function(a[i]);
  return Outcome::next;
}

template <auto function> static Outcome runUnaryNarrow(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = fromFloat(kind, function(toFloat(kind, a[i])));
  return Outcome::next;
}

template <auto function> static Outcome runBinary(Warp &warp, const Instr &instr) {
  const float *a = warp.words<float>(instr.a), *b = warp.words<float>(instr.b);
  float *dst = warp.words<float>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = function(a[i], b[i]);
  return Outcome::next;
}

template <auto function> static Outcome runBinaryNarrow(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = fromFloat(kind, function(toFloat(kind, a[i]), toFloat(kind, b[i])));
  return Outcome::next;
}

static Outcome runFma(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b),
                 *c = warp.words<uint32_t>(instr.c);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] =
        fromFloat(kind, std::fma(toFloat(kind, a[i]), toFloat(kind, b[i]), toFloat(kind, c[i])));
  return Outcome::next;
}

/// Which of equal 1, greater 2, less 4, unordered 8 the predicate accepts.
static uint32_t acceptedRelations(arith::CmpFPredicate predicate) {
  if (predicate == arith::CmpFPredicate::UNO)
    return 8;
  if (predicate == arith::CmpFPredicate::AlwaysTrue)
    return 15;
  auto number = static_cast<uint32_t>(predicate);
  return number < 8 ? number : (number - 7) | 8;
}

/// `target` are the accepted relations, `imm` the kind.
static Outcome runCompare(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i) {
    float x = toFloat(kind, a[i]), y = toFloat(kind, b[i]);
    uint32_t relation = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
    dst[i] = (relation & instr.target) != 0;
  }
  return Outcome::next;
}

/// From float kind to float kind; bit 16: the result saturates.
static Outcome runFloatCast(Warp &warp, const Instr &instr) {
  Kind from = static_cast<Kind>(instr.imm & 0xff), to = static_cast<Kind>(instr.imm >> 8 & 0xff);
  bool saturate = instr.imm >> 16;
  const uint32_t *a = warp.words<uint32_t>(instr.a);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = fromFloat(to, toFloat(from, a[i]), saturate);
  return Outcome::next;
}

/// Integer to float or back, whichever the kinds say; bit 16: signed.
static Outcome runNumberCast(Warp &warp, const Instr &instr) {
  Kind from = static_cast<Kind>(instr.imm & 0xff), to = static_cast<Kind>(instr.imm >> 8 & 0xff);
  bool isSigned = instr.imm >> 16;
  for (size_t i = 0; i < size_t(instr.count) * kLanes; ++i) {
    uint64_t bits = readWord(warp, instr.a, wordBytes(from), i), result;
    if (isFloat(to)) {
      float value =
          isSigned ? static_cast<float>(signExtend(bits, from)) : static_cast<float>(bits);
      result = fromFloat(to, value);
    } else {
      // Out of range, as the hardware: the nearest integer; NaN becomes 0.
      double value = toFloat(from, static_cast<uint32_t>(bits));
      uint32_t width = bitWidth(to) - isSigned;
      double least = isSigned ? -std::ldexp(1.0, static_cast<int>(width)) : 0.0;
      double past = std::ldexp(1.0, static_cast<int>(width));
      if (std::isnan(value))
        result = 0;
      else if (value >= past)
        result = (maskOf(to) >> isSigned);
      else if (value <= least)
        result = isSigned ? uint64_t(1) << width : 0;
      else
        result = isSigned ? static_cast<uint64_t>(static_cast<int64_t>(value))
                          : static_cast<uint64_t>(value);
    }
    writeWord(warp, instr.dst, wordBytes(to), i, result & maskOf(to));
  }
  return Outcome::next;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What the approximate functions do to denormals.
static float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

#define UNARY(name, expression)                                                                    \
  static constexpr auto name = [](float x) -> float { return expression; };
#define BINARY(name, expression)                                                                   \
  static constexpr auto name = [](float a, float b) -> float { return expression; };
UNARY(negate, -x)
UNARY(absolute, std::fabs(x))
UNARY(exp2Approx, flush(std::exp2(flush(x))))
UNARY(log2Approx, std::log2(flush(x)))
UNARY(reciprocal, flush(1.0f / flush(x)))
UNARY(rootReciprocal, flush(1.0f / std::sqrt(flush(x))))
UNARY(root, std::sqrt(flush(x)))
UNARY(sine, std::sin(x))
UNARY(cosine, std::cos(x))
UNARY(hyperbolicTangent, std::tanh(x))
UNARY(exponential, std::exp(x))
UNARY(logarithm, std::log(x))
UNARY(floorOf, std::floor(x))
UNARY(ceilOf, std::ceil(x))
UNARY(truncOf, std::trunc(x))
UNARY(roundOf, std::round(x))
UNARY(roundEven, std::nearbyint(x))
BINARY(add, a + b)
BINARY(subtract, a - b)
BINARY(multiply, a *b)
BINARY(divide, a / b)
BINARY(modulo, std::fmod(a, b))
BINARY(maxNumber, std::isnan(a)                           ? b
                  : std::isnan(b)                         ? a
                  : a > b || (a == b && !std::signbit(a)) ? a
                                                          : b)
BINARY(minNumber, std::isnan(a)                          ? b
                  : std::isnan(b)                        ? a
                  : a < b || (a == b && std::signbit(a)) ? a
                                                         : b)
BINARY(maximum, std::isnan(a) || std::isnan(b) ? NAN : maxNumber(a, b))
BINARY(minimum, std::isnan(a) || std::isnan(b) ? NAN : minNumber(a, b))
BINARY(copySign, std::copysign(a, b))
#undef UNARY
#undef BINARY

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static Kind elementKind(Value value) { return *kindOf(getElementTypeOrSelf(value.getType())); }

template <auto function> static bool emitUnary(Assembler &assembler, Operation *op) {
  Kind kind = elementKind(op->getResult(0));
  assembler.emit(op, kind == Kind::F32 ? runUnary<function> : runUnaryNarrow<function>).imm =
      static_cast<int64_t>(kind);
  return true;
}

template <auto function> static bool emitBinary(Assembler &assembler, Operation *op) {
  Kind kind = elementKind(op->getResult(0));
  assembler.emit(op, kind == Kind::F32 ? runBinary<function> : runBinaryNarrow<function>).imm =
      static_cast<int64_t>(kind);
  return true;
}

static bool emitCast(Assembler &assembler, Operation *op, Instr::Handler run, bool flag) {
  auto from = static_cast<int64_t>(elementKind(op->getOperand(0)));
  auto to = static_cast<int64_t>(elementKind(op->getResult(0)));
  assembler.emit(op, run).imm = from | to << 8 | int64_t(flag) << 16;
  return true;
}

static bool emitCompare(Assembler &assembler, arith::CmpFOp op) {
  Instr &instr = assembler.emit(op, runCompare);
  instr.target = acceptedRelations(op.getPredicate());
  instr.imm = static_cast<int64_t>(elementKind(op.getLhs()));
  return true;
}

static bool emitFma(Assembler &assembler, Operation *op) {
  assembler.emit(op, runFma).imm = static_cast<int64_t>(elementKind(op->getResult(0)));
  return true;
}

static bool assembleFunction(Assembler &assembler, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::NegFOp) { return emitUnary<negate>(assembler, op); })
      .Case([&](math::AbsFOp) { return emitUnary<absolute>(assembler, op); })
      .Case<sm::Exp2Op, math::Exp2Op>([&](auto) { return emitUnary<exp2Approx>(assembler, op); })
      .Case<sm::Log2Op, math::Log2Op>([&](auto) { return emitUnary<log2Approx>(assembler, op); })
      .Case([&](sm::RcpOp) { return emitUnary<reciprocal>(assembler, op); })
      .Case<sm::RsqrtOp, math::RsqrtOp>(
          [&](auto) { return emitUnary<rootReciprocal>(assembler, op); })
      .Case<sm::SqrtOp, math::SqrtOp>([&](auto) { return emitUnary<root>(assembler, op); })
      .Case<sm::SinOp, math::SinOp>([&](auto) { return emitUnary<sine>(assembler, op); })
      .Case<sm::CosOp, math::CosOp>([&](auto) { return emitUnary<cosine>(assembler, op); })
      .Case<sm::TanhOp, math::TanhOp>(
          [&](auto) { return emitUnary<hyperbolicTangent>(assembler, op); })
      .Case([&](math::ExpOp) { return emitUnary<exponential>(assembler, op); })
      .Case([&](math::LogOp) { return emitUnary<logarithm>(assembler, op); })
      .Case([&](math::FloorOp) { return emitUnary<floorOf>(assembler, op); })
      .Case([&](math::CeilOp) { return emitUnary<ceilOf>(assembler, op); })
      .Case([&](math::TruncOp) { return emitUnary<truncOf>(assembler, op); })
      .Case([&](math::RoundOp) { return emitUnary<roundOf>(assembler, op); })
      .Case([&](math::RoundEvenOp) { return emitUnary<roundEven>(assembler, op); })
      .Default(false);
}

bool tilec::interp::assembleFloat(Assembler &assembler, Operation *op) {
  if (assembleFunction(assembler, op))
    return true;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::AddFOp) { return emitBinary<add>(assembler, op); })
      .Case([&](arith::SubFOp) { return emitBinary<subtract>(assembler, op); })
      .Case([&](arith::MulFOp) { return emitBinary<multiply>(assembler, op); })
      .Case([&](arith::DivFOp) { return emitBinary<divide>(assembler, op); })
      .Case([&](arith::RemFOp) { return emitBinary<modulo>(assembler, op); })
      .Case([&](arith::MaxNumFOp) { return emitBinary<maxNumber>(assembler, op); })
      .Case([&](arith::MinNumFOp) { return emitBinary<minNumber>(assembler, op); })
      .Case([&](arith::MaximumFOp) { return emitBinary<maximum>(assembler, op); })
      .Case([&](arith::MinimumFOp) { return emitBinary<minimum>(assembler, op); })
      .Case([&](math::CopySignOp) { return emitBinary<copySign>(assembler, op); })
      .Case([&](math::FmaOp) { return emitFma(assembler, op); })
      .Case([&](arith::CmpFOp) { return emitCompare(assembler, cast<arith::CmpFOp>(op)); })
      .Case<arith::ExtFOp, arith::TruncFOp, sm::CvtUnpackOp>(
          [&](auto) { return emitCast(assembler, op, runFloatCast, false); })
      .Case([&](sm::CvtPackOp) {
        bool fp8 = storedBytes(elementKind(op->getResult(0))) == 1;
        return emitCast(assembler, op, runFloatCast, fp8);
      })
      .Case<arith::SIToFPOp, arith::FPToSIOp>(
          [&](auto) { return emitCast(assembler, op, runNumberCast, true); })
      .Case<arith::UIToFPOp, arith::FPToUIOp>(
          [&](auto) { return emitCast(assembler, op, runNumberCast, false); })
      .Default(false);
}
