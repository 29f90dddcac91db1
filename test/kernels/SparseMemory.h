//===- SparseMemory.h - gigabytes of which a few rows are used --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_SPARSEMEMORY_H
#define TEST_KERNELS_SPARSEMEMORY_H

#include "Harness.h"

#include <cstring>

#include <sys/mman.h>

namespace tile::test {

/// Gigabytes of which a few rows are used. On the host pages that nobody touches take no memory.
class SparseMemory {
public:
  SparseMemory(Device where, int64_t bytes) : where(where), bytes(bytes) {
    if (where == Device::host) {
      void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      memory = mapped == MAP_FAILED ? nullptr : mapped;
    } else if (auto buffer = tile::Buffer::allocate(where, bytes); buffer.ok()) {
      device = *std::move(buffer);
      memory = device.data();
    }
  }
  ~SparseMemory() {
    if (where == Device::host && memory)
      munmap(memory, bytes);
  }

  void *data() const { return memory; }
  void write(int64_t offset, const GuardedTensor &source) {
    int64_t count = source.elements() * byteSize(source.dtype());
    if (where == Device::host)
      memcpy(static_cast<char *>(memory) + offset, source.address(0), count);
    else
      EXPECT_OK(device.upload(source.address(0), count, offset));
  }
  void read(int64_t offset, GuardedTensor &target) const {
    int64_t count = target.elements() * byteSize(target.dtype());
    if (where == Device::host)
      memcpy(target.address(0), static_cast<char *>(memory) + offset, count);
    else
      EXPECT_OK(device.download(target.address(0), count, offset));
  }

private:
  Device where;
  int64_t bytes;
  void *memory = nullptr;
  tile::Buffer device;
};

} // namespace tile::test

#endif // TEST_KERNELS_SPARSEMEMORY_H
