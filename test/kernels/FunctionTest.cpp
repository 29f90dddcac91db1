//===- FunctionTest.cpp - elementwise functions within their errors -------===//
// SPDX-License-Identifier: Apache-2.0

#include "FloatReference.h"
#include "Harness.h"

#include <atomic>
#include <cstring>
#include <mutex>

#include "Reference.h"

using namespace tile::test;

namespace {
class ApplyFunction : public KernelTest {};

TEST_P(ApplyFunction, IsWithinTheStatedError) {
  const Function &function = functions()[static_cast<size_t>(variant().config("function"))];
  bool onGpu = variant().device == tile::Device::cuda;
  std::vector<float> samples = functionSamples(function, onGpu ? 1 << 22 : 1 << 19, random());
  auto count = static_cast<int64_t>(samples.size());
  GuardedTensor x(tile::DType::f32, {count}), y(tile::DType::f32, {count});
  memcpy(x.address(0), samples.data(), samples.size() * sizeof(float));
  EXPECT_OK(run(variant(), {x, y}));
  std::mutex mutex;
  std::atomic<int> wrong = 0;
  parallelFor(count / 4096 + 1, [&](int64_t block) {
    for (int64_t i = 4096 * block; i < std::min(count, 4096 * (block + 1)); ++i) {
      float found;
      memcpy(&found, y.address(i), sizeof found);
      std::string problem = checkFunction(function, samples[static_cast<size_t>(i)], found);
      if (problem.empty() || wrong++ >= 10)
        continue;
      std::lock_guard lock(mutex);
      ADD_FAILURE() << problem;
    }
  });
  EXPECT_EQ(wrong, 0);
}
TILE_INSTANTIATE(ApplyFunction, "apply_function");
} // namespace
