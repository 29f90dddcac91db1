//===- Program.h - what a role-split kernel does to its channels -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel with its data stripped: per role the steps that touch channels, turns and matrix
// products in flight, in the kernel's own loops and branches. Trip counts are symbols. Plain C++:
// the proofs (Proof.h, Model.h) know no IR.
//===----------------------------------------------------------------------===//
#ifndef TILEC_PROTOCOL_PROGRAM_H
#define TILEC_PROTOCOL_PROGRAM_H

#include "tilec/Layout/TilePart.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilec::protocol {

/// A value that a step makes and others use: a cursor, a slot or a product in flight. 0 is none.
using Var = unsigned;

struct Channel {
  std::string name; // of the tensor that is loaded through it
  int64_t stages = 1;
  int64_t slotBytes = 0, slotElements = 0;
  int64_t arrivals = 1;     // that say that a slot is empty: what the barrier expects
  int64_t releaseCount = 1; // arrivals that one warpgroup's release makes
  int64_t fillArrivals = 1; // that say that a slot is full: what the barrier expects, beside bytes
  int64_t commitCount = 1;  // arrivals that filling a slot makes
  bool threadReaders = false;
  bool threadCopies = false; // filled by threads, which arrive when their copies have landed
  unsigned source = 0;
};

/// How often a loop runs: max(symbol - offset, 0), or `offset` itself if there is no symbol.
struct Trips {
  std::optional<unsigned> symbol;
  int64_t offset = 0;
};

/// When the first branch is taken: if the trips are more than 0, or if a guard holds that both
/// roles know (its number), or by something that only this role knows.
struct Condition {
  enum class Kind { SomeTrips, Guard, Unknown } kind = Kind::Unknown;
  Trips trips;
  unsigned guard = 0;
};

struct Step {
  enum class Kind {
    Start,   // result: the first slot of the first round, or in a later work item what `cursor` was
    Advance, // result: the slot behind `cursor` in the ring of `channel`
    Acquire, // announces `amount` bytes
    Load,    // copies `amount` bytes in `pieces` into a part of the slot
    Commit,
    Fence, // what threads have copied is seen by products from here on
    Wait,  // result: the slot
    Release,
    Issue,    // result: the product; reads slots, perhaps `registers`, goes on with `product`
    Collect,  // waits for `product`: `amount` younger groups may go on
    Drain,    // `amount` groups may go on
    Read,     // threads (or a product that is waited for on the spot) read slots
    HandOver, // the next work item starts from `cursor` in `channel`
    Rewrite,  // the registers of a product's operand get their next value
    RoleBarrier,
    TurnWait,
    TurnPass,
    CtaBarrier, // a barrier that all threads of the CTA have to reach
    Loop,
    If
  };
  /// A value that a loop carries (`other` unused in results of an If: first, second, result).
  struct Carried {
    Var first;    // Loop: on entry. If: of the first branch
    Var argument; // Loop: in the body
    Var second;   // Loop: yielded. If: of the other branch
    Var result;
  };

  Kind kind;
  unsigned source = 0; // who caused it: an index into the caller's table
  unsigned channel = 0;
  Var cursor = 0, result = 0, product = 0, registers = 0;
  std::vector<Var> slots;
  bool byThreads = false; // Read: by loads, so each warp reads for itself
  int64_t amount = 0, pieces = 1;
  TilePart part; // Load
  Trips trips;
  Condition condition;
  std::vector<Carried> carried;
  std::vector<Step> body, otherwise;
};

struct Program {
  std::vector<Channel> channels;
  unsigned symbols = 0, guards = 0;
  unsigned groups = 1; // consumer warpgroups
  std::vector<Step> producer, consumer;
};

/// True if the roles go through work items; their steps are those of one.
bool hasItems(const Program &program);

/// What is wrong, and the step that shows it.
struct Fault {
  unsigned source;
  std::string message;
};

} // namespace tilec::protocol

#endif // TILEC_PROTOCOL_PROGRAM_H
