//===- Counts.h - one role's counts, symbolically ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_COUNTS_H
#define TILEC_LIB_PROTOCOL_COUNTS_H

#include "Affine.h"
#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

/// Where a role takes a slot (producer) or gives one back (consumer), and how many slots of each
/// channel have been committed or waited for by then.
struct Site {
  unsigned channel, source;
  Affine position;
  std::vector<Affine> counts;
};

/// What a role does in sum.
struct RoleCounts {
  std::vector<Affine> uses; // per channel
  std::vector<Site> sites;
  std::map<unsigned, Affine> counterTrips; // loop counters: 0 to this - 1
};

/// Walks one role. Loop counters are numbered from `nextSymbol` on.
RoleCounts countRole(const Program &program, bool producer, unsigned &nextSymbol,
                     std::vector<Fault> &faults);
/// Whether the orders of the two roles may block both.
void checkOrder(const Program &program, const RoleCounts &producer, const RoleCounts &consumer,
                std::vector<Fault> &faults);

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_COUNTS_H
