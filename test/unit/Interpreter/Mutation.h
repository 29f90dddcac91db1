//===- Mutation.h - changes that must be noticed ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_MUTATION_H
#define TILEC_TEST_UNIT_INTERPRETER_MUTATION_H

#include "KernelRun.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "gtest/gtest.h"

namespace tilec::test {
using namespace mlir;

/// The operations of one kind, in the order of the program.
template <class Op> std::vector<Operation *> all(ModuleOp module) {
  std::vector<Operation *> result;
  module.walk([&](Op op) { result.push_back(op); });
  return result;
}

/// Those in loops.
template <class Op> std::vector<Operation *> inLoops(ModuleOp module) {
  std::vector<Operation *> result = all<Op>(module);
  llvm::erase_if(result, [](Operation *op) { return !op->getParentOfType<scf::ForOp>(); });
  return result;
}

inline std::string place(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << op->getName() << " at " << op->getLoc();
  return text;
}

using RunChanged = std::function<std::string(std::function<void(ModuleOp)>)>;
using Find = std::function<std::vector<Operation *>(ModuleOp)>;

/// Applies the change to each operation in turn and expects that something is noticed.
inline void expectEachNoticed(LibraryKernel &kernel, const RunChanged &run, const Find &find,
                              const std::function<void(Operation *)> &change) {
  size_t count = find(kernel.module()).size();
  EXPECT_GT(count, 0u) << "nothing to change";
  for (size_t i = 0; i < count; ++i) {
    std::string what;
    std::string found = run([&](ModuleOp module) {
      Operation *op = find(module)[i];
      what = place(op);
      change(op);
    });
    EXPECT_NE(found, "") << "not noticed: number " << i << ", " << what;
  }
}

inline void erase(Operation *op) { op->erase(); }

/// Waits for nothing.
template <class Op> void waitForLess(Operation *op) {
  auto wait = cast<Op>(op);
  wait.setPending(wait.getPending() + 1);
}

/// Runs calls until something is noticed.
template <class Call>
std::string runAll(LibraryKernel &kernel, const std::function<void(ModuleOp)> &change,
                   std::initializer_list<Call> calls) {
  for (Call call : calls) {
    std::string found = kernel.runChanged(change, call.arguments());
    if (found.empty())
      found = call.check();
    if (!found.empty())
      return found;
  }
  return "";
}

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_MUTATION_H
