//===- QuadExchange.h - longer runs per lane -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_QUADEXCHANGE_H
#define TILEC_LIB_CONVERSION_TILETOSM_QUADEXCHANGE_H

#include "Lowering.h"

namespace tilec::to_sm {

/// Moves a fragment so that a lane holds two or four words in a row where it had one: 8 or 16 bytes
/// per access instead of 4. All lanes of the warp have to take part.
struct QuadExchange {
  FragmentLayout from, to;
  int64_t axis;  // along which the runs get longer
  int64_t run;   // elements of a 32-bit word
  int64_t words; // that a run has afterwards

  /// Nothing if the lanes of a quad do not hold neighbouring words of elements of 8 or 16 bits.
  static std::optional<QuadExchange> plan(const FragmentLayout &layout, int64_t axis, Type element,
                                          ArrayRef<int64_t> extents);
  /// The registers of `from` -> the registers of `to`.
  Value apply(Emitter e, const KernelState &state, Value value) const;
};

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_QUADEXCHANGE_H
