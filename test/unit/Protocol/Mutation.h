//===- Mutation.h - one mistake in a kernel, and who finds it ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TEST_UNIT_PROTOCOL_MUTATION_H
#define TEST_UNIT_PROTOCOL_MUTATION_H

#include "KernelIR.h"

#include "tilec/Protocol/Model.h"

#include <algorithm>
#include <ostream>

namespace tilec::test {

struct Mutation {
  const char *name, *kernel;
  void (*changeIR)(KernelIR &ir);
  void (*changeProgram)(protocol::Program &program);
  const char *proof; // part of the counting proof's message; empty: it does not see the mistake
  protocol::Verdict model; // Good: it does not see the mistake
};

/// The name instead of the bytes, in messages of gtest.
inline void PrintTo(const Mutation &mutation, std::ostream *os) { *os << mutation.name; }

/// Both proofs say of the broken kernel what the mutation says that they do.
void expectFound(const Mutation &mutation);

template <typename Function> void forSteps(std::vector<protocol::Step> &steps, Function &&function) {
  for (protocol::Step &step : steps) {
    function(step);
    forSteps(step.body, function);
    forSteps(step.otherwise, function);
  }
}

/// The `skip`-th step of a kind.
inline std::vector<protocol::Step>::iterator find(std::vector<protocol::Step> &steps, protocol::Step::Kind kind,
                                                  int skip = 0) {
  return std::find_if(steps.begin(), steps.end(),
                      [&](const protocol::Step &step) { return step.kind == kind && skip-- == 0; });
}

/// The bodies of all loops.
template <typename Function> void forLoops(std::vector<protocol::Step> &steps, Function &&function) {
  forSteps(steps, [&](protocol::Step &step) {
    if (step.kind == protocol::Step::Kind::Loop)
      function(step.body);
  });
}

} // namespace tilec::test

#endif // TEST_UNIT_PROTOCOL_MUTATION_H
