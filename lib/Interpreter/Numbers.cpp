//===- Numbers.cpp - conversions between float formats --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Numbers.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace tilec::interp;

std::optional<Kind> tilec::interp::kindOf(Type type) {
  if (type.isIndex())
    return Kind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return Kind::I1;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    case 64:
      return Kind::I64;
    default:
      return std::nullopt;
    }
  }
  if (type.isF32())
    return Kind::F32;
  if (type.isBF16())
    return Kind::BF16;
  if (type.isF16())
    return Kind::F16;
  if (isa<Float8E4M3FNType>(type))
    return Kind::E4M3;
  if (isa<Float8E5M2Type>(type))
    return Kind::E5M2;
  return std::nullopt;
}

namespace {
struct Format {
  int mantissa, bias;
  uint32_t sign, largest, infinity, nan; // bit patterns; no infinity: nan
};
} // namespace

static Format formatOf(Kind kind) {
  switch (kind) {
  case Kind::E4M3:
    return {3, 7, 0x80, 0x7e, 0x7f, 0x7f};
  case Kind::E5M2:
    return {2, 15, 0x80, 0x7b, 0x7c, 0x7f};
  case Kind::F16:
    return {10, 15, 0x8000, 0x7bff, 0x7c00, 0x7fff};
  default:
    return {7, 127, 0x8000, 0x7f7f, 0x7f80, 0x7fff};
  }
}

float tilec::interp::toFloat(Kind kind, uint32_t bits) {
  if (kind == Kind::F32)
    return std::bit_cast<float>(bits);
  if (kind == Kind::BF16)
    return bf16ToFloat(bits);
  Format f = formatOf(kind);
  uint32_t magnitude = bits & (f.sign - 1);
  float sign = bits & f.sign ? -1.0f : 1.0f;
  if (magnitude > f.largest)
    return magnitude == f.infinity && f.infinity != f.nan ? sign * INFINITY : std::nanf("");
  int exponent = static_cast<int>(magnitude >> f.mantissa);
  uint32_t fraction = magnitude & ((1u << f.mantissa) - 1);
  if (exponent == 0)
    return sign * std::ldexp(static_cast<float>(fraction), 1 - f.bias - f.mantissa);
  return sign * std::ldexp(static_cast<float>(fraction | 1u << f.mantissa),
                           exponent - f.bias - f.mantissa);
}

static uint32_t toBf16(uint32_t bits) { return (bits + 0x7fff + (bits >> 16 & 1)) >> 16; }

uint32_t tilec::interp::fromFloat(Kind kind, float value, bool saturate) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (kind == Kind::F32)
    return bits;
  Format f = formatOf(kind);
  if (std::isnan(value))
    return f.nan;
  if (kind == Kind::BF16)
    return toBf16(bits);
  uint32_t sign = bits >> 31 ? f.sign : 0;
  double magnitude = std::fabs(static_cast<double>(value));
  uint32_t rounded = f.largest + 1;
  if (std::isfinite(value)) {
    int exponent = magnitude == 0 ? 1 - f.bias : std::max(std::ilogb(magnitude), 1 - f.bias);
    // Exact scaling, so this is the only rounding; a carry runs into the exponent by itself.
    auto steps =
        static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, f.mantissa - exponent)));
    rounded = (static_cast<uint32_t>(exponent + f.bias - 1) << f.mantissa) + steps;
  }
  if (rounded > f.largest)
    rounded = saturate ? f.largest : f.infinity;
  return sign | rounded;
}
