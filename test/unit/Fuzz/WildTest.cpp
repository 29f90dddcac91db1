//===- WildTest.cpp - wrong programs end in messages ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// FuzzTests [--wild=N] [--first-seed=S]. Each program is compiled in a process of its own: one that
// dies, hangs, or fails without a message is a fault of the compiler.
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "Targets.h"

#include "gtest/gtest.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace tilec::fuzz;

namespace {
/// Processor time after which a compilation hangs.
constexpr unsigned secondsEach = 60;

enum class Ending { taken, refused, silent };

/// Does not return.
[[noreturn]] void compileHere(int64_t seed) {
  alarm(secondsEach);
  std::string said = compileWild(seed);
  bool isSilent = said == "failed without a message";
  _exit(static_cast<int>(isSilent ? Ending::silent : said.empty() ? Ending::taken : Ending::refused));
}

TEST(Wild, ProgramsAreTakenOrRefused) {
  int64_t counts[2] = {};
  for (int64_t seed = options().firstSeed; seed < options().firstSeed + options().wild; ++seed) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0)
      compileHere(seed);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
      ADD_FAILURE() << "seed " << seed << " of wild_program: the compiler ends by signal "
                    << WTERMSIG(status);
    else if (WEXITSTATUS(status) > static_cast<int>(Ending::refused))
      ADD_FAILURE() << "seed " << seed << " of wild_program: the compiler fails without a message";
    else
      ++counts[WEXITSTATUS(status)];
  }
  // Neither all nor nothing is wrong.
  if (options().wild >= 50) {
    EXPECT_GT(counts[0], options().wild / 20);
    EXPECT_GT(counts[1], options().wild / 5);
  }
  RecordProperty("refused", std::to_string(counts[1]));
}
} // namespace
