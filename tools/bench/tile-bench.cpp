//===- tile-bench.cpp - what the library's kernels reach on a GPU ---------===//
// SPDX-License-Identifier: Apache-2.0
//
//   tile-bench [word...]      rows whose name contains a word, or all
//
// Medians of CUDA-event times over random inputs, with the L2 cache flushed before each run. Only
// ratios of one process mean anything: the driver's copy is measured beside the kernels, other
// libraries by beside_torch.py.

#include "Bench.h"

#include <cstdio>

using namespace tile;

int main(int argc, char **argv) {
  if (Status gpu = cudaAvailable(); !gpu.ok())
    bench::fail("needs a GPU: " + gpu.message());
  printf("%d multiprocessors\n", static_cast<int>(bench::orFail(smCount(Device::cuda))));
  bench::Bench table(std::vector<std::string>(argv + 1, argv + argc));
  bench::benchAttention(table);
  bench::benchGemm(table);
  bench::benchMemory(table);
  bench::benchSelect(table);
  return 0;
}
