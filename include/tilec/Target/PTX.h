//===- PTX.h - PTX from kernels in the LLVM dialect --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TARGET_PTX_H
#define TILEC_TARGET_PTX_H

#include "tilec/Target/Arch.h"

#include "mlir/IR/Location.h"
#include "llvm/Support/LogicalResult.h"

#include <string>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace tilec {

struct PTXOptions {
  Arch arch = sm90a;
  /// Writes the locations of the IR as `.loc`, for profilers and debuggers.
  bool lineInfo = false;
  /// Moves what does not change out of loops. 2 to 5 % faster where registers suffice, but a loop
  /// of many copies has some 230 addresses to keep: a kernel that spills is built without it.
  bool hoist = true;
};

/// Registers the translations to LLVM IR that `emitPTX` needs. Call it before the context is made.
void registerPTXTranslations(mlir::DialectRegistry &registry);

/// Compiles a module in the LLVM dialect (the result of `addSMToLLVMPasses`) to PTX text, in this
/// process. Errors are reported at the operations' locations.
llvm::FailureOr<std::string> emitPTX(mlir::ModuleOp module, const PTXOptions &options = {});

/// As `emitPTX`, but stops at LLVM's text, optimised: for --emit=llvm and for tests.
llvm::FailureOr<std::string> emitDeviceLLVM(mlir::ModuleOp module, const PTXOptions &options = {});

/// PTX of LLVM IR that emitDeviceLLVM wrote; an error is reported at `location`.
llvm::FailureOr<std::string> emitPTXFromLLVM(llvm::StringRef llvmIR, mlir::Location location,
                                             const PTXOptions &options = {});

} // namespace tilec

#endif // TILEC_TARGET_PTX_H
