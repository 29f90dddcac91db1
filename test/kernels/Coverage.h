//===- Coverage.h - which kernels ran in the interpreter --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_COVERAGE_H
#define TEST_KERNELS_COVERAGE_H

#include "tile/KernelInfo.h"

namespace tile::test {

/// Whether a CTA of the kernel has run to its end in the interpreter.
bool wasInterpreted(const KernelInfo &info);

} // namespace tile::test

#endif // TEST_KERNELS_COVERAGE_H
