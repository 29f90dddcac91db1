//===- Reciprocal.h - a divisor that is known at launch ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RECIPROCAL_H
#define TILE_RECIPROCAL_H

#include <bit>
#include <cstdint>

namespace tile {

/// What a kernel takes in the place of a division by `divisor`: the factor f in the lower 32 bits,
/// the shift s above. For 0 <= n < 2^31
///
///     n / divisor == ((n * f) >> 31) >> s
///
/// Granlund and Montgomery, "Division by invariant integers using multiplication" (1994),
/// theorem 4.2 with N = 31: s is the logarithm of the divisor, rounded up, and
/// f = ceil(2^(31 + s) / divisor) fits in 32 bits. A divisor above 2^31 has the quotient 0; one
/// below 1 is never divided by.
constexpr uint64_t reciprocal(int64_t divisor) {
  if (divisor < 1 || divisor > int64_t(1) << 31)
    return 0;
  auto unsignedDivisor = static_cast<uint64_t>(divisor);
  uint64_t shift = std::bit_width(unsignedDivisor - 1);
  uint64_t power = uint64_t(1) << (31 + shift);
  uint64_t factor = power / unsignedDivisor + (power % unsignedDivisor != 0);
  return shift << 32 | factor;
}

} // namespace tile

#endif // TILE_RECIPROCAL_H
