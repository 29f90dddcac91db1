//===- HostPool.h - thread blocks on the threads of this process ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_HOSTPOOL_H
#define TILE_RUNTIME_HOSTPOOL_H

#include "tile/KernelInfo.h"

namespace tile {

/// Threads of the pool, the caller's included: TILE_HOST_THREADS, else all of the machine.
int64_t hostThreads();

/// Runs the thread blocks [0, grid) of a host kernel on the pool; returns when all have ended.
/// Calls from several threads take turns.
void runOnHost(HostFunction function, void **params, int64_t grid);

} // namespace tile

#endif // TILE_RUNTIME_HOSTPOOL_H
