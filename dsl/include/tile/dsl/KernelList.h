//===- KernelList.h - the kernels linked into this program ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For tools. It does not declare the language's `Kernel`, so that a program can include it together
// with the runtime's headers.

#ifndef TILE_DSL_KERNELLIST_H
#define TILE_DSL_KERNELLIST_H

#include "tile/dsl/Types.h"

#include <span>
#include <vector>

namespace tile::inline dsl {
namespace detail {
class Builder;
}

/// A field of a kernel's Config: `int`, `int64_t` or `bool`.
struct ConfigField {
  std::string name;
  enum class Type : uint8_t { integer, boolean } type;
  /// What the field may hold, and holds by default.
  int64_t lowest, highest, defaultValue;
};

/// One TILE_KERNEL.
struct KernelEntry {
  std::string name;
  /// Element types that the kernel is registered for, the default one first; empty for a kernel
  /// that is not a template.
  std::vector<std::string> dtypes;
  std::vector<ConfigField> config;
  Loc loc;
  /// Runs the author's function with the dtype of this index and one value per field.
  void (*run)(detail::Builder &builder, unsigned dtype, std::span<const int64_t> config);
};

/// In the order of registration, which between source files is unspecified.
std::span<const KernelEntry> registeredKernels();

/// A `main` for a program of kernels: prints their IR, all element types, default configuration, on
/// stdout; errors as `file:line:column: error: message` on stderr, and then the result is 1.
/// `--debuginfo` prints locations; `--kernel=`, `--dtype=`, `--config=name=value,...` choose.
int emitMain(int argc, char **argv);

namespace detail {
int registerKernel(KernelEntry entry);
}

} // namespace tile::inline dsl

#endif // TILE_DSL_KERNELLIST_H
