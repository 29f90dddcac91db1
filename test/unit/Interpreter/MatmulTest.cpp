//===- MatmulTest.cpp - the library's matmul in the interpreter -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "gtest/gtest.h"

#include <chrono>

using namespace tilec::test;
using tile::DType;

namespace {

void expectProduct(const HostTensor &a, const HostTensor &b, const HostTensor &c, bool transposed) {
  int64_t m = a.shape[0], k = a.shape[1], n = c.shape[1];
  double worst = 0;
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a.at(i * k + l) * b.at(transposed ? j * k + l : l * n + j);
      double difference = std::abs(c.at(i * n + j) - sum);
      worst = std::max(worst, std::isnan(difference) ? INFINITY : difference - 0.02 * std::abs(sum));
    }
  EXPECT_LT(worst, 0.05);
}

TEST(Matmul, SmallShapes) {
  for (bool transposed : {false, true}) {
    LibraryKernel kernel("matmul", "bf16", {{"transpose_b", transposed ? "1" : "0"}});
    for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{128, 128, 64},
                           {200, 136, 200}, {100, 72, 33}}) {
      SCOPED_TRACE(testing::Message() << m << " " << n << " " << k << " " << transposed);
      HostTensor a = randomTensor(DType::bf16, {m, k}, 1);
      HostTensor b = transposed ? randomTensor(DType::bf16, {n, k}, 2)
                                : randomTensor(DType::bf16, {k, n}, 2);
      HostTensor c(DType::bf16, {m, n});
      tile::Tensor av = a.view(), bv = b.view(), cv = c.view();
      auto start = std::chrono::steady_clock::now();
      EXPECT_EQ(kernel.run({av, bv, cv}), "");
      std::cerr << std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() << " s\n";
      expectProduct(a, b, c, transposed);
    }
  }
}

} // namespace
