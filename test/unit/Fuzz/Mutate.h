//===- Mutate.h - changes of a program's IR at random -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_FUZZ_MUTATE_H
#define TILEC_TEST_UNIT_FUZZ_MUTATE_H

#include "Program.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilec::fuzz {

/// Changes numbers in attributes, operands, the order of operations: what comes out may be anything
/// that IR in a file may be.
void mutate(mlir::ModuleOp module, Random &random, int changes);

} // namespace tilec::fuzz

#endif // TILEC_TEST_UNIT_FUZZ_MUTATE_H
