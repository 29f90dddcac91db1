//===- Cubin.h - machine code from PTX, and what ptxas says of it -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_CUBIN_H
#define TILEC_TARGET_CUBIN_H

#include "tilec/Target/Arch.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/LogicalResult.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilec {

/// A remark of ptxas with a code, such as C7510.
struct PtxasNotice {
  std::string code;
  std::string text;
};

/// ptxas's report on one kernel. Stack and spills are bytes per thread.
struct KernelReport {
  unsigned registers = 0; ///< per thread at entry
  unsigned barriers = 0;
  uint64_t stackBytes = 0;
  uint64_t spillStoreBytes = 0;
  uint64_t spillLoadBytes = 0;
  uint64_t staticSharedBytes = 0;
  std::vector<PtxasNotice> notices;

  /// Spills, or wgmma serialised for want of registers: `PTXOptions::hoist = false` may help.
  bool wantsRegisters() const;
};

struct Cubin {
  std::string bytes;
  std::string log; ///< what ptxas printed
  KernelReport report;
};

struct CubinOptions {
  Arch arch = sm90a;
  /// Accepts spills, a stack frame and notices of lost performance.
  bool allowSpills = false;
  bool lineInfo = false;
  /// The kernel has roles, so it could be compiled without.
  bool scheduled = false;
  /// With `threads` (per CTA) given, `ctasPerSM` CTAs must fit into the registers of an SM.
  unsigned threads = 0;
  unsigned ctasPerSM = 1;
  /// The program; empty: $TILEC_PTXAS, then what CMake found, PATH, /usr/local/cuda/bin.
  std::string ptxas;
};

/// The path of ptxas, or empty if there is none.
std::string findPtxas(const CubinOptions &options = {});

/// Assembles the kernel `kernelName` of `ptx` in a subprocess. An error at `location` if ptxas
/// rejects it, or if its report breaks the rules above: the numbers, the limit, what would help.
llvm::FailureOr<Cubin> assemble(llvm::StringRef ptx, llvm::StringRef kernelName,
                                const CubinOptions &options, mlir::Location location);

/// The cubin that ptxas made when it printed `log`. Errors as for assemble.
llvm::FailureOr<Cubin> checkedCubin(std::string bytes, std::string log, llvm::StringRef kernelName,
                                    const CubinOptions &options, mlir::Location location);

/// The report on `kernelName` in what `ptxas -v` printed. Fails where the kernel is not in it.
llvm::FailureOr<KernelReport> parsePtxasReport(llvm::StringRef output, llvm::StringRef kernelName);

/// The rules: no spills, no stack frame, no notice of lost performance, CTAs per SM as intended.
llvm::LogicalResult checkReport(const KernelReport &report, llvm::StringRef kernelName,
                                const CubinOptions &options, mlir::Location location);

} // namespace tilec

#endif // TILEC_TARGET_CUBIN_H
