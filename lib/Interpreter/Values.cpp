//===- Values.cpp - constants and the bytes of values ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Values.h"

using namespace tilec::interp;

template <uint32_t bytes>
static void pack(Warp &warp, const Place &place, uint32_t lane, uint8_t *out) {
  using Word = std::conditional_t<bytes == 8, uint64_t, uint32_t>;
  const Word *words = warp.words<Word>(place.offset) + lane;
  for (uint32_t i = 0; i < place.count; ++i)
    std::memcpy(out + bytes * i, words + kLanes * i, bytes);
}

template <uint32_t bytes>
static void unpack(Warp &warp, const Place &place, uint32_t lane, const uint8_t *in) {
  using Word = std::conditional_t<bytes == 8, uint64_t, uint32_t>;
  Word *words = warp.words<Word>(place.offset) + lane;
  for (uint32_t i = 0; i < place.count; ++i) {
    Word word = 0;
    std::memcpy(&word, in + bytes * i, bytes);
    words[kLanes * i] = word;
  }
}

void tilec::interp::packLane(Warp &warp, const Place &place, uint32_t lane, uint8_t *bytes) {
  switch (storedBytes(place.kind)) {
  case 1:
    return pack<1>(warp, place, lane, bytes);
  case 2:
    return pack<2>(warp, place, lane, bytes);
  case 4:
    return pack<4>(warp, place, lane, bytes);
  default:
    return pack<8>(warp, place, lane, bytes);
  }
}

void tilec::interp::unpackLane(Warp &warp, const Place &place, uint32_t lane,
                               const uint8_t *bytes) {
  switch (storedBytes(place.kind)) {
  case 1:
    return unpack<1>(warp, place, lane, bytes);
  case 2:
    return unpack<2>(warp, place, lane, bytes);
  case 4:
    return unpack<4>(warp, place, lane, bytes);
  default:
    return unpack<8>(warp, place, lane, bytes);
  }
}
