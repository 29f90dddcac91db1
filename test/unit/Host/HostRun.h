//===- HostRun.h - compile tile IR and run it in this process ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_HOST_HOSTRUN_H
#define TILEC_TEST_UNIT_HOST_HOSTRUN_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace tilec::test {

/// The arguments of a launch, packed as the ABI wants them.
class Arguments {
public:
  /// A tensor; `strides` has one entry less than `extents`.
  Arguments &tensor(void *data, std::vector<int64_t> extents, std::vector<int64_t> strides);
  /// A dense row-major tensor.
  Arguments &tensor(void *data, std::vector<int64_t> extents);
  Arguments &scalar(float value) { return push(std::bit_cast<uint32_t>(value)); }
  Arguments &scalar(int64_t value) { return push(static_cast<uint64_t>(value)); }
  /// A launch dimension.
  Arguments &dim(int64_t value) { return scalar(value); }
  std::vector<void *> pointers();

private:
  Arguments &push(uint64_t bits) {
    slots.push_back(bits);
    return *this;
  }
  std::deque<uint64_t> slots;
};

/// The kernel @k of `ir`, compiled for the host. A failure to compile fails the test and leaves an
/// empty function.
class HostKernel {
public:
  explicit HostKernel(const std::string &ir, const std::string &cpu = "x86-64-v3");
  /// Returns the message of a check that failed.
  std::string operator()(Arguments &arguments, int64_t ctas) const;
  explicit operator bool() const { return static_cast<bool>(function); }

private:
  std::shared_ptr<void> object;
  void (*function)(void **, int64_t, int64_t) = nullptr;
};

inline float fromBf16(uint16_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
}
/// Nearest, ties to even; NaN stays NaN.
inline uint16_t toBf16(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
/// Through the compiler's own conversions.
inline float fromF16(uint16_t bits) { return static_cast<float>(std::bit_cast<_Float16>(bits)); }
inline uint16_t toF16(float value) { return std::bit_cast<uint16_t>(static_cast<_Float16>(value)); }

/// The same numbers in every run, in -1..1.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed * 2 + 1) {}
  uint64_t bits() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 16;
  }
  float value() { return static_cast<float>(static_cast<int64_t>(bits() % 4096) - 2048) / 2048.0f; }
  int64_t below(int64_t count) {
    return static_cast<int64_t>(bits() % static_cast<uint64_t>(count));
  }

private:
  uint64_t state;
};

inline constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_HOST_HOSTRUN_H
