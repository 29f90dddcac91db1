//===- Mutants.h - one thing taken away from a kernel -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_MUTANTS_H
#define TILEC_TEST_UNIT_INTERPRETER_MUTANTS_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>
#include <vector>

namespace tilec::test {

/// A way to break a kernel in `sm`, at each of several operations.
struct MutantKind {
  const char *name;
  std::function<std::vector<mlir::Operation *>(mlir::ModuleOp)> find;
  std::function<void(mlir::Operation *)> change;
  /// Of more operations than this, some are chosen: those of one tile are alike.
  size_t most;
};

/// Barriers, fences, waits, arrivals, drawn items, predicates, masks and swizzles.
const std::vector<MutantKind> &mutantKinds();

/// "sm.barrier at loc(...)".
std::string place(mlir::Operation *op);

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_MUTANTS_H
