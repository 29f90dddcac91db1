//===- LibraryCall.cpp - calls of the library on the host -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LibraryCall.h"

namespace tile::test {

Random seeded() {
  auto *all = testing::UnitTest::GetInstance();
  uint64_t seed = static_cast<uint64_t>(all->random_seed());
  if (const testing::TestInfo *test = all->current_test_info())
    for (char c : std::string(test->test_suite_name()) + test->name())
      seed = seed * 1099511628211u + static_cast<unsigned char>(c);
  return Random(seed);
}

GuardedTensor matrix(DType dtype, int64_t rows, int64_t cols, int64_t padding) {
  return GuardedTensor(dtype, {rows, cols}, {cols + padding, 1}, padding);
}

Status run(std::vector<GuardedTensor *> inputs, std::vector<GuardedTensor *> outputs,
           const std::function<Status(Stream)> &call) {
  for (auto *list : {&inputs, &outputs})
    for (GuardedTensor *tensor : *list)
      if (Status status = tensor->upload(Device::host); !status.ok())
        return status;
  Status status = call(Stream::host());
  for (GuardedTensor *tensor : inputs)
    EXPECT_OK(tensor->check(/*readOnly=*/true));
  for (GuardedTensor *tensor : outputs)
    EXPECT_OK(tensor->check(/*readOnly=*/!status.ok()));
  return status;
}

} // namespace tile::test
