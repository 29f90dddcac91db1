//===- Proof.h - the counting proof --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PROTOCOL_PROOF_H
#define TILEC_PROTOCOL_PROOF_H

#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

/// Proves, for every trip count and guard:
///   - the n-th use of a channel is its n-th slot, in each role: cursors advance once per use, on
///     every path
///   - each slot acquired is committed once, with the bytes announced; each slot waited for is
///     released once; both roles use the same number of slots
///   - no role holds more slots than a ring has, and the order in which the roles go through the
///     channels cannot block both
///   - a product is finished when its value is read, when a slot that it reads is released, and
///     when its register operand gets its next value
///   - turns are taken and passed alternately
///
/// Counts are affine in trip counts, guards and loop counters. What is not affine is refused, so
/// the absence of faults is a proof. The first faults found come first.
std::vector<Fault> prove(const Program &program);

} // namespace tilec::protocol

#endif // TILEC_PROTOCOL_PROOF_H
