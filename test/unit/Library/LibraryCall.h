//===- LibraryCall.h - calls of the library on the host -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Inputs are random (--gtest_random_seed=N); what nobody set, and all memory around the tensors, is
// NaN.

#ifndef TEST_UNIT_LIBRARY_LIBRARYCALL_H
#define TEST_UNIT_LIBRARY_LIBRARYCALL_H

#include "GuardedTensor.h"

#include "gtest/gtest.h"

#include <functional>
#include <random>

namespace tile::test {

using Random = std::mt19937_64;

/// Depends on gtest's seed and the test's name, not on which tests ran before.
Random seeded();
/// Values of N(0, factor^2).
std::vector<double> normal(Random &random, int64_t count, double factor = 1);
/// Integers in [low, high].
std::vector<double> integers(Random &random, int64_t count, int64_t low, int64_t high);
int64_t pick(Random &random, int64_t low, int64_t high);

/// [rows, cols] with `padding` elements of gap between rows, and as many before the first.
GuardedTensor matrix(DType dtype, int64_t rows, int64_t cols, int64_t padding = 0);
inline Tensor view(const GuardedTensor &tensor) { return tensor.on(Device::host); }

/// Makes the call. Afterwards no input has changed, and nothing but the outputs; if the call was
/// refused, neither have they.
Status run(std::vector<GuardedTensor *> inputs, std::vector<GuardedTensor *> outputs,
           const std::function<Status(Stream)> &call);

#define EXPECT_OK(expression)                                                                      \
  if (tile::Status expectedOk = (expression); !expectedOk.ok())                                    \
  ADD_FAILURE() << expectedOk.message()

} // namespace tile::test

#endif // TEST_UNIT_LIBRARY_LIBRARYCALL_H
