//===- Interpreter.h - runs kernels in sm on the CPU ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the threads of a CTA as warps in lock-step whose steps interleave at random, on a model of
// the hardware that is stricter than the hardware: what may go wrong goes wrong, and is reported at
// the author's line. Found are
//   - reads of shared memory that nobody wrote, accesses outside shared memory and outside tensors;
//   - two accesses to a byte of shared memory, one of them a write, that no barrier, mbarrier, wait
//     of an asynchronous copy or of a matrix product orders, between warps and between lanes;
//   - generic writes that wgmma or TMA reads or overwrites without a proxy fence;
//   - accumulators read before their wait, registers written without `sm.wgmma_fence`;
//   - waits that nobody can end (deadlock), barriers with different counts, malformed descriptors.
// Numbers are those of the hardware up to the rounding of sums and of the approximate functions.
//===----------------------------------------------------------------------===//
#ifndef TILEC_INTERPRETER_INTERPRETER_H
#define TILEC_INTERPRETER_INTERPRETER_H

#include "tilec/Interpreter/TensorMap.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <memory>
#include <string>
#include <vector>

namespace tilec {

namespace interp {
struct Program;
}

/// Memory of this process that a kernel may access.
struct GlobalBuffer {
  std::string name;
  void *data;
  int64_t bytes;
  bool writable = true;
};

/// One launch. Addresses in `words` are pointers of this process.
struct SMLaunch {
  /// The kernel's arguments in order, tensor maps left out; a word's low bytes hold the value.
  std::vector<uint64_t> words;
  /// The kernel's tensor maps in order.
  std::vector<TensorMap> maps;
  std::vector<GlobalBuffer> buffers;
  int64_t grid = 1;
  /// CTAs that are under way at the same time.
  int64_t concurrent = 1;
  /// Of the order in which CTAs, warps and asynchronous copies take their steps.
  uint64_t seed = 0;
  /// Instructions of all warps of one CTA after which it is taken to hang.
  uint64_t maxSteps = uint64_t(1) << 34;
};

/// A kernel in `sm`, prepared for running. Refers to the kernel's IR, which must stay as it is.
class SMProgram {
public:
  /// Fails with a diagnostic on operations that have no model.
  static llvm::FailureOr<SMProgram> create(mlir::func::FuncOp kernel);

  /// Runs the CTAs [begin, end), some of them beside each other. The first fault is reported at the
  /// operation, with a note at the one that it conflicts with, and ends the run. May be called from
  /// several threads at once.
  llvm::LogicalResult run(const SMLaunch &launch, int64_t begin, int64_t end) const;
  llvm::LogicalResult run(const SMLaunch &launch) const { return run(launch, 0, launch.grid); }

private:
  std::shared_ptr<const interp::Program> program;
};

} // namespace tilec

#endif // TILEC_INTERPRETER_INTERPRETER_H
