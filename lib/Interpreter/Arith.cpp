//===- Arith.cpp - integers and constants ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tilec::interp;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// One loop for 32 and 64 bits. Narrow integers are extended first, cut afterwards: `imm` is their
/// kind.
template <class T, auto function> static Outcome runBinary(Warp &warp, const Instr &instr) {
  const T *a = warp.words<T>(instr.a), *b = warp.words<T>(instr.b);
  T *dst = warp.words<T>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = function(a[i], b[i]);
  return Outcome::next;
}

template <bool isSigned, auto function> static Outcome runNarrow(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  auto extend = [&](uint32_t bits) {
    return isSigned ? static_cast<uint32_t>(signExtend(bits, kind)) : bits;
  };
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = function(extend(a[i]), extend(b[i])) & static_cast<uint32_t>(maskOf(kind));
  return Outcome::next;
}

template <class T> using Signed = std::make_signed_t<T>;
// Division by 0 may only happen in lanes that are not active, or whose result is not used.
#define INTEGER(name, expression)                                                                  \
  static constexpr auto name = []<class T>(T a, T b) -> T {                                        \
    [[maybe_unused]] Signed<T> x = static_cast<Signed<T>>(a), y = static_cast<Signed<T>>(b);       \
    [[maybe_unused]] constexpr T bits = 8 * sizeof(T);                                             \
    return static_cast<T>(expression);                                                             \
  };
INTEGER(add, a + b)
INTEGER(subtract, a - b)
INTEGER(multiply, a *b)
INTEGER(bitAnd, a &b)
INTEGER(bitOr, a | b)
INTEGER(bitXor, a ^ b)
INTEGER(shiftLeft, b < bits ? a << b : 0)
INTEGER(shiftRight, b < bits ? a >> b : 0)
INTEGER(shiftRightSigned, x >> (b < bits ? b : bits - 1))
INTEGER(minSigned, std::min(x, y))
INTEGER(maxSigned, std::max(x, y))
INTEGER(minUnsigned, std::min(a, b))
INTEGER(maxUnsigned, std::max(a, b))
INTEGER(divideUnsigned, b ? a / b : 0)
INTEGER(remainderUnsigned, b ? a % b : 0)
INTEGER(divideSigned, y == 0 ? 0 : y == -1 ? T(0) - a : T(x / y))
INTEGER(remainderSigned, y == 0 || y == -1 ? 0 : x % y)
INTEGER(ceilDivideUnsigned, b ? a / b + (a % b != 0) : 0)
INTEGER(ceilDivideSigned, y == 0    ? 0
                          : y == -1 ? T(0) - a
                                    : T(x / y + (x % y != 0 && (x < 0) == (y < 0))))
INTEGER(floorDivideSigned, y == 0    ? 0
                           : y == -1 ? T(0) - a
                                     : T(x / y - (x % y != 0 && (x < 0) != (y < 0))))
#undef INTEGER

template <class T, auto compare> static Outcome runCompare(Warp &warp, const Instr &instr) {
  const T *a = warp.words<T>(instr.a), *b = warp.words<T>(instr.b);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = compare(a[i], b[i]);
  return Outcome::next;
}

template <auto compare> static Outcome runCompareNarrow(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  const uint32_t *a = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b);
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t i = 0; i < instr.count * kLanes; ++i)
    dst[i] = compare(signExtend(a[i], kind), signExtend(b[i], kind));
  return Outcome::next;
}

static Outcome runSelect(Warp &warp, const Instr &instr) {
  auto bytes = static_cast<uint32_t>(instr.imm & 0xff);
  bool scalar = instr.imm >> 8;
  const uint32_t *condition = warp.words<uint32_t>(instr.a);
  auto choose = [&](auto *dst, const auto *yes, const auto *no) {
    for (uint32_t i = 0; i < instr.count * kLanes; ++i)
      dst[i] = condition[scalar ? i % kLanes : i] & 1 ? yes[i] : no[i];
  };
  if (bytes == 8)
    choose(warp.words<uint64_t>(instr.dst), warp.words<uint64_t>(instr.b),
           warp.words<uint64_t>(instr.c));
  else
    choose(warp.words<uint32_t>(instr.dst), warp.words<uint32_t>(instr.b),
           warp.words<uint32_t>(instr.c));
  return Outcome::next;
}

/// From the kind in the low byte of `imm` to that in the next; the third is 1 to extend the sign.
static Outcome runConvert(Warp &warp, const Instr &instr) {
  Kind from = static_cast<Kind>(instr.imm & 0xff), to = static_cast<Kind>(instr.imm >> 8 & 0xff);
  bool isSigned = instr.imm >> 16;
  for (size_t i = 0; i < size_t(instr.count) * kLanes; ++i) {
    uint64_t bits = readWord(warp, instr.a, wordBytes(from), i);
    if (isSigned)
      bits = static_cast<uint64_t>(signExtend(bits, from));
    writeWord(warp, instr.dst, wordBytes(to), i, bits & maskOf(to));
  }
  return Outcome::next;
}

/// One value for all elements in `imm`, or one for each in a table.
static Outcome runConstant(Warp &warp, const Instr &instr) {
  uint32_t bytes = instr.b;
  const std::vector<uint32_t> *table =
      instr.target == ~0u ? nullptr : &warp.cta.program.tables[instr.target];
  for (uint32_t element = 0; element < instr.count; ++element) {
    auto value = static_cast<uint64_t>(instr.imm);
    if (table)
      value = (*table)[2 * element] | uint64_t((*table)[2 * element + 1]) << 32;
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      writeWord(warp, instr.dst, bytes, element * kLanes + lane, value);
  }
  return Outcome::next;
}

static Outcome runAbs(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  for (size_t i = 0; i < size_t(instr.count) * kLanes; ++i) {
    int64_t value = signExtend(readWord(warp, instr.a, wordBytes(kind), i), kind);
    writeWord(warp, instr.dst, wordBytes(kind), i,
              static_cast<uint64_t>(value < 0 ? -value : value) & maskOf(kind));
  }
  return Outcome::next;
}

/// Counts of bits; `count` gets the word and its width.
template <auto count> static Outcome runBitCount(Warp &warp, const Instr &instr) {
  Kind kind = static_cast<Kind>(instr.imm);
  for (size_t i = 0; i < size_t(instr.count) * kLanes; ++i) {
    uint64_t word = readWord(warp, instr.a, wordBytes(kind), i) & maskOf(kind);
    writeWord(warp, instr.dst, wordBytes(kind), i, count(word, bitWidth(kind)));
  }
  return Outcome::next;
}
static constexpr auto onesOf = [](uint64_t word, unsigned) -> uint64_t {
  return llvm::popcount(word);
};
static constexpr auto leadingZerosOf = [](uint64_t word, unsigned width) -> uint64_t {
  return llvm::countl_zero(word) - (64 - width);
};
static constexpr auto trailingZerosOf = [](uint64_t word, unsigned width) -> uint64_t {
  return word ? llvm::countr_zero(word) : width;
};

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static Kind elementKind(Value value) { return *kindOf(getElementTypeOrSelf(value.getType())); }

template <auto function, bool isSigned = false>
static void emitInteger(Assembler &assembler, Operation *op) {
  Kind kind = elementKind(op->getResult(0));
  Instr::Handler run = runNarrow<isSigned, [](uint32_t a, uint32_t b) { return function(a, b); }>;
  if (kind == Kind::I32)
    run = runBinary<uint32_t, [](uint32_t a, uint32_t b) { return function(a, b); }>;
  else if (kind == Kind::I64)
    run = runBinary<uint64_t, [](uint64_t a, uint64_t b) { return function(a, b); }>;
  assembler.emit(op, run).imm = static_cast<int64_t>(kind);
}

template <class Compare, bool isSigned> static Instr::Handler compareHandler(Kind kind) {
  if (kind == Kind::I64)
    return runCompare<std::conditional_t<isSigned, int64_t, uint64_t>, Compare{}>;
  if (kind == Kind::I32 || !isSigned)
    return runCompare<std::conditional_t<isSigned, int32_t, uint32_t>, Compare{}>;
  return runCompareNarrow<Compare{}>;
}

static Instr::Handler compareHandler(arith::CmpIPredicate predicate, Kind kind) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return compareHandler<std::equal_to<>, false>(kind);
  case arith::CmpIPredicate::ne:
    return compareHandler<std::not_equal_to<>, false>(kind);
  case arith::CmpIPredicate::slt:
    return compareHandler<std::less<>, true>(kind);
  case arith::CmpIPredicate::sle:
    return compareHandler<std::less_equal<>, true>(kind);
  case arith::CmpIPredicate::sgt:
    return compareHandler<std::greater<>, true>(kind);
  case arith::CmpIPredicate::sge:
    return compareHandler<std::greater_equal<>, true>(kind);
  case arith::CmpIPredicate::ult:
    return compareHandler<std::less<>, false>(kind);
  case arith::CmpIPredicate::ule:
    return compareHandler<std::less_equal<>, false>(kind);
  case arith::CmpIPredicate::ugt:
    return compareHandler<std::greater<>, false>(kind);
  case arith::CmpIPredicate::uge:
    return compareHandler<std::greater_equal<>, false>(kind);
  }
  llvm_unreachable("all predicates are listed");
}

static void emitConvert(Assembler &assembler, Operation *op, bool isSigned) {
  auto from = static_cast<int64_t>(elementKind(op->getOperand(0)));
  auto to = static_cast<int64_t>(elementKind(op->getResult(0)));
  assembler.emit(op, runConvert).imm = from | to << 8 | int64_t(isSigned) << 16;
}

static uint64_t bitsOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(attribute).getValue().bitcastToAPInt().getZExtValue();
}

static void emitConstant(Assembler &assembler, Operation *op, Attribute value) {
  Place place = assembler.place(op->getResult(0));
  Instr &instr = assembler.emit(op, runConstant);
  instr.b = place.wordBytes();
  instr.target = ~0u;
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements || elements.isSplat()) {
    instr.imm =
        static_cast<int64_t>(bitsOf(elements ? elements.getSplatValue<Attribute>() : value));
    return;
  }
  std::vector<uint32_t> words;
  for (Attribute element : elements.getValues<Attribute>()) {
    uint64_t bits = bitsOf(element);
    words.push_back(static_cast<uint32_t>(bits));
    words.push_back(static_cast<uint32_t>(bits >> 32));
  }
  instr.target = assembler.addTable(std::move(words));
}

static void emitSelect(Assembler &assembler, arith::SelectOp op) {
  bool scalar = !isa<VectorType>(op.getCondition().getType());
  assembler.emit(op, runSelect).imm = wordBytes(elementKind(op.getResult())) | int64_t(scalar) << 8;
}

template <auto count> static bool emitBitCount(Assembler &assembler, Operation *op) {
  assembler.emit(op, runBitCount<count>).imm = static_cast<int64_t>(elementKind(op->getResult(0)));
  return true;
}

bool tilec::interp::assembleArith(Assembler &assembler, Operation *op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    emitConstant(assembler, op, constant.getValue());
    return true;
  }
  if (op->getName().getStringRef() == "ub.poison") {
    Instr &instr = assembler.emit(op, runConstant);
    instr.b = assembler.place(op->getResult(0)).wordBytes();
    instr.target = ~0u;
    instr.imm = static_cast<int64_t>(maskOf(elementKind(op->getResult(0))));
    return true;
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    Kind kind = elementKind(compare.getLhs());
    assembler.emit(op, compareHandler(compare.getPredicate(), kind)).imm =
        static_cast<int64_t>(kind);
    return true;
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](arith::SelectOp) { return emitSelect(assembler, cast<arith::SelectOp>(op)), true; })
      .Case([&](arith::AddIOp) { return emitInteger<add>(assembler, op), true; })
      .Case([&](arith::SubIOp) { return emitInteger<subtract>(assembler, op), true; })
      .Case([&](arith::MulIOp) { return emitInteger<multiply>(assembler, op), true; })
      .Case([&](arith::AndIOp) { return emitInteger<bitAnd>(assembler, op), true; })
      .Case([&](arith::OrIOp) { return emitInteger<bitOr>(assembler, op), true; })
      .Case([&](arith::XOrIOp) { return emitInteger<bitXor>(assembler, op), true; })
      .Case([&](arith::ShLIOp) { return emitInteger<shiftLeft>(assembler, op), true; })
      .Case([&](arith::ShRUIOp) { return emitInteger<shiftRight>(assembler, op), true; })
      .Case(
          [&](arith::ShRSIOp) { return emitInteger<shiftRightSigned, true>(assembler, op), true; })
      .Case([&](arith::MinSIOp) { return emitInteger<minSigned, true>(assembler, op), true; })
      .Case([&](arith::MaxSIOp) { return emitInteger<maxSigned, true>(assembler, op), true; })
      .Case([&](arith::MinUIOp) { return emitInteger<minUnsigned>(assembler, op), true; })
      .Case([&](arith::MaxUIOp) { return emitInteger<maxUnsigned>(assembler, op), true; })
      .Case([&](arith::DivUIOp) { return emitInteger<divideUnsigned>(assembler, op), true; })
      .Case([&](arith::RemUIOp) { return emitInteger<remainderUnsigned>(assembler, op), true; })
      .Case([&](arith::DivSIOp) { return emitInteger<divideSigned, true>(assembler, op), true; })
      .Case([&](arith::RemSIOp) { return emitInteger<remainderSigned, true>(assembler, op), true; })
      .Case(
          [&](arith::CeilDivUIOp) { return emitInteger<ceilDivideUnsigned>(assembler, op), true; })
      .Case([&](arith::CeilDivSIOp) {
        return emitInteger<ceilDivideSigned, true>(assembler, op), true;
      })
      .Case([&](arith::FloorDivSIOp) {
        return emitInteger<floorDivideSigned, true>(assembler, op), true;
      })
      .Case<arith::ExtSIOp, arith::IndexCastOp>(
          [&](auto) { return emitConvert(assembler, op, true), true; })
      .Case<arith::ExtUIOp, arith::TruncIOp, arith::BitcastOp, arith::IndexCastUIOp>(
          [&](auto) { return emitConvert(assembler, op, false), true; })
      .Case([&](math::CtPopOp) { return emitBitCount<onesOf>(assembler, op); })
      .Case([&](math::CountLeadingZerosOp) { return emitBitCount<leadingZerosOf>(assembler, op); })
      .Case(
          [&](math::CountTrailingZerosOp) { return emitBitCount<trailingZerosOf>(assembler, op); })
      .Case([&](math::AbsIOp) {
        assembler.emit(op, runAbs).imm = static_cast<int64_t>(elementKind(op->getResult(0)));
        return true;
      })
      .Default(false);
}
