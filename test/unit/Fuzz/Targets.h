//===- Targets.h - one random program on each target ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_TARGETS_H
#define TILEC_TEST_UNIT_FUZZ_TARGETS_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilec::fuzz {

struct ProgramId {
  int64_t seed = 0;
  int statements = 10;
  uint64_t dropped = 0;

  /// For tile-run: "--config=seed=4,statements=10,dropped=0".
  std::string text() const;
};

/// What a target made of a program: the bytes of all results, or why there are none.
struct Outcome {
  std::vector<int32_t> results;
  std::string error;

  bool operator==(const Outcome &) const = default;
};

enum class Target { host, simple, scheduled };

Outcome runProgram(const ProgramId &id, Target target);

/// What the compiler makes of `wild_program` of this number, for both targets: its messages, or
/// nothing if it takes it.
std::string compileWild(int64_t seed);

/// The same for a random program with a few changes to its IR, as no author can make them but a
/// file may hold.
std::string compileMutated(int64_t seed);

/// The IR of the program; for reports.
std::string programText(const ProgramId &id);

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_TARGETS_H
