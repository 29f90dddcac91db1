//===- Events.h - one role's steps of one run ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_EVENTS_H
#define TILEC_LIB_PROTOCOL_EVENTS_H

#include "tilec/Protocol/Model.h"

namespace tilec::protocol {

/// What a role does in a run whose trips and guards are known: loops unrolled, cursors numbers.
struct Event {
  enum class Kind {
    Acquire,
    Load,
    Commit,
    Wait,
    Release,
    Use,    // starts to read (or reads) the slot, which has to hold fill `fill`
    EndUse, // a product that reads the slot is known to be finished
    RoleBarrier,
    TurnWait,
    TurnPass,
    CtaBarrier
  };
  Kind kind;
  unsigned channel = 0;
  int64_t stage = 0, parity = 0, bytes = 0, pieces = 1;
  int64_t fill = 0;    // Use: how many fills of the slot there have been
  bool visible = true; // others may step in before it
  bool beside = false; // Load: into another part than those before it, of the same fill
};

/// Branches on what only the role knows take their first side.
std::vector<Event> unroll(const Program &program, bool producer, const Case &where);
/// As a line of a trace.
std::string describe(const Program &program, const Event &event);

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_EVENTS_H
