//===- HostMachine.h - LLVM's x86-64 target ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TARGET_HOSTMACHINE_H
#define TILEC_LIB_TARGET_HOSTMACHINE_H

#include "tilec/Target/Host.h"

#include "mlir/IR/Location.h"
#include "llvm/Target/TargetMachine.h"

namespace tilec {

/// The machine that host objects are made for; null after an error at `location`.
std::unique_ptr<llvm::TargetMachine> createHostMachine(mlir::Location location,
                                                       const HostOptions &options);

} // namespace tilec

#endif // TILEC_LIB_TARGET_HOSTMACHINE_H
