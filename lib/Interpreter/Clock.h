//===- Clock.h - what an agent knows of the others --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_CLOCK_H
#define TILEC_LIB_INTERPRETER_CLOCK_H

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>

namespace tilec::interp {

/// A vector clock: per agent, the time up to which its accesses lie before now.
class Clock {
public:
  uint32_t operator[](uint32_t agent) const { return agent < times.size() ? times[agent] : 0; }
  void raise(uint32_t agent, uint32_t time) {
    if (agent >= times.size())
      times.resize(agent + 1);
    times[agent] = std::max(times[agent], time);
  }
  void lower(uint32_t agent, uint32_t time) {
    if (agent < times.size())
      times[agent] = std::min(times[agent], time);
  }
  void join(const Clock &other) {
    if (other.times.size() > times.size())
      times.resize(other.times.size());
    for (size_t i = 0; i < other.times.size(); ++i)
      times[i] = std::max(times[i], other.times[i]);
  }

private:
  llvm::SmallVector<uint32_t, 0> times;
};

/// What lies before now, and of that the generic writes that the async proxy sees too.
struct Knowledge {
  Clock seen, fenced;

  void join(const Knowledge &other) {
    seen.join(other.seen);
    fenced.join(other.fenced);
  }
};

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_CLOCK_H
