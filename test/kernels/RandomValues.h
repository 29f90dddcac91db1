//===- RandomValues.h - what test tensors are filled with -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_RANDOMVALUES_H
#define TEST_KERNELS_RANDOMVALUES_H

#include <cstdint>
#include <random>
#include <vector>

namespace tile::test {

using Random = std::mt19937_64;

/// Values of N(0, factor^2).
std::vector<double> normal(Random &random, int64_t count, double factor = 1);
/// Integers in [low, high].
std::vector<double> integers(Random &random, int64_t count, int64_t low, int64_t high);
int64_t pick(Random &random, int64_t low, int64_t high);

} // namespace tile::test

#endif // TEST_KERNELS_RANDOMVALUES_H
