//===- KernelRequest.h - what a kernel of a list was built from -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_KERNELREQUEST_H
#define TEST_KERNELS_KERNELREQUEST_H

#include "tile/dsl/Build.h"

namespace tile::test {

/// Of "scan_tile__i32__axis0_max1": the kernel, its element type, and the fields of its Config.
BuildRequest requestOf(const std::string &symbol);

} // namespace tile::test

#endif // TEST_KERNELS_KERNELREQUEST_H
