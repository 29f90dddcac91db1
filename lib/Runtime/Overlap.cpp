//===- Overlap.cpp - do two strided views share memory? -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Plan.h"

#include <limits>

namespace tile {

std::optional<std::pair<uintptr_t, uintptr_t>> byteRange(const Tensor &tensor) {
  constexpr int64_t limit = std::numeric_limits<int64_t>::max();
  int64_t last = 0;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    int64_t reach = 0;
    if (tensor.shape[axis] > 1 &&
        (__builtin_mul_overflow(tensor.shape[axis] - 1, tensor.strides[axis], &reach) ||
         __builtin_add_overflow(last, reach, &last)))
      return std::nullopt;
  }
  int64_t size = byteSize(tensor.dtype);
  auto begin = reinterpret_cast<uintptr_t>(tensor.data);
  if (last >= limit / size || begin > static_cast<uintptr_t>(limit - (last + 1) * size))
    return std::nullopt;
  return std::pair(begin, begin + static_cast<uintptr_t>((last + 1) * size));
}

namespace {
/// Bytes that the view covers when the dimensions whose stride is a multiple of `period` bytes are
/// held at index 0.
uintptr_t runWithin(const Tensor &tensor, uintptr_t period) {
  uintptr_t size = static_cast<uintptr_t>(byteSize(tensor.dtype));
  uintptr_t run = size;
  for (int axis = 0; axis < tensor.rank; ++axis) {
    uintptr_t stride = static_cast<uintptr_t>(tensor.strides[axis]) * size;
    if (tensor.shape[axis] > 1 && stride % period != 0)
      run += static_cast<uintptr_t>(tensor.shape[axis] - 1) * stride;
  }
  return run;
}

/// Both views repeat with the period and lie apart within it, as the parts of a packed q, k, v do.
bool interleaved(const Tensor &first, const Tensor &second, uintptr_t period) {
  uintptr_t firstRun = runWithin(first, period), secondRun = runWithin(second, period);
  if (firstRun > period || secondRun > period)
    return false;
  uintptr_t apart = (reinterpret_cast<uintptr_t>(second.data) -
                     reinterpret_cast<uintptr_t>(first.data) % period) %
                    period;
  return apart >= firstRun && apart + secondRun <= period;
}
} // namespace

bool mayOverlap(const Tensor &first, const Tensor &second) {
  if (first.empty() || second.empty())
    return false;
  auto firstRange = byteRange(first), secondRange = byteRange(second);
  if (!firstRange || !secondRange)
    return true;
  if (firstRange->second <= secondRange->first || secondRange->second <= firstRange->first)
    return false;
  for (int axis = 0; axis < first.rank; ++axis) {
    auto period = static_cast<uintptr_t>(first.strides[axis] * byteSize(first.dtype));
    if (first.shape[axis] > 1 && period != 0 && interleaved(first, second, period))
      return false;
  }
  return true;
}

} // namespace tile
