//===- ItemCounters.cpp - which launch draws from which counter -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "ItemCounters.h"
#include "Driver.h"

namespace tile {

uint64_t ItemCounters::takeNext() { return taken < count ? address + counterBytes * taken++ : 0; }

uint64_t ItemCounters::of(const Driver &driver, void *handle) {
  auto stream = static_cast<CUstream>(handle);
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  // Refused for the null stream while a stream that it would wait for is being captured. The launch
  // itself will be refused as well, and says why.
  if (driver.cuStreamIsCapturing(stream, &capture) != CUDA_SUCCESS ||
      capture == CU_STREAM_CAPTURE_STATUS_INVALIDATED)
    return 0;
  if (capture == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    std::lock_guard lock(mutex);
    return takeNext();
  }
  // Only now: asked of a stream that is being captured, this would end the capture.
  unsigned long long id = 0;
  if (driver.cuStreamGetId(stream, &id) != CUDA_SUCCESS)
    return 0;
  std::lock_guard lock(mutex);
  if (auto found = ofStream.find(id); found != ofStream.end())
    return found->second;
  uint64_t counter = takeNext();
  if (counter)
    ofStream.emplace(id, counter);
  return counter;
}

} // namespace tile
