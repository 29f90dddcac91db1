//===- FuzzTest.cpp - random programs agree on all targets ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// FuzzTests [--programs=N] [--first-seed=S] [--statements=N]: in CI a fixed set of seeds. A program
// that fails is made smaller by leaving statements out, as long as it still fails; what is left is
// printed, with the arguments that make it again.
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "Program.h"
#include "Targets.h"

#include "gtest/gtest.h"

#include <cstdio>
#include <cstring>

using namespace tilec::fuzz;

Options &tilec::fuzz::options() {
  static Options instance;
  return instance;
}

namespace {
/// Empty if the targets agree.
std::string disagreement(const ProgramId &id) {
  Outcome host = runProgram(id, Target::host);
  if (!host.error.empty())
    return "host: " + host.error;
  for (auto [target, name] :
       {std::pair(Target::simple, "simple path"), std::pair(Target::scheduled, "scheduled path")}) {
    Outcome other = runProgram(id, target);
    if (!other.error.empty())
      return std::string(name) + ": " + other.error;
    auto [a, b] = std::mismatch(host.results.begin(), host.results.end(), other.results.begin());
    if (a != host.results.end())
      return std::string(name) + ": word " + std::to_string(a - host.results.begin()) + " is " +
             std::to_string(*b) + ", on the host " + std::to_string(*a);
  }
  return "";
}

/// What an error is about, without its place.
std::string kindOf(const std::string &error) {
  size_t place = error.find("error");
  return error.substr(0, error.find(':')) + (place == std::string::npos ? "" : error.substr(place));
}

/// Leaves out as many statements as possible: all of a range, then smaller ranges.
ProgramId shrink(ProgramId id, const std::string &error) {
  for (int length = maxStatements / 2; length >= 1; length /= 2)
    for (int first = 0; first < maxStatements; first += length) {
      ProgramId smaller = id;
      smaller.dropped |=
          ((uint64_t(1) << length) - 1) << first & ((uint64_t(1) << maxStatements) - 1);
      if (smaller.dropped == id.dropped)
        continue;
      std::string now = disagreement(smaller);
      if (!now.empty() && kindOf(now).substr(0, 12) == kindOf(error).substr(0, 12))
        id = smaller;
    }
  return id;
}

TEST(Fuzz, ProgramsAgree) {
  for (int64_t seed = options().firstSeed; seed < options().firstSeed + options().programs;
       ++seed) {
    ProgramId id{seed, options().statements, 0};
    std::string error = disagreement(id);
    if (error.empty())
      continue;
    ProgramId smallest = shrink(id, error);
    ADD_FAILURE() << "seed " << seed << ": " << error << "\nsmallest: random_program "
                  << smallest.text() << "\n"
                  << disagreement(smallest) << "\n"
                  << programText(smallest);
  }
}
} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    long long value = 0;
    if (std::sscanf(argv[i], "--programs=%lld", &value) == 1)
      options().programs = value;
    else if (std::sscanf(argv[i], "--wild=%lld", &value) == 1)
      options().wild = value;
    else if (std::sscanf(argv[i], "--first-seed=%lld", &value) == 1)
      options().firstSeed = value;
    else if (std::sscanf(argv[i], "--statements=%lld", &value) == 1)
      options().statements = static_cast<int>(value);
    else {
      std::fprintf(stderr,
                   "%s: expected --programs=N, --wild=N, --first-seed=S or --statements=N, found "
                   "'%s'\n",
                   argv[0], argv[i]);
      return 2;
    }
  }
  return RUN_ALL_TESTS();
}
