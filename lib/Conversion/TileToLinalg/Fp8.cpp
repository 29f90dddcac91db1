//===- Fp8.cpp - conversions of 8-bit floats ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Fp8.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

namespace {

/// What tells the two formats apart.
struct Format {
  int mantissaBits, bias;
  float largest;

  /// What would follow the largest finite number.
  float next() const { return largest + std::ldexp(1.0f, std::ilogb(largest) - mantissaBits); }
};

Format formatOf(Type type) {
  return isa<Float8E4M3FNType>(type) ? Format{3, 7, 448.0f} : Format{2, 15, 57344.0f};
}
bool isFp8(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

/// Builds scalar code at one place.
struct Emitter {
  OpBuilder &b;
  Location loc;

  Value integer(Type type, uint32_t value) {
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(type, APInt(type.getIntOrFloatBitWidth(), value)));
  }
  Value real(float value) { return arith::ConstantOp::create(b, loc, b.getF32FloatAttr(value)); }
  Value bits(Value x, Type type) { return arith::BitcastOp::create(b, loc, type, x); }
  Value band(Value x, uint32_t mask) {
    return arith::AndIOp::create(b, loc, x, integer(x.getType(), mask));
  }
  Value left(Value x, int count) {
    return arith::ShLIOp::create(b, loc, x, integer(x.getType(), count));
  }
  Value right(Value x, int count) {
    return arith::ShRUIOp::create(b, loc, x, integer(x.getType(), count));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value choose(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }

  Value widen(Value x);
  Value narrow(Value x, Type type, bool saturate);
};

/// `x` (fp8) as f32. The bits of e5m2 are the upper byte of an f16. Those of e4m3 make an f16 that
/// is 2^8 too small, subnormal numbers included; all ones is NaN.
Value Emitter::widen(Value x) {
  Type i16 = b.getI16Type(), f32 = b.getF32Type();
  bool wide = isa<Float8E5M2Type>(x.getType());
  Value byte = arith::ExtUIOp::create(b, loc, i16, bits(x, b.getI8Type()));
  if (wide)
    return arith::ExtFOp::create(b, loc, f32, bits(left(byte, 8), b.getF16Type()));
  Value magnitude = band(byte, 0x7f);
  Value half = arith::OrIOp::create(b, loc, left(band(byte, 0x80), 8), left(magnitude, 7));
  Value small = arith::ExtFOp::create(b, loc, f32, bits(half, b.getF16Type()));
  Value value = arith::MulFOp::create(b, loc, small, real(256.0f));
  Value isNaN =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, magnitude, integer(i16, 0x7f));
  return choose(isNaN, real(std::numeric_limits<float>::quiet_NaN()), value);
}

/// `x` (f32) rounded to the type, at first as if the exponent had no end: the number behind the
/// largest finite one, in the order of the bits, is infinity in e5m2 and NaN in e4m3. A subnormal
/// result is rounded by the addition of a number whose last place is the smallest subnormal; a
/// normal one by an addition to its bits.
Value Emitter::narrow(Value x, Type type, bool saturate) {
  Format format = formatOf(type);
  Type i32 = b.getI32Type();
  int dropped = 23 - format.mantissaBits;
  Value magnitude = math::AbsFOp::create(b, loc, x);
  Value limited =
      arith::MinNumFOp::create(b, loc, magnitude, real(saturate ? format.largest : format.next()));
  float magic = std::ldexp(1.0f, 24 - format.bias - format.mantissaBits);
  Value shifted = arith::AddFOp::create(b, loc, limited, real(magic));
  Value subnormal = arith::SubIOp::create(b, loc, bits(shifted, i32), bits(real(magic), i32));
  Value word = bits(limited, i32);
  uint32_t rebias = static_cast<uint32_t>(format.bias - 127) << 23,
           half = (1u << (dropped - 1)) - 1;
  Value rounded = add(add(word, integer(i32, rebias + half)), band(right(word, dropped), 1));
  Value isSubnormal = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, limited,
                                            real(std::ldexp(1.0f, 1 - format.bias)));
  Value number = choose(isSubnormal, subnormal, right(rounded, dropped));
  Value isNaN = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
  Value unsignedByte = choose(isNaN, integer(i32, 0x7f), number);
  Value sign = choose(isNaN, integer(i32, 0), band(right(bits(x, i32), 24), 0x80));
  Value byte = arith::OrIOp::create(b, loc, unsignedByte, sign);
  return bits(arith::TruncIOp::create(b, loc, b.getI8Type(), byte), type);
}

struct WidenPattern : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    if (!isFp8(op.getIn().getType()))
      return rewriter.notifyMatchFailure(op, "not from fp8");
    Value wide = tilec::host::widenFp8(rewriter, op.getLoc(), op.getIn());
    if (op.getType() != wide.getType())
      wide = arith::TruncFOp::create(rewriter, op.getLoc(), op.getType(), wide);
    rewriter.replaceOp(op, wide);
    return success();
  }
};

struct NarrowPattern : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    if (!isFp8(op.getType()))
      return rewriter.notifyMatchFailure(op, "not to fp8");
    Value wide = op.getIn();
    if (!wide.getType().isF32())
      wide = arith::ExtFOp::create(rewriter, op.getLoc(), rewriter.getF32Type(), wide);
    rewriter.replaceOp(op, tilec::host::narrowToFp8(rewriter, op.getLoc(), wide, op.getType(),
                                                    /*saturate=*/true));
    return success();
  }
};

} // namespace

Value tilec::host::widenFp8(OpBuilder &b, Location loc, Value x) {
  return Emitter{b, loc}.widen(x);
}

Value tilec::host::narrowToFp8(OpBuilder &b, Location loc, Value x, Type type, bool saturate) {
  return Emitter{b, loc}.narrow(x, type, saturate);
}

void tilec::host::populateFp8Patterns(RewritePatternSet &patterns) {
  patterns.add<WidenPattern, NarrowPattern>(patterns.getContext());
}
