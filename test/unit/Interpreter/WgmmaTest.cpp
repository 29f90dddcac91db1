//===- WgmmaTest.cpp - the model of wgmma against plain products ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands lie in shared memory as SharedLayout says; the descriptors are the compiler's.
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "tilec/Layout/SharedLayout.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace tilec;
using namespace tilec::test;
using ::tile::DType;

namespace {

struct Case {
  DType dtype;
  int64_t n, k;
  int64_t swizzleA, swizzleB;
  bool transposeA = false, transposeB = false; // MN-major
};

/// An operand as its tile in shared memory: rows along M or N, or along K if MN-major.
struct Operand {
  SharedLayout layout;
  bool mnMajor;
  WgmmaOperand descriptor;

  Operand(const Case &c, int64_t mn, int64_t swizzle, bool mnMajor)
      : layout{mnMajor ? llvm::SmallVector<int64_t>{c.k, mn} : llvm::SmallVector<int64_t>{mn, c.k},
               ::tile::byteSize(c.dtype), swizzle},
        mnMajor(mnMajor), descriptor(wgmmaOperand(layout, mnMajor).value()) {}

  int64_t offset(int64_t mn, int64_t k) const {
    return mnMajor ? layout.swizzledOffset({k, mn}) : layout.swizzledOffset({mn, k});
  }
};

/// A value of the descriptor of step `step` of an operand at byte `offset` of shared memory.
std::string descriptorText(const std::string &name, const Operand &operand, int64_t offset,
                           int64_t step) {
  return with("%" + name + R"(_base = sm.shared_base
%@_offset = arith.constant $offset : i32
%@_start = arith.addi %@_base, %@_offset : i32
%@_four = arith.constant 4 : i32
%@_units = arith.shrui %@_start, %@_four : i32
%@_wide = arith.extui %@_units : i32 to i64
%@_bits = arith.constant $bits : i64
%@ = arith.ori %@_wide, %@_bits : i64
)",
              {{"offset", offset + wgmmaStart(operand.layout, operand.mnMajor, step, 0)},
               {"bits", static_cast<int64_t>(operand.descriptor.descriptor)}});
}

std::string named(std::string text, const std::string &name) {
  for (size_t at; (at = text.find("%@")) != std::string::npos;)
    text.replace(at, 2, "%" + name);
  return text;
}

/// Stores each thread's registers one after the other.
std::string storeRegisters(const std::string &value, int64_t count) {
  std::string text = with(R"(%thread = sm.thread_id
%wide = arith.extui %thread : i32 to i64
%size = arith.constant $bytes : i64
%mine = arith.muli %wide, %size : i64
%place = arith.addi %c, %mine : i64
)",
                          {{"bytes", 4 * count}});
  for (int64_t i = 0; i < count; i += 4)
    text += with("%part$i = vector.extract_strided_slice %" + value +
                     " {offsets = [$i], sizes = [4], strides = [1]} : vector<$countxf32> to "
                     "vector<4xf32>\n%byte$i = arith.constant $byte : i64\n%to$i = arith.addi "
                     "%place, %byte$i : i64\nsm.store_global %part$i, %to$i : vector<4xf32>\n",
                 {{"i", i}, {"byte", 4 * i}, {"count", count}});
  return text;
}

class Wgmma : public testing::TestWithParam<Case> {};

TEST_P(Wgmma, AgreesWithThePlainProduct) {
  const Case &c = GetParam();
  const char *type = c.dtype == DType::bf16   ? "bf16"
                     : c.dtype == DType::f16  ? "f16"
                     : c.dtype == DType::e4m3 ? "f8E4M3FN"
                                              : "f8E5M2";
  Operand a(c, 64, c.swizzleA, c.transposeA), b(c, c.n, c.swizzleB, c.transposeB);
  int64_t size = ::tile::byteSize(c.dtype), startB = (a.layout.bytes() + 1023) / 1024 * 1024;
  int64_t bytes = startB + b.layout.bytes();
  HostTensor image(c.dtype, {bytes / size}), result(DType::f32, {128, c.n / 2});
  HostTensor plainA = randomTensor(c.dtype, {64, c.k}, 1),
             plainB = randomTensor(c.dtype, {c.n, c.k}, 2);
  for (int64_t i = 0; i < image.count(); ++i)
    image.set(i, 0);
  for (int64_t k = 0; k < c.k; ++k) {
    for (int64_t m = 0; m < 64; ++m)
      image.set(a.offset(m, k) / size, plainA.at(m * c.k + k));
    for (int64_t n = 0; n < c.n; ++n)
      image.set((startB + b.offset(n, k)) / size, plainB.at(n * c.k + k));
  }

  SmallKernel kernel(4, bytes);
  kernel.tensor("image", image).tensor("c", result, /*output=*/true);
  kernel.toShared("image", bytes / 4).body("sm.fence_proxy\nsm.barrier\nsm.wgmma_fence");
  kernel.body(with("%acc0 = arith.constant dense<7.0> : vector<$rxf32>", {{"r", c.n / 2}}));
  int64_t steps = c.k * size / 32;
  for (int64_t step = 0; step < steps; ++step) {
    std::string an = "a" + std::to_string(step), bn = "b" + std::to_string(step);
    kernel.body(named(descriptorText(an, a, 0, step), an));
    kernel.body(named(descriptorText(bn, b, startB, step), bn));
    std::string flags = std::string("{type = ") + type + (c.transposeA ? ", transpose_a" : "") +
                        (c.transposeB ? ", transpose_b" : "") + (step == 0 ? ", init}" : "}");
    kernel.body(
        with("%acc$next = sm.wgmma %acc$step, %a$step, %b$step " + flags + " : vector<$rxf32>, i64",
             {{"next", step + 1}, {"step", step}, {"r", c.n / 2}}));
  }
  kernel.body(
      with("sm.wgmma_commit\n%r = sm.wgmma_wait %acc$n {pending = 0 : i64} : vector<$rxf32>",
           {{"n", steps}, {"r", c.n / 2}}));
  kernel.body(storeRegisters("r", c.n / 2));
  ASSERT_EQ(kernel.run(), "");

  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t reg = 0; reg < c.n / 2; ++reg) {
      int64_t row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (reg / 2 % 2);
      int64_t column = 8 * (reg / 4) + 2 * (thread % 4) + reg % 2;
      double sum = 0;
      for (int64_t k = 0; k < c.k; ++k)
        sum += plainA.at(row * c.k + k) * plainB.at(column * c.k + k);
      ASSERT_NEAR(result.at(thread * c.n / 2 + reg), sum, 1e-4 * (1 + std::abs(sum)))
          << "row " << row << ", column " << column;
    }
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int64_t n = 8; n <= 256; n += 8)
    result.push_back({DType::bf16, n, 64, 128, 128});
  for (int64_t swizzle : {32, 64, 128}) {
    result.push_back({DType::f16, 64, 64, swizzle, swizzle});
    result.push_back({DType::bf16, 64, 128, swizzle, 128, true, false});
    result.push_back({DType::bf16, 128, 96, 128, swizzle, false, true});
    result.push_back({DType::e4m3, 48, 128, swizzle, 128});
    result.push_back({DType::e5m2, 72, 128, 128, swizzle});
  }
  result.push_back({DType::bf16, 8, 64, 128, 0, false, true});
  result.push_back({DType::f16, 192, 128, 64, 64, true, true});
  return result;
}

INSTANTIATE_TEST_SUITE_P(
    Models, Wgmma, testing::ValuesIn(cases()), [](const testing::TestParamInfo<Case> &info) {
      const Case &c = info.param;
      return with(std::string(::tile::name(c.dtype)) + "_n$n_k$k_" + (c.transposeA ? "t" : "n") +
                      "$a_" + (c.transposeB ? "t" : "n") + "$b",
                  {{"n", c.n}, {"k", c.k}, {"a", c.swizzleA}, {"b", c.swizzleB}});
    });

} // namespace
