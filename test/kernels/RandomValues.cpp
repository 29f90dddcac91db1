//===- RandomValues.cpp - what test tensors are filled with ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomValues.h"

namespace tile::test {

std::vector<double> normal(Random &random, int64_t count, double factor) {
  std::normal_distribution<float> distribution;
  std::vector<double> values(count);
  for (double &value : values)
    value = factor * distribution(random);
  return values;
}

std::vector<double> integers(Random &random, int64_t count, int64_t low, int64_t high) {
  std::vector<double> values(count);
  for (double &value : values)
    value = static_cast<double>(pick(random, low, high));
  return values;
}

int64_t pick(Random &random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

} // namespace tile::test
