//===- NumbersTest.cpp - element types and exchange within a warp ---------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>

using namespace tilec::test;
using ::tile::DType;

namespace {

/// Runs `operation` on 32 f32 values a time; `%x` is a vector of one value, `%y` the result.
HostTensor convert(const HostTensor &in, DType to, const std::string &operation,
                   const std::string &type) {
  HostTensor source = in, result(to, in.shape);
  SmallKernel kernel(1);
  kernel.tensor("in", source).tensor("out", result, /*output=*/true);
  kernel.body(
      with(
          R"(%lane = sm.lane_id
%two = arith.constant 2 : i32
%first = arith.muli %lane, %two : i32
%start = arith.extui %first : i32 to i64
%end = arith.constant $n : i64
%step = arith.constant 64 : i64
%in_size = arith.constant $from : i64
%out_size = arith.constant $to : i64
scf.for %i = %start to %end step %step : i64 {
  %a = arith.muli %i, %in_size : i64
  %at = arith.addi %in, %a : i64
  %b = arith.muli %i, %out_size : i64
  %to = arith.addi %out, %b : i64
)",
          {{"n", in.count()}, {"from", ::tile::byteSize(in.dtype)}, {"to", ::tile::byteSize(to)}}) +
      operation + "\n  sm.store_global %y, %to : " + type + "\n}");
  EXPECT_EQ(kernel.run(), "");
  return result;
}

/// Every exponent, random mantissas, ties, special values.
HostTensor floats() {
  HostTensor result(DType::f32, {1 << 14});
  std::mt19937 random(7);
  for (int64_t i = 0; i < result.count(); ++i) {
    auto bits = static_cast<uint32_t>(random());
    if (i % 3 == 0)
      bits &= 0xffff8000; // near ties of bf16 and exactly representable ones
    if (i % 3 == 1)
      bits = (bits & 0x80f00000) + 0x3c000000; // the range of fp8
    float value = std::bit_cast<float>(bits);
    std::memcpy(result.bytes.data() + (result.bytes.size() - 4 * result.count()) / 2 + 4 * i,
                &value, 4);
  }
  return result;
}

uint64_t roundedBits(float value, const llvm::fltSemantics &semantics, bool saturate) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &lost);
  if (saturate && !std::isnan(value) && !number.isFinite())
    number = llvm::APFloat::getLargest(semantics, std::signbit(value));
  if (saturate && number.isNaN() && !std::isnan(value))
    number = llvm::APFloat::getLargest(semantics, std::signbit(value));
  return number.bitcastToAPInt().getZExtValue();
}

void expectRounding(DType to, const std::string &name, const llvm::fltSemantics &semantics,
                    bool saturate) {
  HostTensor in = floats();
  HostTensor out = convert(in, to,
                           "%x = sm.load_global %at : vector<2xf32>\n%y = sm.cvt_pack %x : "
                           "vector<2xf32> to vector<2x" +
                               name + ">",
                           "vector<2x" + name + ">");
  int64_t size = ::tile::byteSize(to);
  for (int64_t i = 0; i < in.count(); ++i) {
    auto value = static_cast<float>(in.at(i));
    uint64_t bits = 0;
    std::memcpy(&bits, out.bytes.data() + (out.bytes.size() - size * out.count()) / 2 + size * i,
                size);
    if (std::isnan(value))
      ASSERT_TRUE(std::isnan(out.at(i)));
    else
      ASSERT_EQ(bits, roundedBits(value, semantics, saturate)) << name << " of " << value;
  }
}

TEST(Numbers, CvtPackRounds) {
  expectRounding(DType::bf16, "bf16", llvm::APFloat::BFloat(), false);
  expectRounding(DType::f16, "f16", llvm::APFloat::IEEEhalf(), false);
  expectRounding(DType::e4m3, "f8E4M3FN", llvm::APFloat::Float8E4M3FN(), true);
  expectRounding(DType::e5m2, "f8E5M2", llvm::APFloat::Float8E5M2(), true);
}

TEST(Numbers, ExtensionIsExact) {
  HostTensor halves(DType::f16, {1 << 16});
  for (int64_t i = 0; i < halves.count(); ++i) {
    auto bits = static_cast<uint16_t>(i);
    std::memcpy(halves.bytes.data() + (halves.bytes.size() - 2 * halves.count()) / 2 + 2 * i, &bits,
                2);
  }
  HostTensor wide = convert(halves, DType::f32,
                            "%x = sm.load_global %at : vector<2xf16>\n%y = arith.extf %x : "
                            "vector<2xf16> to vector<2xf32>",
                            "vector<2xf32>");
  for (int64_t i = 0; i < halves.count(); ++i) {
    if (std::isnan(halves.at(i)))
      ASSERT_TRUE(std::isnan(wide.at(i)));
    else
      ASSERT_EQ(wide.at(i), halves.at(i)) << i;
  }
}

TEST(Numbers, ApproximateFunctions) {
  struct Function {
    const char *name;
    double (*exact)(double);
    double low, high, tolerance; // of the relative error
  };
  const Function functions[] = {
      {"exp2", [](double x) { return std::exp2(x); }, -20, 20, 1e-6},
      {"log2", [](double x) { return std::log2(x); }, 2, 1000, 1e-6},
      {"rcp", [](double x) { return 1 / x; }, 0.01, 100, 1e-6},
      {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 0.01, 100, 1e-6},
      {"sqrt", [](double x) { return std::sqrt(x); }, 0.01, 100, 1e-6},
      {"sin", [](double x) { return std::sin(x); }, 0.5, 2.5, 1e-5},
      {"cos", [](double x) { return std::cos(x); }, -1, 1, 1e-5},
      {"tanh", [](double x) { return std::tanh(x); }, 0.1, 3, 1e-3},
  };
  for (const Function &function : functions) {
    HostTensor in(DType::f32, {256});
    for (int64_t i = 0; i < 256; ++i)
      in.set(i, function.low + (function.high - function.low) * static_cast<double>(i) / 255);
    HostTensor out = convert(in, DType::f32,
                             std::string("%x = sm.load_global %at : vector<2xf32>\n%y = sm.") +
                                 function.name + " %x : vector<2xf32>",
                             "vector<2xf32>");
    for (int64_t i = 0; i < 256; ++i) {
      double exact = function.exact(in.at(i));
      EXPECT_NEAR(out.at(i), exact, function.tolerance * std::abs(exact)) << function.name;
    }
  }
}

/// One word per lane through `operation` from `%lane` to `%r`.
std::vector<double> perLane(const std::string &operation) {
  HostTensor out(DType::i32, {32});
  SmallKernel kernel(1);
  kernel.tensor("out", out, /*output=*/true);
  kernel.body(R"(%lane = sm.lane_id
%wide = arith.extui %lane : i32 to i64
%two = arith.constant 2 : i64
%offset = arith.shli %wide, %two : i64
%at = arith.addi %out, %offset : i64
%three = arith.constant 3 : i32
%five = arith.constant 5 : i32
)" + operation +
              "\nsm.store_global %r, %at : i32");
  EXPECT_EQ(kernel.run(), "");
  return out.values();
}

TEST(Warp, Shuffles) {
  auto shuffled = [](const std::string &mode) {
    return perLane("%r = sm.shuffle " + mode + " %lane, %five : i32");
  };
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(shuffled("xor")[lane], lane ^ 5);
    EXPECT_EQ(shuffled("idx")[lane], 5);
    EXPECT_EQ(shuffled("up")[lane], lane < 5 ? lane : lane - 5);
    EXPECT_EQ(shuffled("down")[lane], lane + 5 < 32 ? lane + 5 : lane);
  }
}

TEST(Warp, VotesAndElects) {
  const std::string vote = "%p = arith.cmpi ult, %lane, %three : i32\n";
  EXPECT_EQ(perLane(vote + "%v = sm.vote any %p\n%r = arith.extui %v : i1 to i32"),
            std::vector<double>(32, 1));
  EXPECT_EQ(perLane(vote + "%v = sm.vote all %p\n%r = arith.extui %v : i1 to i32"),
            std::vector<double>(32, 0));
  std::vector<double> elected = perLane("%v = sm.elect\n%r = arith.extui %v : i1 to i32");
  EXPECT_EQ(std::count(elected.begin(), elected.end(), 1), 1);
}

TEST(Warp, LanesLeaveLoopsOneByOne) {
  std::vector<double> sums = perLane(R"(%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%r = scf.for %i = %zero to %lane step %one iter_args(%sum = %zero) -> (i32) : i32 {
  %odd = arith.andi %i, %one : i32
  %is = arith.cmpi eq, %odd, %one : i32
  %next = scf.if %is -> (i32) {
    %more = arith.addi %sum, %i : i32
    scf.yield %more : i32
  } else {
    scf.yield %sum : i32
  }
  scf.yield %next : i32
})");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(sums[lane], (lane / 2) * (lane / 2));
}

TEST(Warp, LoopsWithACondition) {
  std::vector<double> logs = perLane(R"(%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%last, %r = scf.while (%x = %lane, %n = %zero) : (i32, i32) -> (i32, i32) {
  %more = arith.cmpi ugt, %x, %one : i32
  scf.condition(%more) %x, %n : i32, i32
} do {
^bb0(%x: i32, %n: i32):
  %half = arith.shrui %x, %one : i32
  %next = arith.addi %n, %one : i32
  scf.yield %half, %next : i32, i32
})");
  for (int lane = 0; lane < 32; ++lane)
    EXPECT_EQ(logs[lane], lane < 2 ? 0 : std::floor(std::log2(lane)));
}

} // namespace
