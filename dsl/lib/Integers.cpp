//===- Integers.cpp - shifts and quotients defined for all operands --------===//
// SPDX-License-Identifier: Apache-2.0

#include "Integers.h"

#include "mlir/IR/Matchers.h"

namespace tile::inline dsl::detail {

using namespace mlir::arith;

static std::optional<llvm::APInt> known(mlir::Value value) {
  llvm::APInt constant;
  return mlir::matchPattern(value, mlir::m_ConstantInt(&constant)) ? std::optional(constant)
                                                                   : std::nullopt;
}

/// Integer operations at one place.
class Ops {
public:
  Ops(Builder &b, mlir::Type type, Loc loc) : b(b), type(type), loc(loc), at(b.location(loc)) {}

  unsigned width() const { return mlir::getElementTypeOrSelf(type).getIntOrFloatBitWidth(); }
  mlir::Value constant(int64_t value) const { return b.constant(type, value, loc); }
  mlir::Value compare(CmpIPredicate predicate, mlir::Value x, int64_t y) const {
    return CmpIOp::create(b, at, predicate, x, constant(y));
  }
  mlir::Value select(mlir::Value condition, mlir::Value x, mlir::Value y) const {
    return SelectOp::create(b, at, condition, x, y);
  }

  Builder &b;
  mlir::Type type;
  Loc loc;
  mlir::Location at;
};

/// A shift that brings in zeros.
template <class Shift>
static mlir::Value shiftIn(Builder &b, mlir::Value x, mlir::Value count, Loc loc) {
  Ops ops(b, x.getType(), loc);
  if (auto constant = known(count))
    return constant->ult(ops.width()) ? mlir::Value(Shift::create(b, ops.at, x, count))
                                      : ops.constant(0);
  // The count is cut apart from the test: where both are of the same value, LLVM 22's NVPTX back
  // end makes one instruction of them and forgets a count's upper 32 bits.
  mlir::Value inside = ops.compare(CmpIPredicate::ult, count, ops.width());
  mlir::Value within = MinUIOp::create(b, ops.at, count, ops.constant(ops.width() - 1));
  mlir::Value shifted = Shift::create(b, ops.at, x, within);
  return ops.select(inside, shifted, ops.constant(0));
}

mlir::Value shiftLeft(Builder &b, mlir::Value x, mlir::Value count, Loc loc) {
  return shiftIn<ShLIOp>(b, x, count, loc);
}

mlir::Value shiftRight(Builder &b, bool isSigned, mlir::Value x, mlir::Value count, Loc loc) {
  if (!isSigned)
    return shiftIn<ShRUIOp>(b, x, count, loc);
  Ops ops(b, x.getType(), loc);
  auto constant = known(count);
  if (!constant || !constant->ult(ops.width()))
    count = MinUIOp::create(b, ops.at, count, ops.constant(ops.width() - 1));
  return ShRSIOp::create(b, ops.at, x, count);
}

/// Fails where the divisor is the constant 0; true if it is another one that needs no test.
static bool isHarmless(bool isSigned, mlir::Value y, Loc loc) {
  auto constant = known(y);
  if (constant && constant->isZero())
    fail(loc, "a division by 0; the divisor has to be another number");
  return constant && !(isSigned && constant->isAllOnes());
}

/// The divisor where the division is defined, 1 elsewhere.
static mlir::Value safeDivisor(const Ops &ops, bool isSigned, mlir::Value y, mlir::Value isZero) {
  mlir::Value unsafe = isZero;
  if (isSigned)
    unsafe = OrIOp::create(ops.b, ops.at, isZero, ops.compare(CmpIPredicate::eq, y, -1));
  return ops.select(unsafe, ops.constant(1), y);
}

template <class Signed, class Unsigned>
static mlir::Value signedOr(const Ops &ops, bool isSigned, mlir::Value x, mlir::Value y) {
  return isSigned ? Signed::create(ops.b, ops.at, x, y)->getResult(0)
                  : Unsigned::create(ops.b, ops.at, x, y)->getResult(0);
}

mlir::Value quotient(Builder &b, bool isSigned, mlir::Value x, mlir::Value y, Loc loc) {
  Ops ops(b, x.getType(), loc);
  auto divide = [&](mlir::Value divisor) {
    return signedOr<DivSIOp, DivUIOp>(ops, isSigned, x, divisor);
  };
  if (isHarmless(isSigned, y, loc))
    return divide(y);
  mlir::Value isZero = ops.compare(CmpIPredicate::eq, y, 0);
  mlir::Value result = divide(safeDivisor(ops, isSigned, y, isZero));
  if (isSigned)
    result = ops.select(ops.compare(CmpIPredicate::eq, y, -1),
                        SubIOp::create(b, ops.at, ops.constant(0), x), result);
  return ops.select(isZero, ops.constant(0), result);
}

mlir::Value remainder(Builder &b, bool isSigned, mlir::Value x, mlir::Value y, Loc loc) {
  Ops ops(b, x.getType(), loc);
  auto divide = [&](mlir::Value divisor) {
    return signedOr<RemSIOp, RemUIOp>(ops, isSigned, x, divisor);
  };
  if (isHarmless(isSigned, y, loc))
    return divide(y);
  mlir::Value isZero = ops.compare(CmpIPredicate::eq, y, 0);
  return ops.select(isZero, x, divide(safeDivisor(ops, isSigned, y, isZero)));
}

} // namespace tile::inline dsl::detail
