//===- FloatReference.cpp - casts and functions, by definition ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FloatReference.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

namespace tile::test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Format {
  int mantissa, bias;
  uint32_t sign, largest;
  bool hasInfinity;
};

Format formatOf(DType dtype) {
  switch (dtype) {
  case DType::e4m3:
    return {3, 7, 0x80, 0x7e, false};
  case DType::e5m2:
    return {2, 15, 0x80, 0x7b, true};
  case DType::f16:
    return {10, 15, 0x8000, 0x7bff, true};
  case DType::bf16:
    return {7, 127, 0x8000, 0x7f7f, true};
  default:
    return {23, 127, 0x80000000, 0x7f7fffff, true};
  }
}

/// As if the exponent had no end: also of the pattern behind the largest number.
double magnitudeOf(const Format &format, uint32_t bits) {
  int exponent = static_cast<int>(bits >> format.mantissa);
  uint32_t fraction = bits & ((1u << format.mantissa) - 1);
  if (exponent == 0)
    return std::ldexp(fraction, 1 - format.bias - format.mantissa);
  return std::ldexp(fraction + (1u << format.mantissa), exponent - format.bias - format.mantissa);
}

void addNeighbours(std::vector<uint32_t> &samples, double value) {
  uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  for (int step : {-1, 0, 1})
    for (uint32_t sign : {0u, 0x80000000u})
      samples.push_back(((bits + step) & 0x7fffffff) | sign);
}

double reciprocal(double x) { return 1 / x; }
double rootReciprocal(double x) { return 1 / std::sqrt(x); }
double largestF32() { return std::numeric_limits<float>::max(); }
} // namespace

double valueOf(DType dtype, uint32_t bits) {
  Format format = formatOf(dtype);
  double sign = bits & format.sign ? -1 : 1;
  uint32_t magnitude = bits & (format.sign - 1);
  if (magnitude <= format.largest)
    return sign * magnitudeOf(format, magnitude);
  bool isInfinity = format.hasInfinity && magnitude == format.largest + 1;
  return isInfinity ? sign * infinity : std::numeric_limits<double>::quiet_NaN();
}

uint8_t roundTo8(DType dtype, double value, bool saturate) {
  if (std::isnan(value))
    return 0x7f;
  Format format = formatOf(dtype);
  uint32_t best = 0, last = format.largest + 1;
  // Bounded, so that distances are exact.
  double size = std::min(std::fabs(value), 2 * magnitudeOf(format, last));
  for (uint32_t bits = 0; bits <= last; ++bits) {
    double nearest = std::fabs(magnitudeOf(format, best) - size);
    double distance = std::fabs(magnitudeOf(format, bits) - size);
    if (distance < nearest || (distance == nearest && bits % 2 == 0))
      best = bits;
  }
  if (saturate)
    best = std::min(best, format.largest);
  return static_cast<uint8_t>(best | (std::signbit(value) ? 0x80 : 0));
}

std::vector<uint32_t> castSamples(DType dtype, int random32) {
  std::vector<uint32_t> samples;
  if (byteSize(dtype) < 4) {
    for (uint32_t bits = 0; bits < 1u << (8 * byteSize(dtype)); ++bits)
      samples.push_back(bits);
    return samples;
  }
  for (uint32_t top = 0; top < 512; ++top)
    for (uint32_t rest : {0u, 1u, 0x3fffffu, 0x400000u, 0x400001u, 0x7ffffeu, 0x7fffffu})
      samples.push_back(top << 23 | rest);
  for (DType narrow : {DType::e4m3, DType::e5m2}) {
    Format format = formatOf(narrow);
    for (uint32_t bits = 0; bits <= format.largest; ++bits) {
      double here = magnitudeOf(format, bits), next = magnitudeOf(format, bits + 1);
      for (double value : {here, (here + next) / 2, next, here + (next - here) / 4})
        addNeighbours(samples, value);
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < random32; ++i) {
    uint32_t bits = static_cast<uint32_t>(random());
    samples.push_back(bits);
    // Of a size that 8 bits reach.
    samples.push_back((bits & 0x807fffff) | (105 + bits % 41) << 23);
  }
  return samples;
}

const std::vector<Function> &functions() {
  static const std::vector<Function> list = {{"exp2", std::exp2, 0x1p-22, 0},
                                             {"exp", std::exp, 0x1p-22, 0, 0x1p-23},
                                             {"log2", std::log2, 0x1p-22, 0x1p-22, 0, 0.5, 2},
                                             {"log", std::log, 0x1.6ap-22, 0x1.6ap-22, 0, 0.5, 2},
                                             {"sqrt", std::sqrt, 0x1.12p-23, 0},
                                             {"rsqrt", rootReciprocal, 0x1.85p-23, 0},
                                             {"rcp", reciprocal, 0x1p-23, 0},
                                             {"tanh", std::tanh, 0x1p-21, 0},
                                             {"sin", std::sin, 0, 0x1p-22, 0, 0, 1e300, 0x1p20},
                                             {"cos", std::cos, 0, 0x1p-22, 0, 0, 1e300, 0x1p20}};
  return list;
}

std::vector<float> functionSamples(const Function &function, size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<float> samples = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 0x1p-126f};
  auto add = [&](double value) {
    float x = static_cast<float>(value);
    for (float near : {x, std::nextafter(x, INFINITY), std::nextafter(x, -INFINITY)})
      if (!(std::fabs(near) > function.range))
        samples.push_back(near);
  };
  for (double edge : {0.5, 0.55, 2.0, 88.0, 88.72, 126.0, 127.99, 149.0, 9.0, 0x1p20})
    add(edge), add(-edge);
  std::uniform_real_distribution<double> usual(-12, 12);
  while (samples.size() < count) {
    uint64_t bits = random();
    switch (samples.size() % 4) {
    case 0:
      add(std::bit_cast<float>(static_cast<uint32_t>(bits)));
      break;
    case 1:
      add(usual(random));
      break;
    case 2: // whole quarters of a turn, where sine and cosine are 0 or at their ends
      add(static_cast<double>(static_cast<int64_t>(bits % 1335088) - 667544) * M_PI_2);
      break;
    default:
      add(std::bit_cast<float>(
          static_cast<uint32_t>((bits & 0x807fffff) | (110 + bits % 40) << 23)));
    }
  }
  if (function.range < 3e38)
    std::erase_if(samples, [](float x) { return std::isinf(x); });
  return samples;
}

/// `found` against the value at `x`, no flushing considered.
static bool isWithin(const Function &function, double x, double found) {
  double exact = function.exact(x), size = std::fabs(x);
  if (std::isnan(exact) || std::isnan(found))
    return std::isnan(exact) && std::isnan(found);
  if (found == exact)
    return true;
  double error = (function.relative + function.perSize * size) * std::fabs(exact);
  if (size >= function.absoluteFrom && size <= function.absoluteTo)
    error += function.absolute;
  if (std::isinf(found)) // past what f32 holds, up to the error
    return std::signbit(found) == std::signbit(exact) && std::fabs(exact) + error >= largestF32();
  if (std::fabs(exact) < 0x1p-126 && std::fabs(found) <= 0x1p-126)
    return true;
  return std::fabs(found - exact) <= error;
}

std::string checkFunction(const Function &function, float x, float found) {
  bool flushed = std::fabs(x) < 0x1p-126f;
  if (isWithin(function, x, found) || (flushed && isWithin(function, std::copysign(0.0, x), found)))
    return "";
  char text[160];
  snprintf(text, sizeof text, "%s(%.9g) is %.9g, found %.9g", function.name, x, function.exact(x),
           found);
  return text;
}

} // namespace tile::test
