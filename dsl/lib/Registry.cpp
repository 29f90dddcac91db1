//===- Registry.cpp - the kernels linked into this program ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/KernelList.h"

namespace tile::inline dsl {

static std::vector<KernelEntry> &entries() {
  static std::vector<KernelEntry> list;
  return list;
}

std::span<const KernelEntry> registeredKernels() { return entries(); }

int detail::registerKernel(KernelEntry entry) {
  entries().push_back(std::move(entry));
  return 0;
}

} // namespace tile::inline dsl
