//===- ProductTest.cpp - products of picked rows and of 8 bits ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LibraryCall.h"

#include "Compare.h"
#include "GatherReference.h"
#include "tile/Matrix.h"

#include <cmath>

using namespace tile;
using namespace tile::test;

namespace {
/// Small whole numbers: their products and sums are exact, and each result has one rounding.
void checkGathered(DType dtype, int64_t aRows, int64_t m, int64_t n, int64_t k, int64_t padding) {
  SCOPED_TRACE(testing::Message() << name(dtype) << ": " << m << " x " << n << " x " << k
                                  << ", padding " << padding);
  Random random = seeded();
  GuardedTensor a = matrix(dtype, aRows, k, padding), b = matrix(dtype, k, n, padding);
  GuardedTensor c = matrix(dtype, m, n, padding), rows(DType::i32, {m});
  a.setValues(integers(random, a.elements(), -2, 2));
  b.setValues(integers(random, b.elements(), -2, 2));
  rows.setValues(integers(random, m, -1, aRows)); // both ends name no row
  EXPECT_OK(run({&a, &rows, &b}, {&c}, [&](Stream on) {
    return gatheredMatmul(on, view(a), view(rows), view(b), view(c));
  }));
  GuardedTensor expected(dtype, {m, n});
  expected.setValues(
      matmul(gatherRows(a.values(), k, rows.values(), 0), b.values(), m, n, k, false));
  EXPECT_EQ(c.values(), expected.values());
}

TEST(GatheredMatmul, AlignedAndNot) {
  for (DType dtype : {DType::bf16, DType::f16}) {
    checkGathered(dtype, 40, 70, 64, 72, 0);
    checkGathered(dtype, 40, 70, 64, 72, 8);
    checkGathered(dtype, 40, 70, 64, 72, 1);
    checkGathered(dtype, 9, 33, 31, 100, 0);
  }
}

TEST(GatheredMatmul, Errors) {
  GuardedTensor a(DType::bf16, {9, 16}), b(DType::bf16, {16, 8}), c(DType::bf16, {5, 8});
  GuardedTensor rows(DType::i32, {5}), longRows(DType::i64, {5}), fewRows(DType::i32, {4});
  GuardedTensor real(DType::f32, {9, 16});
  auto message = [&](GuardedTensor &left, GuardedTensor &list) {
    return run({&left, &list, &b}, {&c},
               [&](Stream on) {
                 return gatheredMatmul(on, view(left), view(list), view(b), view(c));
               })
        .message();
  };
  EXPECT_EQ(message(real, rows), "gathered_matmul: no kernel of the library takes argument 'a' of "
                                 "f32; it has kernels for bf16, f16");
  EXPECT_EQ(message(a, longRows), "gathered_matmul: argument 'rows': expected i32, found i64");
  EXPECT_EQ(message(a, fewRows),
            "gathered_matmul: argument 'c' dimension 0 (m): expected 4 as in 'rows', found 5");
}

/// Each element within 2^-11 of the sum of its terms' sizes, as docs/Kernels.md says of tensor
/// cores, and the rounding of the result's type.
void expectProduct(const GuardedTensor &c, const std::vector<double> &a,
                   const std::vector<double> &b, int64_t m, int64_t n, int64_t k) {
  auto sizes = [](std::vector<double> x) {
    for (double &value : x)
      value = std::fabs(value);
    return x;
  };
  auto expected = matmul(a, b, m, n, k, true), most = matmul(sizes(a), sizes(b), m, n, k, true);
  EXPECT_OK(checkElements(c.values(), expected, [&](size_t i) {
    return 0x1p-11 * most[i] + (c.dtype() == DType::bf16 ? 0x1p-8 : 0) * std::fabs(expected[i]);
  }));
}

TEST(Matmul, EightBits) {
  Random random = seeded();
  for (DType dtype : {DType::e4m3, DType::e5m2})
    for (auto [m, n, k] : {std::array<int64_t, 3>{70, 64, 160}, {5, 33, 31}}) {
      GuardedTensor a(dtype, {m, k}), b(dtype, {n, k}), c(DType::bf16, {m, n});
      a.setValues(normal(random, m * k, 3));
      b.setValues(normal(random, n * k, 3));
      EXPECT_OK(run({&a, &b}, {&c}, [&](Stream on) {
        return tile::matmul(on, view(a), view(b), view(c), {.transposeB = true});
      }));
      expectProduct(c, a.values(), b.values(), m, n, k);
    }
}

TEST(Matmul, EightBitsWantTheSecondTransposed) {
  GuardedTensor a(DType::e4m3, {16, 16}), b(DType::e4m3, {16, 16}), c(DType::bf16, {16, 16});
  EXPECT_EQ(
      run({&a, &b}, {&c}, [&](Stream on) { return tile::matmul(on, view(a), view(b), view(c)); })
          .message(),
      "matmul: no kernel of the library takes e4m3 with transpose_b 0; it has bf16 with "
      "transpose_b 0; bf16 with transpose_b 1; f16 with transpose_b 0; f16 with transpose_b 1; "
      "e4m3 with transpose_b 1; e5m2 with transpose_b 1");
}

/// The operands of one scaledMatmul().
struct Scaled {
  GuardedTensor a, b, scaleA, scaleB, c;

  Scaled(int64_t m, int64_t n, int64_t k, DType result)
      : a(DType::e4m3, {m, k}), b(DType::e4m3, {n, k}), scaleA(DType::f32, {m}),
        scaleB(DType::f32, {n}), c(result, {m, n}) {}

  Status call() {
    return run({&a, &b, &scaleA, &scaleB}, {&c}, [&](Stream on) {
      return scaledMatmul(on, {view(a), view(b), view(scaleA), view(scaleB), view(c)});
    });
  }
};

TEST(ScaledMatmul, BothResultTypes) {
  Random random = seeded();
  for (DType result : {DType::bf16, DType::f32})
    for (auto [m, n, k] : {std::array<int64_t, 3>{1, 8, 16}, {129, 264, 144}, {40, 24, 0}}) {
      Scaled given(m, n, k, result);
      given.a.setValues(normal(random, m * k, 20));
      given.b.setValues(normal(random, n * k, 20));
      given.scaleA.setValues(normal(random, m, 0.01));
      given.scaleB.setValues(normal(random, n, 0.01));
      EXPECT_OK(given.call());
      auto a = given.a.values(), b = given.b.values();
      for (int64_t i = 0; i < m * k; ++i)
        a[i] *= given.scaleA.get(i / k);
      for (int64_t i = 0; i < n * k; ++i)
        b[i] *= given.scaleB.get(i / k);
      expectProduct(given.c, a, b, m, n, k);
    }
}

TEST(ScaledMatmul, Errors) {
  EXPECT_EQ(
      Scaled(8, 8, 24, DType::bf16).call().message(),
      "scaled_matmul: argument 'a' dimension 0 (m): expected a stride that is a multiple of 16 "
      "elements (16 bytes), found 24");
  EXPECT_EQ(
      Scaled(8, 9, 16, DType::bf16).call().message(),
      "scaled_matmul: argument 'c' dimension 0 (m): expected a stride that is a multiple of 8 "
      "elements (16 bytes), found 9");
  EXPECT_EQ(
      Scaled(8, 8, 16, DType::f16).call().message(),
      "scaled_matmul: no kernel of the library takes e4m3 with c of f16; it has e4m3 with c of "
      "bf16; e4m3 with c of f32");
  Scaled given(8, 8, 16, DType::bf16);
  given.scaleB = GuardedTensor(DType::f32, {7});
  EXPECT_EQ(given.call().message(),
            "scaled_matmul: argument 'scale_b' dimension 0 (n): expected 8 as in 'b', found 7");
}
} // namespace
