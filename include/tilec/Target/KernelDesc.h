//===- KernelDesc.h - a compiled kernel's tables, owned ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_KERNELDESC_H
#define TILEC_TARGET_KERNELDESC_H

#include "tile/KernelInfo.h"

#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace tilec {

/// As `tile::ParamInfo`.
struct ParamDesc {
  std::string name;
  tile::ParamInfo::Kind kind = tile::ParamInfo::Kind::tensor;
  tile::DType dtype = tile::DType::f32;
  tile::Access access = tile::Access::in;
  std::vector<std::string> extents;
  bool aligned = false;
  bool positive = false;
};

/// As `tile::KernelInfo`, but owned strings: what the compiler knows of a kernel's launch.
struct KernelDesc {
  std::string symbol;
  /// The author's function; the name in messages.
  std::string source;
  std::vector<std::string> dims;
  /// Dimension and the factor it is a multiple of.
  std::vector<std::pair<std::string, int64_t>> facts;
  /// Expressions: the first is a multiple of the second, or 0.
  std::vector<std::pair<std::string, std::string>> groups;
  std::vector<ParamDesc> params;
  std::vector<std::string> grid, derived;
  bool counter = false;
  int numWarps = 4;
  int producerWarps = 0;
  int64_t sharedBytes = 0;
  std::vector<tile::MapInfo> maps;
  /// Thread blocks meant to live on one multiprocessor at once.
  int ctasPerSM = 1;
  /// Prints or checks: it calls functions, which need a stack.
  bool prints = false;

  int numThreads() const { return 32 * (numWarps + producerWarps); }
};

/// Reads `tile.launch` and the attributes of warps, shared bytes and CTAs per SM off a kernel in
/// any dialect that still has them: a `tile.kernel`, a `func.func`, an `llvm.func`. Malformed
/// attributes are reported at `kernel`.
llvm::FailureOr<KernelDesc> describeKernel(mlir::Operation *kernel);

/// The tables of `tile::Launcher` for a kernel that was compiled in this process. The tables point
/// into this object, which must outlive launchers made from them.
class KernelTables {
public:
  /// `image` is a cubin, `host` the loaded function; either may be null.
  KernelTables(KernelDesc desc, const void *image, tile::HostFunction host);
  KernelTables(const KernelTables &) = delete;
  KernelTables &operator=(const KernelTables &) = delete;

  const tile::KernelInfo &info() const { return kernel; }
  const KernelDesc &desc() const { return owned; }

private:
  KernelDesc owned;
  std::vector<const char *> dims, grid, derived;
  std::vector<std::vector<const char *>> extents;
  std::vector<tile::FactInfo> facts;
  std::vector<tile::GroupInfo> groups;
  std::vector<tile::ParamInfo> params;
  tile::KernelInfo kernel;
};

} // namespace tilec

#endif // TILEC_TARGET_KERNELDESC_H
