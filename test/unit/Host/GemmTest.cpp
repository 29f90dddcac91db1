//===- GemmTest.cpp - matrix products on the host target ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

/// c = a * b for any extents: a loop over K, tails on every side.
const char *matmul = R"(
tile.kernel @k(%a: !tile.global<?x?xbf16>, %b: !tile.global<?x?xbf16>, %c: !tile.global<?x?xf32>)
    attributes {tile.launch = {dims = ["m", "n", "k"]}} {
  %bm = arith.constant 64 : i64
  %bn = arith.constant 48 : i64
  %bk = arith.constant 32 : i64
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %n = tile.dim "n"
  %k = tile.dim "k"
  %columns = arith.ceildivsi %n, %bn : i64
  %id = tile.program_id
  %tm = arith.divsi %id, %columns : i64
  %tn = arith.remsi %id, %columns : i64
  %row = arith.muli %tm, %bm : i64
  %column = arith.muli %tn, %bn : i64
  %zero = arith.constant dense<0.0> : tensor<64x48xf32>
  %acc = scf.for %i = %c0 to %k step %bk iter_args(%sum = %zero) -> (tensor<64x48xf32>) : i64 {
    %as = tile.alloc_shared : !tile.shared<64x32xbf16>
    %bs = tile.alloc_shared : !tile.shared<32x48xbf16>
    %aw = tile.window %a[%row, %i] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<64x32xbf16>
    %bw = tile.window %b[%i, %column] dims = [0, 1] : !tile.global<?x?xbf16> to !tile.window<32x48xbf16>
    tile.copy %aw, %as : !tile.window<64x32xbf16> to !tile.shared<64x32xbf16>
    tile.copy %bw, %bs : !tile.window<32x48xbf16> to !tile.shared<32x48xbf16>
    %next = tile.gemm %as, %bs, %sum : !tile.shared<64x32xbf16>, !tile.shared<32x48xbf16>, tensor<64x48xf32>
    scf.yield %next : tensor<64x48xf32>
  }
  %cw = tile.window %c[%row, %column] dims = [0, 1] : !tile.global<?x?xf32> to !tile.window<64x48xf32>
  tile.store %acc, %cw : tensor<64x48xf32> to !tile.window<64x48xf32>
  tile.return
}
)";

void checkMatmul(const HostKernel &kernel, int64_t m, int64_t n, int64_t k) {
  Random random(m * 7919 + n * 31 + k);
  std::vector<uint16_t> a(m * k + 1), b(k * n + 1);
  for (uint16_t &x : a)
    x = toBf16(random.value());
  for (uint16_t &x : b)
    x = toBf16(random.value());
  int64_t pitch = n + 3;
  std::vector<float> c((m + 2) * pitch, notANumber);
  Arguments arguments;
  arguments.tensor(a.data(), {m, k}).tensor(b.data(), {k, n}).tensor(c.data(), {m, n}, {pitch});
  arguments.dim(m).dim(n).dim(k);
  kernel(arguments, (m + 63) / 64 * ((n + 47) / 48));
  for (int64_t i = 0; i < m + 2; ++i)
    for (int64_t j = 0; j < pitch; ++j) {
      if (i >= m || j >= n) {
        EXPECT_TRUE(std::isnan(c[i * pitch + j])) << "written outside at " << i << ", " << j;
        continue;
      }
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += static_cast<double>(fromBf16(a[i * k + l])) * fromBf16(b[l * n + j]);
      ASSERT_NEAR(c[i * pitch + j], sum, 1e-4)
          << m << "x" << n << "x" << k << " at " << i << ", " << j;
    }
}

TEST(HostGemm, MatmulWithTails) {
  HostKernel kernel(matmul);
  ASSERT_TRUE(kernel);
  int64_t sizes[][3] = {{64, 48, 32}, {100, 70, 50},  {1, 1, 1},
                        {65, 49, 33}, {130, 96, 128}, {7, 200, 3}};
  for (auto &[m, n, k] : sizes)
    checkMatmul(kernel, m, n, k);
}

TEST(HostGemm, NoProductsGiveZero) {
  HostKernel kernel(matmul);
  ASSERT_TRUE(kernel);
  checkMatmul(kernel, 70, 50, 0);
}

std::string oneProduct(int64_t m, int64_t n, int64_t k, bool ta, bool tb, bool fragment,
                       const std::string &type) {
  auto shape = [](int64_t r, int64_t c) {
    return std::to_string(r) + "x" + std::to_string(c) + "x";
  };
  std::string a = ta ? shape(k, m) : shape(m, k), b = tb ? shape(n, k) : shape(k, n),
              c = shape(m, n);
  std::string aValue = fragment ? "tensor<" + a + type + ">" : "!tile.shared<" + a + type + ">";
  std::string flags = ta || tb ? std::string(" {") + (ta ? "transpose_a" : "") +
                                     (ta && tb ? ", " : "") + (tb ? "transpose_b" : "") + "}"
                               : "";
  std::string readA =
      fragment ? "%as = tile.load %aw : !tile.window<" + a + type + "> to " + aValue + "\n"
               : "%as = tile.alloc_shared : " + aValue + "\n  tile.copy %aw, %as : !tile.window<" +
                     a + type + "> to " + aValue + "\n";
  return "tile.kernel @k(%a: !tile.global<" + a + type + ">, %b: !tile.global<" + b + type +
         ">, %c: !tile.global<" + c + "f32>) {\n  %o = arith.constant 0 : i64\n" +
         "  %aw = tile.window %a[%o, %o] dims = [0, 1] : !tile.global<" + a + type +
         "> to !tile.window<" + a + type +
         ">\n  %bw = tile.window %b[%o, %o] dims = [0, 1] : !tile.global<" + b + type +
         "> to !tile.window<" + b + type +
         ">\n  %cw = tile.window %c[%o, %o] dims = [0, 1] : !tile.global<" + c +
         "f32> to !tile.window<" + c + "f32>\n  " + readA +
         "  %bs = tile.alloc_shared : !tile.shared<" + b + type +
         ">\n  tile.copy %bw, %bs : !tile.window<" + b + type + "> to !tile.shared<" + b + type +
         ">\n  %acc = tile.load %cw : !tile.window<" + c + "f32> to tensor<" + c +
         "f32>\n  %r = tile.gemm %as, %bs, %acc" + flags + " : " + aValue + ", !tile.shared<" + b +
         type + ">, tensor<" + c + "f32>\n  tile.store %r, %cw : tensor<" + c +
         "f32> to !tile.window<" + c + "f32>\n  tile.return\n}\n";
}

/// Values that f16, bf16 and f32 all hold, so that every product and sum is exact.
template <typename T>
void checkOneProduct(int64_t m, int64_t n, int64_t k, bool ta, bool tb, bool fragment,
                     const std::string &type, T (*convert)(float)) {
  HostKernel kernel(oneProduct(m, n, k, ta, tb, fragment, type));
  ASSERT_TRUE(kernel);
  Random random(m + n + k);
  std::vector<T> a(m * k), b(k * n);
  std::vector<float> av(m * k), bv(k * n), c(m * n), expected(m * n);
  for (int64_t i = 0; i < m * k; ++i)
    a[i] = convert(av[i] = static_cast<float>(random.below(17) - 8));
  for (int64_t i = 0; i < k * n; ++i)
    b[i] = convert(bv[i] = static_cast<float>(random.below(17) - 8));
  for (int64_t i = 0; i < m * n; ++i)
    expected[i] = c[i] = static_cast<float>(random.below(9));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < k; ++l)
        expected[i * n + j] +=
            (ta ? av[l * m + i] : av[i * k + l]) * (tb ? bv[j * k + l] : bv[l * n + j]);
  Arguments arguments;
  arguments.tensor(a.data(), {ta ? k : m, ta ? m : k}).tensor(b.data(), {tb ? n : k, tb ? k : n});
  arguments.tensor(c.data(), {m, n});
  kernel(arguments, 1);
  EXPECT_EQ(c, expected) << m << "x" << n << "x" << k << " " << ta << tb << fragment << type;
}

/// Whole numbers -8..8 in e4m3: exponents up to 3 are enough.
uint8_t toE4M3(float value) {
  int exponent = 0;
  float fraction = std::frexp(std::fabs(value), &exponent);
  int bits = value == 0 ? 0 : (exponent + 6) << 3 | (static_cast<int>(fraction * 16) & 7);
  return static_cast<uint8_t>(bits | (value < 0 ? 0x80 : 0));
}

TEST(HostGemm, EightBitOperands) {
  checkOneProduct<uint8_t>(16, 24, 32, false, true, false, "f8E4M3FN", toE4M3);
  checkOneProduct<uint8_t>(16, 24, 32, false, true, true, "f8E4M3FN", toE4M3);
}

TEST(HostGemm, OperandForms) {
  for (bool ta : {false, true})
    for (bool tb : {false, true})
      for (bool fragment : {false, true}) {
        if (ta && fragment)
          continue;
        checkOneProduct<uint16_t>(16, 24, 32, ta, tb, fragment, "bf16", toBf16);
        checkOneProduct<uint16_t>(13, 19, 5, ta, tb, fragment, "f16", toF16);
      }
}

} // namespace
