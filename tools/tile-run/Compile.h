//===- Compile.h - from a kernel's name to something to launch --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_COMPILE_H
#define TILE_RUN_COMPILE_H

#include "Options.h"

#include "tilec/Target/Host.h"
#include "tilec/Target/KernelDesc.h"

#include <memory>

namespace tilerun {

/// The IR that an interpreted kernel runs, and who reports its faults.
struct Interpreted;

/// A kernel compiled for one target, and what keeps it loaded.
struct CompiledKernel {
  /// The interpreter has reported a fault.
  bool hasFailed() const;

  std::shared_ptr<Interpreted> interpreted; // --target=sm only
  std::unique_ptr<std::string> image;       // the tables point to its bytes
  std::optional<tilec::LoadedHostObject> object;
  std::unique_ptr<tilec::KernelTables> tables;
};

/// Diagnostics go to stderr at the author's lines; the error then says no more than that there are
/// some.
tile::Result<CompiledKernel> compileKernel(const Options &options, tile::Device target);

} // namespace tilerun

#endif // TILE_RUN_COMPILE_H
