//===- MathTest.cpp - rounding and functions on the host target -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

constexpr int64_t count = 4096;

/// Applies `body`, which turns %x into %r, to 4,096 elements.
std::string mapKernel(const std::string &from, const std::string &to, const std::string &body) {
  std::string in = "4096x" + from, out = "4096x" + to;
  return "tile.kernel @k(%a: !tile.global<?x" + from + ">, %b: !tile.global<?x" + to + ">) {\n" +
         "  %c0 = arith.constant 0 : i64\n  %aw = tile.window %a[%c0] dims = [0] : "
         "!tile.global<?x" +
         from + "> to !tile.window<" + in +
         ">\n  %bw = tile.window %b[%c0] dims = [0] : !tile.global<?x" + to + "> to !tile.window<" +
         out + ">\n  %x = tile.load %aw : !tile.window<" + in + "> to tensor<" + in + ">\n  " +
         body + "\n  tile.store %r, %bw : tensor<" + out + "> to !tile.window<" + out +
         ">\n  tile.return\n}\n";
}

template <typename To, typename From>
std::vector<To> map(const HostKernel &kernel, std::vector<From> x) {
  std::vector<To> out(x.size(), To(-77));
  Arguments arguments;
  arguments.tensor(x.data(), {static_cast<int64_t>(x.size())});
  arguments.tensor(out.data(), {static_cast<int64_t>(out.size())});
  kernel(arguments, 1);
  return out;
}

/// Random bit patterns of f32, with the halfway cases and the specials of 16-bit formats among
/// them.
std::vector<float> patterns() {
  Random random(11);
  std::vector<float> x(count);
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits = static_cast<uint32_t>(random.bits());
    if (i % 4 == 1)
      bits = (bits & 0xffff0000u) | 0x8000u;
    if (i % 4 == 2)
      bits = (bits & 0x80ffe000u) | (0x38u + (bits & 0x7u)) << 24 | 0x1000u;
    if (i % 4 == 3)
      bits = (bits & 0x807fffffu) | (100u + bits % 46u) << 23;
    x[i] = std::bit_cast<float>(bits);
  }
  const float specials[] = {0.0f,  -0.0f, infinity, -infinity, notANumber, 65504,
                            65519, 65520, 3.4e38f,  5.96e-8f,  2.98e-8f};
  std::copy(std::begin(specials), std::end(specials), x.begin());
  x[11] = std::bit_cast<float>(0x7f800001u);
  x[12] = std::bit_cast<float>(0xffffffffu);
  return x;
}

template <typename Back>
void checkRounding(const std::string &type, uint16_t (*round)(float), Back back) {
  HostKernel narrow(mapKernel(
      "f32", type, "%r = arith.truncf %x : tensor<4096xf32> to tensor<4096x" + type + ">"));
  HostKernel widen(
      mapKernel(type, "f32", "%r = arith.extf %x : tensor<4096x" + type + "> to tensor<4096xf32>"));
  ASSERT_TRUE(narrow && widen);
  std::vector<float> x = patterns();
  std::vector<uint16_t> found = map<uint16_t>(narrow, x);
  for (int64_t i = 0; i < count; ++i) {
    if (std::isnan(x[i]))
      EXPECT_TRUE(std::isnan(back(found[i]))) << std::bit_cast<uint32_t>(x[i]);
    else
      EXPECT_EQ(found[i], round(x[i])) << x[i];
  }
  for (int64_t start = 0; start < 65536; start += count) {
    std::vector<uint16_t> all(count);
    for (int64_t i = 0; i < count; ++i)
      all[i] = static_cast<uint16_t>(start + i);
    std::vector<float> wide = map<float>(widen, all);
    for (int64_t i = 0; i < count; ++i)
      if (!std::isnan(back(all[i])))
        ASSERT_EQ(std::bit_cast<uint32_t>(wide[i]), std::bit_cast<uint32_t>(back(all[i])))
            << all[i];
      else
        ASSERT_TRUE(std::isnan(wide[i]));
  }
}

TEST(HostMath, RoundsToBf16) { checkRounding("bf16", toBf16, fromBf16); }
TEST(HostMath, RoundsToF16) { checkRounding("f16", toF16, fromF16); }

/// A machine without AVX2, FMA and the f16 conversions: libgcc's are found, the results are the
/// same.
TEST(HostMath, OlderMachines) {
  std::string half = "tensor<4096xf16>";
  HostKernel kernel(
      mapKernel("f16", "f16",
                "%s = arith.addf %x, %x : " + half + "\n  %r = arith.mulf %s, %x : " + half),
      "x86-64-v2");
  ASSERT_TRUE(kernel);
  Random random(6);
  std::vector<uint16_t> x(count), expected(count);
  for (int64_t i = 0; i < count; ++i) {
    x[i] = toF16(3 * random.value());
    float value = fromF16(x[i]);
    expected[i] = toF16(fromF16(toF16(value + value)) * value);
  }
  EXPECT_EQ(map<uint16_t>(kernel, x), expected);
}

/// The number behind an 8-bit float: `mantissa` bits of mantissa.
double fromFp8(uint8_t bits, int mantissa, int bias) {
  int exponent = (bits & 0x7f) >> mantissa, fraction = bits & ((1 << mantissa) - 1);
  double value = exponent == 0 ? std::ldexp(fraction, 1 - bias - mantissa)
                               : std::ldexp(fraction + (1 << mantissa), exponent - bias - mantissa);
  return bits & 0x80 ? -value : value;
}

/// Nearest by search, at most `largest`; of two equally near the one with an even last bit.
uint8_t toFp8(float value, int mantissa, int bias, uint8_t largest) {
  uint8_t best = 0;
  double size = std::fmin(std::fabs(value), fromFp8(largest, mantissa, bias));
  for (int bits = 0; bits <= largest; ++bits) {
    double distance = std::fabs(fromFp8(bits, mantissa, bias) - size);
    double smallest = std::fabs(fromFp8(best, mantissa, bias) - size);
    if (distance < smallest || (distance == smallest && bits % 2 == 0))
      best = static_cast<uint8_t>(bits);
  }
  return best | (std::signbit(value) ? 0x80 : 0);
}

void checkFp8(const std::string &type, int mantissa, int bias, uint8_t largest) {
  HostKernel narrow(mapKernel(
      "f32", type, "%r = arith.truncf %x : tensor<4096xf32> to tensor<4096x" + type + ">"));
  HostKernel widen(
      mapKernel(type, "f32", "%r = arith.extf %x : tensor<4096x" + type + "> to tensor<4096xf32>"));
  ASSERT_TRUE(narrow && widen);
  std::vector<uint8_t> all(count);
  for (int64_t i = 0; i < count; ++i)
    all[i] = static_cast<uint8_t>(i);
  std::vector<float> wide = map<float>(widen, all), x = patterns();
  for (int64_t i = 0; i < 256; ++i) {
    uint8_t size = i & 0x7f;
    if (size <= largest)
      EXPECT_EQ(wide[i], fromFp8(static_cast<uint8_t>(i), mantissa, bias)) << i;
    else
      EXPECT_TRUE(size == 0x7c && mantissa == 2 ? std::isinf(wide[i]) : std::isnan(wide[i])) << i;
  }
  for (int64_t i = 1000; i < count; ++i)
    x[i] = wide[i % 256] * (1 + static_cast<float>(i % 9 - 4) / 16) * (i % 2 ? 1 : 1.0001f);
  std::vector<uint8_t> found = map<uint8_t>(narrow, x);
  for (int64_t i = 0; i < count; ++i)
    if (std::isnan(x[i]))
      EXPECT_EQ(found[i] & 0x7f, 0x7f) << i;
    else
      EXPECT_EQ(found[i], toFp8(x[i], mantissa, bias, largest)) << x[i];
}

TEST(HostMath, RoundsToE4M3) { checkFp8("f8E4M3FN", 3, 7, 0x7e); }
TEST(HostMath, RoundsToE5M2) { checkFp8("f8E5M2", 2, 15, 0x7b); }

/// Arithmetic in a 16-bit type rounds after every operation.
TEST(HostMath, HalfArithmetic) {
  for (bool brain : {true, false}) {
    std::string type = brain ? "bf16" : "f16", tile = "tensor<4096x" + type + ">";
    HostKernel kernel(mapKernel(
        type, type,
        "%p = arith.mulf %x, %x : " + tile + "\n  %s = arith.addf %p, %x : " + tile +
            "\n  %n = arith.negf %s : " + tile + "\n  %r = arith.maxnumf %n, %x : " + tile));
    ASSERT_TRUE(kernel);
    auto round = brain ? toBf16 : toF16;
    auto back = brain ? fromBf16 : fromF16;
    Random random(4);
    std::vector<uint16_t> x(count), expected(count);
    for (int64_t i = 0; i < count; ++i) {
      x[i] = round(3 * random.value());
      float value = back(x[i]), product = back(round(value * value)),
            sum = back(round(product + value));
      expected[i] = round(std::fmax(-sum, value));
    }
    std::vector<uint16_t> found = map<uint16_t>(kernel, x);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(back(found[i]), back(expected[i])) << type << " of " << back(x[i]);
  }
}

/// Distance in units of the result's last place.
double ulps(float found, double expected) {
  if (found == expected || (std::isnan(found) && std::isnan(expected)))
    return 0;
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::fabs(found - expected) / std::ldexp(1.0, std::max(exponent, -125) - 24);
}

void checkFunction(const std::string &op, double (*reference)(double), float from, float to,
                   double most) {
  HostKernel kernel(mapKernel("f32", "f32", "%r = math." + op + " %x : tensor<4096xf32>"));
  ASSERT_TRUE(kernel);
  Random random(9);
  std::vector<float> x(count);
  for (float &element : x)
    element = from + (to - from) * static_cast<float>(random.bits() % 65536) / 65536.0f;
  x[0] = 0;
  x[1] = infinity;
  x[2] = -infinity;
  x[3] = notANumber;
  std::vector<float> found = map<float>(kernel, x);
  for (int64_t i = 0; i < count; ++i) {
    double expected = reference(x[i]);
    float rounded = static_cast<float>(expected);
    EXPECT_LE(ulps(found[i], std::isinf(rounded) ? rounded : expected), most)
        << op << "(" << x[i] << ")";
  }
}

TEST(HostMath, Functions) {
  checkFunction("exp2", std::exp2, -150, 128, 2);
  checkFunction("exp", std::exp, -100, 89, 2);
  checkFunction("log2", std::log2, 0, 100, 2);
  checkFunction("log", std::log, 0, 1e6f, 2);
  checkFunction("tanh", std::tanh, -8, 8, 2);
  checkFunction("sqrt", std::sqrt, 0, 1e6f, 0.5);
  checkFunction("absf", std::fabs, -10, 10, 0);
  checkFunction("sin", std::sin, -100, 100, 2);
  checkFunction("floor", std::floor, -100, 100, 0);
  checkFunction("erf", std::erf, -4, 4, 2);
  checkFunction("rsqrt", +[](double x) { return 1 / std::sqrt(x); }, 0, 100, 2);
}

/// The operand that is a number wins.
TEST(HostMath, MaxIgnoresNaN) {
  HostKernel kernel(mapKernel("f32", "f32",
                              "%o = arith.constant dense<1.0> : tensor<4096xf32>\n"
                              "  %r = arith.maxnumf %x, %o : tensor<4096xf32>"));
  ASSERT_TRUE(kernel);
  std::vector<float> x(count, notANumber);
  x[1] = 5;
  x[2] = -infinity;
  std::vector<float> found = map<float>(kernel, x);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(found[1], 5);
  EXPECT_EQ(found[2], 1);
}

TEST(HostMath, IntegersAndMasks) {
  HostKernel kernel(mapKernel("i32", "i64", R"(
  %three = arith.constant dense<3> : tensor<4096xi32>
  %zero = arith.constant dense<0> : tensor<4096xi64>
  %rest = arith.remsi %x, %three : tensor<4096xi32>
  %low = arith.cmpi slt, %rest, %three : tensor<4096xi32>
  %high = arith.cmpi ugt, %x, %three : tensor<4096xi32>
  %both = arith.andi %low, %high : tensor<4096xi1>
  %wide = arith.extsi %x : tensor<4096xi32> to tensor<4096xi64>
  %shifted = arith.shli %wide, %wide : tensor<4096xi64>
  %kept = arith.select %both, %wide, %zero : tensor<4096xi1>, tensor<4096xi64>
  %bit = arith.extui %both : tensor<4096xi1> to tensor<4096xi64>
  %r = arith.addi %kept, %bit : tensor<4096xi64>)"));
  ASSERT_TRUE(kernel);
  std::vector<int32_t> x(count);
  for (int64_t i = 0; i < count; ++i)
    x[i] = static_cast<int32_t>(i - 2048);
  std::vector<int64_t> found = map<int64_t>(kernel, x);
  for (int64_t i = 0; i < count; ++i) {
    bool taken = static_cast<uint32_t>(x[i]) > 3;
    EXPECT_EQ(found[i], taken ? x[i] + 1 : 0);
  }
}

TEST(HostMath, IntegersToHalf) {
  for (bool brain : {true, false}) {
    std::string type = brain ? "bf16" : "f16";
    HostKernel kernel(mapKernel(
        "i32", type, "%r = arith.sitofp %x : tensor<4096xi32> to tensor<4096x" + type + ">"));
    ASSERT_TRUE(kernel);
    std::vector<int32_t> x(count);
    for (int64_t i = 0; i < count; ++i)
      x[i] = static_cast<int32_t>(i * 7 - 9000);
    std::vector<uint16_t> found = map<uint16_t>(kernel, x);
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(found[i], (brain ? toBf16 : toF16)(static_cast<float>(x[i]))) << x[i];
  }
}

} // namespace
