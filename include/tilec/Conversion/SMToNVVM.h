//===- SMToNVVM.h - from per-thread code to LLVM -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_SMTONVVM_H
#define TILEC_CONVERSION_SMTONVVM_H

#include "tilec/Target/Arch.h"

#include "mlir/Pass/Pass.h"

namespace mlir {
class OpPassManager;
}

namespace tilec {

/// `convert-sm-to-nvvm`: `sm` ops become NVVM ops, intrinsics and asm; every `func.func` with
/// `tile.num_warps` becomes a kernel. `scf`, `arith` and `vector` stay for upstream's passes.
std::unique_ptr<mlir::Pass> createConvertSMToNVVMPass(const Arch &arch = sm90a);

/// `nvvm-check-selectable`: an error at every op that the PTX back end could not select (there it
/// would end the process).
std::unique_ptr<mlir::Pass> createCheckSelectablePass();

/// All of it in order: a module of kernels in `sm`, `scf`, `arith`, `math` and `vector` comes out
/// in the LLVM dialect, checked.
void addSMToLLVMPasses(mlir::OpPassManager &manager, const Arch &arch = sm90a);

/// Makes the passes above and the pipeline `sm-to-llvm` known to `tile-opt`.
void registerSMToNVVMPasses();

} // namespace tilec

#endif // TILEC_CONVERSION_SMTONVVM_H
