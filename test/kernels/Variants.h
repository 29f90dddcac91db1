//===- Variants.h - library kernels by their configuration ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_VARIANTS_H
#define TEST_KERNELS_VARIANTS_H

#include "tile/KernelInfo.h"

#include <string>
#include <utility>
#include <vector>

namespace tile::test {

/// A field of a kernel's configuration, read off its symbol:
/// "copy__f32__block_rows32_block_cols128" has block_rows = 32. Nothing if there is no such
/// field.
std::optional<int64_t> configValue(const KernelInfo &kernel, const std::string &field);

/// The first kernel of this source, element type and configuration; fields not named may be
/// anything.
const KernelInfo *findKernel(std::span<const KernelInfo *const> kernels, const std::string &source,
                             DType dtype,
                             const std::vector<std::pair<std::string, int64_t>> &config);

} // namespace tile::test

#endif // TEST_KERNELS_VARIANTS_H
