//===- DebugTest.cpp - printing and checking ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// On the GPU a failed check ends every later launch of the process with an error: there it happens
// in a process of its own.

#include "Harness.h"

#include <algorithm>
#include <sstream>

using namespace tile::test;
using tile::Arg;
using tile::DType;

namespace {
class CheckedCopy : public KernelTest {
protected:
  /// The message of a launch.
  std::string message(GuardedTensor &x, int64_t limit, int64_t bad, GuardedTensor &o) {
    return run(variant(), {x, Arg::integer(DType::i32, limit), Arg::integer(DType::i32, bad), o})
        .message();
  }

  /// A launch in another process prints the check's line and fails with the driver's error.
  void expectLaunchFailure(GuardedTensor &x, int64_t bad, GuardedTensor &o) {
    GTEST_FLAG_SET(death_test_style,
                   "threadsafe"); // the child starts afresh: it inherits no context
    auto launch = [&] {
      std::string text = message(x, 100, bad, o);
      std::fputs(text.c_str(), stderr);
      std::_Exit(text.empty() ? 0 : 3);
    };
    EXPECT_EXIT(launch(), testing::ExitedWithCode(3), "CUDA_ERROR_LAUNCH_FAILED");
  }
};

TEST_P(CheckedCopy, GoodNumbersPass) {
  for (int64_t rows : {0, 1, 4, 41}) {
    GuardedTensor x(DType::i32, {rows, 50}), o(DType::i32, {rows, 50});
    x.setValues(integers(random, rows * 50, 0, 99));
    EXPECT_EQ(message(x, 100, -1, o), "");
    EXPECT_EQ(o.values(), x.values());
  }
}

TEST_P(CheckedCopy, AFailureIsTheLaunchsError) {
  const int64_t rows = 41;
  GuardedTensor x(DType::i32, {rows, 50}), o(DType::i32, {rows, 50});
  auto values = integers(random, rows * 50, 0, 99);
  x.setValues(values);
  x.set(17 * 50 + 49, -1); // as unsigned out of range, in CTA 4
  if (variant().device == tile::Device::cuda) {
    expectLaunchFailure(x, -1, o);
    return;
  }
  std::string text = message(x, 100, -1, o);
  EXPECT_NE(text.find("Control.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("check failed: an element is out of range"), std::string::npos) << text;
  EXPECT_NE(text.find("CTA 4"), std::string::npos) << text;
  // The CTA ended there; on the host the others went on.
  EXPECT_EQ(o.get(16 * 50 + 1), -1);
  if (!isInterpreted())
    EXPECT_EQ(o.get(20 * 50 + 1), x.get(20 * 50 + 1));
  // The next launch starts afresh.
  x.setValues(values);
  EXPECT_EQ(message(x, 100, -1, o), "");
  EXPECT_EQ(o.values(), x.values());
}

TEST_P(CheckedCopy, AScalarInALoop) {
  GuardedTensor x(DType::i32, {4, 50}), o(DType::i32, {4, 50});
  x.setValues(std::vector<double>(200, 1.0));
  if (variant().device == tile::Device::cuda) {
    expectLaunchFailure(x, 200, o);
    return;
  }
  std::string text = message(x, 100, 200, o);
  EXPECT_NE(text.find("check failed: 100% bad"), std::string::npos) << text;
  EXPECT_NE(text.find("CTA 0"), std::string::npos) << text;
}
TILE_INSTANTIATE(CheckedCopy, "checked_copy");

class PrintedCopy : public KernelTest {};

TEST_P(PrintedCopy, EachElementIsALine) {
  const int64_t rows = 41;
  GuardedTensor x(variant().dtype(), {rows, 3}), o(variant().dtype(), {rows, 3});
  x.setValues(integers(random, rows * 3, -9, 9));
  testing::internal::CaptureStdout();
  tile::Status launched = run(variant(), {x, o});
  std::fflush(stdout);
  std::string text = testing::internal::GetCapturedStdout();
  EXPECT_OK(launched);
  EXPECT_EQ(o.values(), x.values());

  std::vector<std::string> lines, expected;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  for (int64_t cta = 0; cta < (rows + 1) / 2; ++cta) {
    std::string end = " (CTA " + std::to_string(cta) + ")";
    bool above = false;
    for (int64_t r = 0; r < 2; ++r)
      for (int64_t c = 0; c < 3; ++c) {
        int64_t row = 2 * cta + r;
        auto value = row < rows ? static_cast<int64_t>(x.get(3 * row + c)) : 0;
        above |= value > 2;
        expected.push_back("100% x[" + std::to_string(r) + ", " + std::to_string(c) +
                           "] = " + std::to_string(value) + end);
      }
    expected.push_back("block = " + std::to_string(cta) + end);
    expected.push_back("above 2 = " + std::to_string(above) + end);
  }
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}
TILE_INSTANTIATE(PrintedCopy, "printed_copy");
} // namespace
