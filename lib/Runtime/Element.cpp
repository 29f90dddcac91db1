//===- Element.cpp - one element to and from a double ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Tensor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tile {

namespace {
/// A binary floating-point format of at most 16 bits: sign, exponent, mantissa.
struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  /// The top exponent is infinity and NaN. Without it (e4m3) only the all-ones pattern is NaN.
  bool ieee;
  /// Overflow and infinity become the largest finite value.
  bool saturates;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  int topExponent() const { return (1 << exponentBits) - 1; }
  uint32_t nan() const {
    uint32_t allOnes = (1u << (exponentBits + mantissaBits)) - 1;
    return ieee ? allOnes & ~((1u << (mantissaBits - 1)) - 1) : allOnes;
  }
  uint32_t infinity() const { return static_cast<uint32_t>(topExponent()) << mantissaBits; }
  uint32_t largest() const { return ieee ? infinity() - 1 : nan() - 1; }
};

constexpr FloatFormat f16Format = {5, 10, true, false};
constexpr FloatFormat bf16Format = {8, 7, true, false};
constexpr FloatFormat e4m3Format = {4, 3, false, true};
constexpr FloatFormat e5m2Format = {5, 2, true, true};

uint32_t encode(const FloatFormat &format, double value) {
  uint32_t sign = std::signbit(value) ? 1u << (format.exponentBits + format.mantissaBits) : 0;
  if (std::isnan(value))
    return sign | format.nan();
  uint32_t overflow = format.saturates ? format.largest() : format.infinity();
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | overflow;
  if (magnitude == 0)
    return sign;
  // value = mantissa * 2^(exponent - mantissaBits), the mantissa rounded to nearest even; a carry
  // out of it moves into the exponent field by itself.
  int exponent = std::max(std::ilogb(magnitude), 1 - format.bias());
  double mantissa = std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
  if (exponent > format.topExponent())
    return sign | overflow;
  int64_t field = static_cast<int64_t>(exponent + format.bias() - 1) << format.mantissaBits;
  int64_t bits = field + static_cast<int64_t>(mantissa);
  return sign | (bits > format.largest() ? overflow : static_cast<uint32_t>(bits));
}

double decode(const FloatFormat &format, uint32_t bits) {
  uint32_t magnitude = bits & ((1u << (format.exponentBits + format.mantissaBits)) - 1);
  bool negative = bits >> (format.exponentBits + format.mantissaBits) & 1;
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  int64_t mantissa = magnitude & ((1u << format.mantissaBits) - 1);
  double value;
  if (format.ieee ? magnitude > format.infinity() : magnitude == format.nan())
    value = std::numeric_limits<double>::quiet_NaN();
  else if (format.ieee && magnitude == format.infinity())
    value = std::numeric_limits<double>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<double>(mantissa), 1 - format.bias() - format.mantissaBits);
  else
    value = std::ldexp(static_cast<double>(mantissa + (int64_t(1) << format.mantissaBits)),
                       exponent - format.bias() - format.mantissaBits);
  return negative ? -value : value;
}

template <class T> double readAs(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return static_cast<double>(value);
}

template <class T> void store(void *address, T value) {
  std::memcpy(address, &value, sizeof value);
}

template <class T> void storeSaturated(void *address, double value) {
  using Limits = std::numeric_limits<T>;
  // The upper bound of i64 rounds up to 2^63 as a double, hence >=.
  if (std::isnan(value))
    return store<T>(address, 0);
  if (value >= static_cast<double>(Limits::max()))
    return store<T>(address, Limits::max());
  if (value <= static_cast<double>(Limits::min()))
    return store<T>(address, Limits::min());
  store<T>(address, static_cast<T>(std::nearbyint(value)));
}
} // namespace

double readElement(DType dtype, const void *address) {
  uint16_t half = 0;
  std::memcpy(&half, address, byteSize(dtype) < 2 ? 1 : 2);
  switch (dtype) {
  case DType::f32:
    return readAs<float>(address);
  case DType::f16:
    return decode(f16Format, half);
  case DType::bf16:
    return decode(bf16Format, half);
  case DType::e4m3:
    return decode(e4m3Format, half);
  case DType::e5m2:
    return decode(e5m2Format, half);
  case DType::i1:
    return half != 0;
  case DType::i8:
    return readAs<int8_t>(address);
  case DType::i16:
    return readAs<int16_t>(address);
  case DType::i32:
    return readAs<int32_t>(address);
  case DType::i64:
    return readAs<int64_t>(address);
  }
  return 0;
}

void writeElement(DType dtype, void *address, double value) {
  switch (dtype) {
  case DType::f32:
    return store(address, static_cast<float>(value));
  case DType::f16:
    return store(address, static_cast<uint16_t>(encode(f16Format, value)));
  case DType::bf16:
    return store(address, static_cast<uint16_t>(encode(bf16Format, value)));
  case DType::e4m3:
    return store(address, static_cast<uint8_t>(encode(e4m3Format, value)));
  case DType::e5m2:
    return store(address, static_cast<uint8_t>(encode(e5m2Format, value)));
  case DType::i1:
    return store(address, static_cast<uint8_t>(value != 0));
  case DType::i8:
    return storeSaturated<int8_t>(address, value);
  case DType::i16:
    return storeSaturated<int16_t>(address, value);
  case DType::i32:
    return storeSaturated<int32_t>(address, value);
  case DType::i64:
    return storeSaturated<int64_t>(address, value);
  }
}

} // namespace tile
