//===- HostRounding.h - a function that x86-64 code may call ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TARGET_HOSTROUNDING_H
#define TILEC_LIB_TARGET_HOSTROUNDING_H

#include "mlir/Pass/Pass.h"

namespace tilec {

/// Where a module of the LLVM dialect has bf16 values, defines `__truncsfbf2`: LLVM moves a bf16
/// element out of a vector by way of f32 and then calls it, and libgcc has it from version 13 on
/// only.
std::unique_ptr<mlir::Pass> createHostRoundingPass();

} // namespace tilec

#endif // TILEC_LIB_TARGET_HOSTROUNDING_H
