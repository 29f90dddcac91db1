//===- Values.h - loops over the elements of values -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_VALUES_H
#define TILEC_LIB_INTERPRETER_VALUES_H

#include "Cta.h"

namespace tilec::interp {

inline Place placeOf(uint32_t offset, uint32_t count, Kind kind) {
  return {offset, count, kind, 0};
}

/// The bits of an element, zero-extended.
inline uint64_t readWord(Warp &warp, uint32_t offset, uint32_t bytes, size_t word) {
  return bytes == 8 ? warp.words<uint64_t>(offset)[word] : warp.words<uint32_t>(offset)[word];
}
inline void writeWord(Warp &warp, uint32_t offset, uint32_t bytes, size_t word, uint64_t value) {
  if (bytes == 8)
    warp.words<uint64_t>(offset)[word] = value;
  else
    warp.words<uint32_t>(offset)[word] = static_cast<uint32_t>(value);
}

constexpr uint64_t maskOf(Kind kind) {
  return bitWidth(kind) == 64 ? ~uint64_t(0) : (uint64_t(1) << bitWidth(kind)) - 1;
}

inline int64_t signExtend(uint64_t bits, Kind kind) {
  uint32_t unused = 64 - bitWidth(kind);
  return static_cast<int64_t>(bits << unused) >> unused;
}

/// The bytes of one lane's value as they lie in memory, first element first.
void packLane(Warp &warp, const Place &place, uint32_t lane, uint8_t *bytes);
void unpackLane(Warp &warp, const Place &place, uint32_t lane, const uint8_t *bytes);

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_VALUES_H
