//===- Gemm.h - one call of the library's gemm ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_GEMM_H
#define TILEC_TEST_UNIT_INTERPRETER_GEMM_H

#include "KernelRun.h"

#include <cmath>
#include <optional>

namespace tilec::test {

/// c[m, n] = a[m, k] * b, random; c has the operands' type unless told otherwise.
class GemmCall {
public:
  GemmCall(tile::DType dtype, int64_t m, int64_t n, int64_t k, bool transposed,
           std::optional<tile::DType> result = {})
      : transposed(transposed), a(randomTensor(dtype, {m, k}, 1)),
        b(randomTensor(dtype, transposed ? std::vector{n, k} : std::vector{k, n}, 2)),
        c(result.value_or(dtype), {m, n}) {}

  std::vector<tile::Arg> arguments() {
    views = {a.view(), b.view(), c.view()};
    return {views.begin(), views.end()};
  }

  /// The first difference from sums in double; empty if there is none.
  std::string check() const {
    int64_t k = a.shape[1], n = c.shape[1];
    std::vector<double> as = a.values(), bs = b.values();
    for (int64_t at = 0; at < c.count(); ++at) {
      double sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += as[at / n * k + l] * bs[transposed ? at % n * k + l : l * n + at % n];
      if (!(std::abs(c.at(at) - sum) <= 0.05 + 0.02 * std::abs(sum)))
        return "c[" + std::to_string(at) + "]: expected " + std::to_string(sum) + ", found " +
               std::to_string(c.at(at));
    }
    return "";
  }

private:
  bool transposed;
  HostTensor a, b, c;
  std::vector<tile::Tensor> views;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_GEMM_H
