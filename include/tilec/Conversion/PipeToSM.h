//===- PipeToSM.h - what the roles of a kernel may use ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The patterns themselves are part of convert-tile-to-sm (TileToSM.h).
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_PIPETOSM_H
#define TILEC_CONVERSION_PIPETOSM_H

#include <cstdint>

namespace tilec {

/// Registers per thread of a role-split kernel whose producer is one warpgroup.
struct RoleRegisters {
  int64_t entry;    // what every thread is launched with
  int64_t producer; // after the split
  int64_t consumer;
  /// The roles change their number: the consumers need more than they start with.
  bool redistributes() const { return consumer > entry; }
};

/// What a producer holds registers for.
struct ProducerWork {
  bool hasItems = false;    // it goes through work items
  bool threadsCopy = false; // its threads copy rows at an index tile
  int64_t loops = 0;        // of one item
};

/// The budget for `consumerGroups` warpgroups, 1 to 3, with `ctasPerSM` CTAs on an SM. What one
/// role gives up the other gets: producer + consumerGroups * consumer never exceeds what the CTA
/// was launched with. One CTA: 24/240 for 2 consumer warpgroups, 32/160 for 3; one warpgroup keeps
/// its 255, or gets 24/232 with two CTAs. A producer that also finds its work items needs more,
/// 40/232 for 2 consumer warpgroups, and one with several loops in an item, or whose threads hold
/// the indices of rows that they copy, still more: 56/224.
RoleRegisters roleRegisters(int64_t consumerGroups, int64_t ctasPerSM, ProducerWork work);

} // namespace tilec

#endif // TILEC_CONVERSION_PIPETOSM_H
