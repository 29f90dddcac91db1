//===- Host.h - x86-64 objects from tile kernels ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_HOST_H
#define TILEC_TARGET_HOST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <memory>
#include <string>

namespace mlir {
class DialectRegistry;
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace tilec {

struct Reuse;

struct HostOptions {
  /// The machine the object runs on. x86-64-v3 has AVX2, FMA and the f16 conversions (Haswell, Zen
  /// and later); the object does not depend on the machine that compiles it. x86-64-v2 works too:
  /// slower, and f16 conversions become calls of libgcc's.
  std::string cpu = "x86-64-v3";
  /// 0 to 3, as LLVM's.
  unsigned optLevel = 3;
};

/// Where the object of an earlier compilation may be: see Reuse.h.
struct HostReuse {
  const Reuse &store;
  std::string name;   ///< of the file in the store
  bool found = false; ///< set where the object came from there
};

/// Adds the passes from `tile` (before layout assignment) to the LLVM dialect. Run on a module.
void addTileToHostPasses(mlir::OpPassManager &pm);

/// Makes that list known to command lines as the pipeline `tile-to-host`.
void registerTileToHostPipeline();

/// Compiles every `tile.kernel` of `module`, which becomes LLVM dialect on the way, into one ELF
/// object. For a kernel NAME it defines `extern "C" void NAME(void **params, int64_t begin, int64_t
/// end)`: the runtime's `tile::HostFunction`. Needed symbols: libc's and libm's only.
/// Errors are reported at the kernel's locations. With `reuse` the object is kept there, or found.
llvm::FailureOr<std::string> emitHostObject(mlir::ModuleOp module, const HostOptions &options = {},
                                            HostReuse *reuse = nullptr);

/// As `emitHostObject`, but stops at LLVM's text, optimised: for --emit=llvm and for tests.
llvm::FailureOr<std::string> emitHostLLVM(mlir::ModuleOp module, const HostOptions &options = {});

/// A host object loaded into this process. Unloaded when the last copy is gone.
class LoadedHostObject {
public:
  using Function = void (*)(void **params, int64_t begin, int64_t end);

  /// Links `object` (bytes of an ELF file) against this process.
  static llvm::Expected<LoadedHostObject> load(llvm::StringRef object);

  /// The kernel called `name`, or what is missing.
  llvm::Expected<Function> function(llvm::StringRef name) const;

private:
  struct Impl;
  std::shared_ptr<Impl> impl;
};

} // namespace tilec

#endif // TILEC_TARGET_HOST_H
