//===- Launch.h - how the tests run a kernel --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_LAUNCH_H
#define TEST_KERNELS_LAUNCH_H

#include "tile/KernelInfo.h"

#include <span>

namespace tile::test {

/// Queues the kernel, as it is in the library, or (InterpretedLaunch.cpp) runs its `sm` code in the
/// interpreter, with `seed` for the order of its warps.
Status launch(const KernelInfo &info, Stream stream, std::span<const Arg> args, uint64_t seed);

/// Those that a launch finds, or that the interpreter says that it has.
int64_t multiprocessors(Device device);

} // namespace tile::test

#endif // TEST_KERNELS_LAUNCH_H
