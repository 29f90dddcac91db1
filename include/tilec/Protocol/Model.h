//===- Model.h - the model check ------------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The producer, each consumer warpgroup and the copies in flight as processes, with the barriers as
// the hardware has them: a phase bit, arrivals that are missing, bytes that are missing. A wait for
// a parity passes if the phase of the other parity runs, so a role that is two phases late is
// blocked, and one that is two phases early is not.
//===----------------------------------------------------------------------===//
#ifndef TILEC_PROTOCOL_MODEL_H
#define TILEC_PROTOCOL_MODEL_H

#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

/// One run-time case: the value of each trip symbol, each guard.
struct Case {
  std::vector<int64_t> trips; // of each symbol, for one work item after the other
  std::vector<bool> guards;   // the same of each guard
  int64_t items = 1;
};

enum class Verdict {
  Good,
  Deadlock,
  Overwrite,    // a copy into a slot that somebody reads, or has not read yet
  UnfilledRead, // a read of a slot whose copy has not landed
  CopyInFlight, // at the end of the kernel
  TurnLost,     // a turn is passed to a warpgroup that has one
  TooManyStates
};

struct ModelResult {
  Verdict verdict = Verdict::Good;
  Case where;
  std::string message;            // empty if good
  std::vector<std::string> trace; // the shortest way to the failure, one step a line
  uint64_t states = 0;
};

/// All interleavings of one case.
ModelResult explore(const Program &program, const Case &where, uint64_t maxStates = 4000000);
/// All cases: trips 0 to 2 * stages + 1 of the largest ring, each guard both ways; where roles go
/// through work items, for five of them in a row, each with another case. Ends at the first
/// failure. `mostTrips` >= 0 limits the trips.
ModelResult exploreAll(const Program &program, int64_t mostTrips = -1);

} // namespace tilec::protocol

#endif // TILEC_PROTOCOL_MODEL_H
