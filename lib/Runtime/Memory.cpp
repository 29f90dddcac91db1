//===- Memory.cpp - buffers on the host and the GPU -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Driver.h"
#include "HostPool.h"

#include <cstdlib>
#include <cstring>
#include <string>

namespace tile {

namespace {
CUdeviceptr address(void *memory, int64_t offset) {
  return reinterpret_cast<CUdeviceptr>(memory) + static_cast<CUdeviceptr>(offset);
}
} // namespace

Status cudaAvailable() {
  Result<const Driver *> driver = readyDriver();
  return driver.ok() ? checkDevice(**driver) : driver.status();
}

Result<int64_t> smCount(Device device) {
  if (device == Device::host)
    return hostThreads();
  Result<const Driver *> driver = readyDriver();
  if (!driver.ok())
    return driver.status();
  CUdevice handle = 0;
  int count = 0;
  Status status = (*driver)->check((*driver)->cuCtxGetDevice(&handle), "cuCtxGetDevice");
  if (status.ok())
    status = (*driver)->check(
        (*driver)->cuDeviceGetAttribute(&count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, handle),
        "cuDeviceGetAttribute");
  if (!status.ok())
    return status;
  return int64_t(count);
}

Result<Buffer> Buffer::allocate(Device device, int64_t bytes) {
  if (bytes < 0)
    return Status::error("expected a non-negative number of bytes, found " + std::to_string(bytes));
  Buffer buffer;
  buffer.where = device;
  if (bytes == 0)
    return buffer;
  if (device == Device::host) {
    // aligned_alloc wants a multiple of the alignment.
    buffer.memory = std::aligned_alloc(256, (static_cast<size_t>(bytes) + 255) / 256 * 256);
    if (!buffer.memory)
      return Status::error("no host memory for " + std::to_string(bytes) + " bytes");
    buffer.bytes = bytes;
    return buffer;
  }
  Result<const Driver *> driver = readyDriver();
  if (!driver.ok())
    return driver.status();
  CUdeviceptr pointer = 0;
  Status status = (*driver)->check((*driver)->cuMemAlloc(&pointer, static_cast<size_t>(bytes)),
                                   ("allocating " + std::to_string(bytes) + " bytes").c_str());
  if (!status.ok())
    return status;
  buffer.memory = reinterpret_cast<void *>(pointer);
  buffer.bytes = bytes;
  return buffer;
}

Buffer::~Buffer() {
  if (!memory)
    return;
  if (where == Device::host)
    std::free(memory);
  else
    (void)Driver::get()->cuMemFree(address(memory, 0));
}

void Buffer::swap(Buffer &other) {
  std::swap(memory, other.memory);
  std::swap(bytes, other.bytes);
  std::swap(where, other.where);
}

Status Buffer::checkRange(int64_t count, int64_t offset) const {
  if (count >= 0 && offset >= 0 && offset <= bytes && count <= bytes - offset)
    return {};
  return Status::error("expected a range within " + std::to_string(bytes) + " bytes, found " +
                       std::to_string(count) + " from " + std::to_string(offset));
}

Status Buffer::upload(const void *source, int64_t count, int64_t offset) {
  if (Status status = checkRange(count, offset); !status.ok() || count == 0)
    return status;
  if (where == Device::host) {
    std::memcpy(static_cast<char *>(memory) + offset, source, static_cast<size_t>(count));
    return {};
  }
  const Driver &driver = *Driver::get();
  return driver.check(
      driver.cuMemcpyHtoD(address(memory, offset), source, static_cast<size_t>(count)),
      "cuMemcpyHtoD");
}

Status Buffer::download(void *target, int64_t count, int64_t offset) const {
  if (Status status = checkRange(count, offset); !status.ok() || count == 0)
    return status;
  if (where == Device::host) {
    std::memcpy(target, static_cast<const char *>(memory) + offset, static_cast<size_t>(count));
    return {};
  }
  const Driver &driver = *Driver::get();
  return driver.check(
      driver.cuMemcpyDtoH(target, address(memory, offset), static_cast<size_t>(count)),
      "cuMemcpyDtoH");
}

Status Buffer::fill(uint8_t value, int64_t count, int64_t offset) {
  if (Status status = checkRange(count, offset); !status.ok() || count == 0)
    return status;
  if (where == Device::host) {
    std::memset(static_cast<char *>(memory) + offset, value, static_cast<size_t>(count));
    return {};
  }
  const Driver &driver = *Driver::get();
  return driver.check(driver.cuMemsetD8(address(memory, offset), value, static_cast<size_t>(count)),
                      "cuMemsetD8");
}

} // namespace tile
