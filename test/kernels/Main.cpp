//===- Main.cpp - the kernels of the library, tested on host and GPU ------===//
// SPDX-License-Identifier: Apache-2.0
//
//   tile-kernel-tests [--target=host|cuda|both] [--seed=N] [gtest options]
//
// Needs neither the compiler nor a CUDA toolkit. Where there is no GPU, its tests are left out and
// the last line says why; with --target=cuda each is skipped.

#include "Harness.h"

#include <cstdio>

using namespace tile::test;

namespace {
/// Takes what is ours out of the command line; false on a bad value.
bool parse(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.starts_with("--target=")) {
      std::string target = argument.substr(9);
      if (target != "host" && target != "cuda" && target != "both") {
        fprintf(stderr, "--target: expected host, cuda or both, found '%s'\n", target.c_str());
        return false;
      }
      options().host = target != "cuda";
      options().cuda = target != "host";
    } else if (argument.starts_with("--seed=")) {
      options().seed = std::stoull(argument.substr(7));
    }
  }
  return true;
}
} // namespace

int main(int argc, char **argv) {
  options().seed = std::random_device()();
  if (!parse(argc, argv))
    return 2;
  tile::Status gpu = options().cuda ? tile::cudaAvailable() : tile::Status();
  if (!gpu.ok() && options().host)
    options().cuda = false;
  testing::InitGoogleTest(&argc, argv);
  printf("seed %llu; repeat with --seed=%llu\n", static_cast<unsigned long long>(options().seed),
         static_cast<unsigned long long>(options().seed));
  int result = RUN_ALL_TESTS();
  if (!gpu.ok() && options().host)
    printf("skipped every kernel on the GPU, ran them on the host alone: %s\n",
           gpu.message().c_str());
  return result;
}
