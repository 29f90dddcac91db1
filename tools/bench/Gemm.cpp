//===- Gemm.cpp - matrix products -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bench.h"
#include "Variants.h"
#include "tile/kernels/all.h"

namespace tile::bench {

namespace {
void row(Bench &bench, const KernelInfo &kernel, int64_t size) {
  DType dtype = kernel.params[0].dtype;
  bool transposed = test::configValue(kernel, "transpose_b") == 1;
  auto config = [&](const char *field) {
    return std::to_string(test::configValue(kernel, field).value_or(0));
  };
  std::string title = "gemm " + std::string(name(dtype)) + " " + std::to_string(size) + "^3" +
                      (transposed ? ", b [n, k]" : ", b [k, n]") + ", tile " + config("block_m") +
                      " x " + config("block_n") + " x " + config("block_k");
  if (!bench.wants(title))
    return;
  auto a = DeviceTensor::random(dtype, {size, size}), b = DeviceTensor::random(dtype, {size, size}),
       c = DeviceTensor::random(kernel.params[2].dtype, {size, size});
  double time = bench.measure(kernel, {a.view, b.view, c.view});
  bench.compute(title, time, 2.0 * size * size * size);
}
} // namespace

void benchGemm(Bench &bench) {
  for (const KernelInfo *kernel : kernels::all())
    if (kernel->source == std::string("gemm"))
      for (int64_t size : {4096, 8192})
        row(bench, *kernel, size);
}

} // namespace tile::bench
