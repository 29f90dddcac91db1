//===- Runtime.h - streams, memory and timing on the host and the GPU -----===//
// SPDX-License-Identifier: Apache-2.0
//
// The driver (libcuda.so.1) is opened at the first use of the GPU; where there is none, that use
// returns an error and everything on the host still works. Work happens in the current context; a
// thread without one gets the primary context of device 0.

#ifndef TILE_RUNTIME_H
#define TILE_RUNTIME_H

#include "tile/Status.h"
#include "tile/Tensor.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace tile {

/// Where a kernel runs, and in which order. A copyable handle, owns nothing.
class Stream {
public:
  /// Kernels run on the threads of this process, each call returns when its kernel has ended.
  static Stream host() { return Stream(Device::host, nullptr); }
  /// A `CUstream` or `cudaStream_t`; null is the default stream.
  static Stream cuda(void *stream = nullptr) { return Stream(Device::cuda, stream); }

  Device device() const { return where; }
  void *handle() const { return stream; }

  /// Waits for everything queued.
  Status synchronize() const;

private:
  Stream(Device where, void *stream) : where(where), stream(stream) {}

  Device where;
  void *stream;
};

/// Success if kernels can run on the GPU here: a driver for CUDA 13 and a device of compute
/// capability 9.0. Otherwise says what is missing.
Status cudaAvailable();

/// Multiprocessors of the device of the current context; on the host, threads.
Result<int64_t> smCount(Device device);

/// Memory of one device, freed with the object. Aligned to at least 256 bytes.
class Buffer {
public:
  /// 0 bytes is legal, data() is then null.
  static Result<Buffer> allocate(Device device, int64_t bytes);

  Buffer() = default;
  Buffer(Buffer &&other) noexcept { swap(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    swap(other);
    return *this;
  }
  ~Buffer();

  void *data() const { return memory; }
  int64_t size() const { return bytes; }
  Device device() const { return where; }

  /// Copies between host memory and [offset, offset + count) of the buffer; waits for the copy.
  Status upload(const void *source, int64_t count, int64_t offset = 0);
  Status download(void *target, int64_t count, int64_t offset = 0) const;
  /// Sets [offset, offset + count) to a byte.
  Status fill(uint8_t value, int64_t count, int64_t offset = 0);

private:
  void swap(Buffer &other);
  Status checkRange(int64_t count, int64_t offset) const;

  void *memory = nullptr;
  int64_t bytes = 0;
  Device where = Device::host;
};

/// Measures what a stream does between start() and stop(): CUDA events, on the host a clock.
class Timer {
public:
  static Result<Timer> create(Stream stream);
  ~Timer();
  Timer(Timer &&) noexcept;

  Status start();
  Status stop();
  /// Waits for the stop mark.
  Result<double> milliseconds() const;

private:
  struct Impl;
  explicit Timer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl;
};

} // namespace tile

#endif // TILE_RUNTIME_H
