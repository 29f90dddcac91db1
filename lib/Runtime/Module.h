//===- Module.h - a kernel's image, loaded once per context ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_MODULE_H
#define TILE_RUNTIME_MODULE_H

#include "tile/KernelInfo.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace tile {

class Module {
public:
  explicit Module(const KernelInfo &info) : info(info) {}
  ~Module();

  /// Queues `grid` thread blocks on a CUDA stream of the current context, loading the image first
  /// if this context has not seen it.
  Status launch(void *stream, void **params, int64_t grid);

private:
  /// CUcontext, CUmodule, CUfunction; the driver's header stays out of other files.
  struct Loaded {
    void *context;
    void *module;
    void *function;
  };

  Result<void *> findFunction();
  Result<Loaded> load(void *context) const;

  const KernelInfo &info;
  std::mutex mutex;
  std::vector<Loaded> loaded;
};

} // namespace tile

#endif // TILE_RUNTIME_MODULE_H
