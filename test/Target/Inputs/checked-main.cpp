//===- checked-main.cpp - checked_sum that fails everywhere it can ---------===//
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <cstdio>
#include <initializer_list>

/// What a launcher hands over behind the dimensions (tile/KernelInfo.h).
struct Report {
  const char *message = nullptr;
  int64_t block = -1;
};

extern "C" void checked_sum__f32(void **params, int64_t begin, int64_t end);

int main() {
  constexpr int64_t kRows = 5;
  float x[kRows][64], o[64];
  for (auto &row : x)
    for (float &element : row)
      element = 1;
  int failures = 0;
  for (int32_t bad = -1; bad <= kRows; ++bad)
    for (float large : {1.0f, 2000.0f}) {
      x[3][17] = large;
      Report report;
      float *xs = &x[0][0], *os = o;
      int64_t rows = kRows, cols = 64, stride = 64, ctas = 1;
      Report *to = &report;
      void *params[] = {&xs, &rows, &cols, &stride, &bad, &os, &cols, &rows, &ctas, &to};
      checked_sum__f32(params, 0, 1);
      failures += report.message != nullptr;
    }
  std::printf("%d failures, sum %g\n", failures, o[0]);
}
