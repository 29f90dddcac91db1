//===- Stream.cpp - waiting for work and timing it ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Driver.h"
#include "tile/Runtime.h"

#include <chrono>

namespace tile {

Status Stream::synchronize() const {
  if (where == Device::host)
    return {};
  Result<const Driver *> driver = readyDriver();
  if (!driver.ok())
    return driver.status();
  return (*driver)->check((*driver)->cuStreamSynchronize(static_cast<CUstream>(stream)),
                          "cuStreamSynchronize");
}

struct Timer::Impl {
  using Clock = std::chrono::steady_clock;

  explicit Impl(Stream stream) : stream(stream) {}
  ~Impl() {
    for (CUevent event : events)
      if (event)
        (void)Driver::get()->cuEventDestroy(event);
  }

  Status mark(int index) {
    if (stream.device() == Device::host) {
      times[index] = Clock::now();
      return {};
    }
    const Driver &driver = *Driver::get();
    return driver.check(driver.cuEventRecord(events[index], static_cast<CUstream>(stream.handle())),
                        "cuEventRecord");
  }

  Stream stream;
  CUevent events[2] = {};
  Clock::time_point times[2] = {};
};

Timer::Timer(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Timer::~Timer() = default;
Timer::Timer(Timer &&) noexcept = default;

Result<Timer> Timer::create(Stream stream) {
  auto impl = std::make_unique<Impl>(stream);
  if (stream.device() == Device::cuda) {
    Result<const Driver *> driver = readyDriver();
    if (!driver.ok())
      return driver.status();
    for (CUevent &event : impl->events) {
      Status status =
          (*driver)->check((*driver)->cuEventCreate(&event, CU_EVENT_DEFAULT), "cuEventCreate");
      if (!status.ok())
        return status;
    }
  }
  return Timer(std::move(impl));
}

Status Timer::start() { return impl->mark(0); }
Status Timer::stop() { return impl->mark(1); }

Result<double> Timer::milliseconds() const {
  if (impl->stream.device() == Device::host)
    return std::chrono::duration<double, std::milli>(impl->times[1] - impl->times[0]).count();
  const Driver &driver = *Driver::get();
  float elapsed = 0;
  Status status = driver.check(driver.cuEventSynchronize(impl->events[1]), "cuEventSynchronize");
  if (status.ok())
    status = driver.check(driver.cuEventElapsedTime(&elapsed, impl->events[0], impl->events[1]),
                          "cuEventElapsedTime");
  if (!status.ok())
    return status;
  return double(elapsed);
}

} // namespace tile
