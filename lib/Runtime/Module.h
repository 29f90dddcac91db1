//===- Module.h - a kernel's image, loaded once per context ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_MODULE_H
#define TILE_RUNTIME_MODULE_H

#include "ItemCounters.h"
#include "tile/KernelInfo.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace tile {

class Module {
public:
  explicit Module(const KernelInfo &info) : info(info) {}
  ~Module();

  /// Queues `grid` thread blocks on a CUDA stream of the current context, loading the image first
  /// if this context has not seen it. `counter` is the parameter that receives the address of the
  /// launch's counter of work items, or null if the kernel takes none.
  Status launch(void *stream, void **params, int64_t grid, uint64_t *counter);

private:
  /// CUcontext, CUmodule, CUfunction; the driver's header stays out of other files.
  struct Loaded {
    void *context;
    void *module;
    void *function;
    /// Null if the kernel takes none.
    std::unique_ptr<ItemCounters> counters;
  };

  Result<const Loaded *> find();
  Result<Loaded> load(void *context) const;

  const KernelInfo &info;
  std::mutex mutex;
  /// Entries are used without the lock, so they keep their places.
  std::deque<Loaded> loaded;
};

} // namespace tile

#endif // TILE_RUNTIME_MODULE_H
