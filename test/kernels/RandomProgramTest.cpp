//===- RandomProgramTest.cpp - random programs on the GPU and on the host -===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs of test/unit/Fuzz, which says how they are made, compiled ahead of time. FuzzTests runs
// more of them, on the host and in the interpreter.

#include "../unit/Fuzz/Program.h"
#include "Harness.h"

using namespace tile::test;
using tile::DType;

namespace {
class RandomProgram : public KernelTest {
protected:
  GuardedTensor numbers(std::vector<int64_t> shape) {
    GuardedTensor tensor(DType::i32, std::move(shape));
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.set(i, static_cast<double>(pick(random, 0, 7) ? pick(random, -20, 100)
                                                           : pick(random, INT32_MIN, INT32_MAX)));
    return tensor;
  }
};

TEST_P(RandomProgram, GivesTheBitsOfTheHost) {
  namespace fuzz = tilec::fuzz;
  fuzz::Shape shape = fuzz::shapeOf(variant().config("seed"));
  GuardedTensor in = numbers({pick(random, 1, 2 * shape.m + 5), pick(random, 1, 2 * shape.n + 5)});
  GuardedTensor row = numbers({in.shape()[1]}), scalars = numbers({16});
  std::vector<std::vector<double>> results[2];
  Variant onHost{variant().info, tile::Device::host};
  for (const Variant &target : {onHost, variant()}) {
    GuardedTensor outM(DType::i32, {fuzz::programs, fuzz::slots, shape.m});
    GuardedTensor outN(DType::i32, {fuzz::programs, fuzz::slots, shape.n});
    GuardedTensor outBoth(DType::i32, {fuzz::programs, fuzz::slots, shape.m, shape.n});
    GuardedTensor outNumber(DType::i32, {fuzz::programs, fuzz::slots});
    EXPECT_OK(run(target, {in, row, scalars, outM, outN, outBoth, outNumber}));
    results[target.device == tile::Device::cuda] = {outM.values(), outN.values(), outBoth.values(),
                                                    outNumber.values()};
  }
  if (variant().device == tile::Device::cuda)
    EXPECT_EQ(results[1], results[0]);
}
TILE_INSTANTIATE(RandomProgram, "random_program");
} // namespace
