//===- Coverage.cpp - every kernel ran in the interpreter -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Fails behind the last test if a kernel was in none of them: a new variant without a test is found
// here.

#include "Coverage.h"

#include "tile/kernels/all.h"
#include "tile/kernels/faults.h"
#include "tile/kernels/ops.h"

#include "gtest/gtest.h"

#include <cstdio>

using namespace tile;

namespace {
/// Compiled for the GPU and the host alone: FuzzTests interprets more of them.
bool isElsewhere(const KernelInfo &kernel) {
  return std::string_view(kernel.source) == "random_program";
}

class Coverage : public testing::Environment {
public:
  void TearDown() override {
    auto &tests = *testing::UnitTest::GetInstance();
    if (tests.test_to_run_count() != tests.total_test_count())
      return; // a selection
    int missing = 0, all = 0;
    for (auto list : {kernels::all(), kernels::faults(), kernels::ops()})
      for (const KernelInfo *kernel : list) {
        if (isElsewhere(*kernel))
          continue;
        ++all;
        if (test::wasInterpreted(*kernel))
          continue;
        ++missing;
        ADD_FAILURE() << kernel->symbol
                      << ": expected a test that runs it in the interpreter, found "
                      << "none; give it a shape that is small";
      }
    printf("%d of %d kernels ran in the interpreter\n", all - missing, all);
  }
};

testing::Environment *const registered = testing::AddGlobalTestEnvironment(new Coverage);
} // namespace
