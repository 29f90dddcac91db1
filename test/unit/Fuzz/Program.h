//===- Program.h - random programs of the language --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The kernel `random_program` of Program.cpp: its Config says which program it is. Every statement
// draws from a generator of its own, so that a program without one of its statements is the same
// program otherwise, and a failure can be made smaller by leaving statements out.
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_PROGRAM_H
#define TILEC_TEST_UNIT_FUZZ_PROGRAM_H

#include <cstdint>
#include <random>
#include <vector>

namespace tilec::fuzz {

/// Extents of the axes m, n, k; drawn from the seed.
struct Shape {
  int m, n, k;
};

using Random = std::mt19937_64;

inline int64_t pick(Random &random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

inline Shape shapeOf(int64_t seed) {
  static constexpr int extents[] = {1, 5, 8, 16, 31, 32, 33, 48, 64, 100};
  Random random(static_cast<uint64_t>(seed) * 2 + 1);
  // One in four has extents that products take.
  if (pick(random, 0, 3) == 0)
    return {16 << pick(random, 0, 3), 8 * static_cast<int>(pick(random, 1, 12)),
            16 << pick(random, 0, 2)};
  auto extent = [&] { return extents[pick(random, 0, std::size(extents) - 1)]; };
  return {extent(), extent(), 16};
}

/// Mostly as above; sometimes with extents that no tile has, or that no CTA has room for.
inline Shape wildShapeOf(int64_t seed) {
  static constexpr int extents[] = {0, -3, 3, 127, 513, 5000, 1 << 20, 16, 64, 128};
  Random random(static_cast<uint64_t>(seed) * 2 + 1);
  if (pick(random, 0, 4))
    return shapeOf(seed);
  auto extent = [&] { return extents[pick(random, 0, std::size(extents) - 1)]; };
  return {extent(), extent(), extent()};
}

/// Results of one CTA: this many tiles of each shape.
inline constexpr int slots = 8;
/// CTAs of a launch.
inline constexpr int programs = 3;
/// Statements that a program's mask of dropped ones can name.
inline constexpr int maxStatements = 60;

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_PROGRAM_H
