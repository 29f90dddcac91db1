//===- Timeline.h - when what happens, by a simple simulation ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_TIMELINE_H
#define TILEC_LIB_PROTOCOL_TIMELINE_H

#include "Steady.h"

namespace tilec {

/// A bar of the drawing, in cycles.
struct Bar {
  enum class Kind { Copy, Full, Read, Product, Work, Waiting };
  Kind kind;
  unsigned lane;
  int64_t begin, end;
  int64_t iteration;
  std::string text;
};

struct Timeline {
  std::vector<std::string> lanes;
  std::vector<Bar> bars;
  int64_t begin = 0, end = 0; // of the iterations shown
  int64_t period = 0;         // cycles from one iteration to the next
};

/// Runs the steady state: copies one after the other at L2's rate, one product at a time on the
/// tensor cores, each warpgroup's own work as if it had the units for itself.
Timeline simulate(const Overview &overview, const Steady &steady);

} // namespace tilec

#endif // TILEC_LIB_PROTOCOL_TIMELINE_H
