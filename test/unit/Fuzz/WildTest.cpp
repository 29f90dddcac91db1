//===- WildTest.cpp - wrong programs end in messages ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// FuzzTests [--wild=N] [--first-seed=S]. Each program is compiled in a process of its own: one that
// dies, hangs, or fails without a message is a fault of the compiler.
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "Targets.h"

#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

#include <array>

#include <sys/wait.h>
#include <unistd.h>

using namespace tilec::fuzz;

namespace {
/// Processor time after which a compilation hangs.
constexpr unsigned secondsEach = 60;

enum class Ending { taken, refused, silent };

/// Does not return.
[[noreturn]] void compileHere(std::string (*compileOne)(int64_t), int64_t seed) {
  alarm(secondsEach);
  std::string said = compileOne(seed);
  bool isSilent = said.find("failed without a message") != std::string::npos;
  _exit(static_cast<int>(isSilent       ? Ending::silent
                         : said.empty() ? Ending::taken
                                        : Ending::refused));
}

/// How many were taken, and how many refused; the others are failures.
std::array<int64_t, 2> compileEach(std::string (*compileOne)(int64_t)) {
  std::array<int64_t, 2> counts = {};
  for (int64_t seed = options().firstSeed; seed < options().firstSeed + options().wild; ++seed) {
    pid_t child = fork();
    if (child == 0)
      compileHere(compileOne, seed);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
      ADD_FAILURE() << "no process for seed " << seed;
    else if (WIFSIGNALED(status))
      ADD_FAILURE() << "seed " << seed << ": the compiler ends by signal " << WTERMSIG(status);
    else if (WEXITSTATUS(status) > static_cast<int>(Ending::refused))
      ADD_FAILURE() << "seed " << seed << ": the compiler fails without a message";
    else
      ++counts[static_cast<size_t>(WEXITSTATUS(status))];
  }
  return counts;
}

TEST(Wild, AFaultIsSeen) {
  EXPECT_NONFATAL_FAILURE(compileEach([](int64_t seed) -> std::string {
                            if (seed == options().firstSeed)
                              abort();
                            return "refused";
                          }),
                          "the compiler ends by signal 6");
}

TEST(Wild, ProgramsAreTakenOrRefused) {
  auto [taken, refused] = compileEach(compileWild);
  // Neither all nor nothing is wrong.
  if (options().wild >= 50) {
    EXPECT_GT(taken, options().wild / 20);
    EXPECT_GT(refused, options().wild / 5);
  }
}

TEST(Wild, ChangedIsTakenOrRefused) {
  auto [taken, refused] = compileEach(compileMutated);
  if (options().wild >= 50) {
    EXPECT_GT(taken, options().wild / 20);
    EXPECT_GT(refused, options().wild / 20);
  }
}
} // namespace
