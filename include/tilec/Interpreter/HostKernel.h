//===- HostKernel.h - an interpreted kernel behind a launcher ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_INTERPRETER_HOSTKERNEL_H
#define TILEC_INTERPRETER_HOSTKERNEL_H

#include "tile/Expr.h"
#include "tilec/Interpreter/Interpreter.h"
#include "tilec/Target/KernelDesc.h"

#include <atomic>

namespace tilec {

/// A kernel in `sm` that `tile::Launcher` can call as a kernel for the host: buffers and tensor
/// maps are made from the launch's own words, so every access is checked against the tensors. A
/// kernel that draws work items does so from a counter of this object, so its launches must not
/// overlap; its CTAs run beside each other, in one thread, so that the seed says who draws what.
class InterpretedKernel {
public:
  /// The kernel's IR must outlive the object.
  static llvm::FailureOr<std::unique_ptr<InterpretedKernel>> create(mlir::func::FuncOp kernel);
  ~InterpretedKernel();

  /// For `KernelInfo::host`. A plain function has no state: it runs the object whose function()
  /// was asked for last.
  tile::HostFunction function();
  /// Whether a launch since then has met a fault; it was reported through the kernel's context.
  bool hasFailed() const { return failures != 0; }
  void clearFailure();
  static constexpr int64_t usualSmCount = 2;
  /// The number of multiprocessors that the grid is for, at first the usual one. To be called
  /// before desc().
  void setSmCount(int64_t count);
  /// CTAs that ran to their end.
  int64_t ctasDone() const { return done; }

  /// The launch that `params`, packed for the host, stand for.
  SMLaunch launchOf(void **params);

  const KernelDesc &desc() const { return description; }
  const SMProgram &program() const { return code; }
  uint64_t seed = 0;
  /// Without it work items are dealt out in fixed turns, as by a launcher that has no counter left.
  bool hasCounter = true;
  /// As of SMLaunch.
  uint64_t maxSteps = SMLaunch().maxSteps;

private:
  /// How a tensor map is made: the parameter, its box, outermost first, and the swizzle in bytes.
  struct MapRecipe {
    size_t param;
    std::vector<int64_t> box;
    int64_t swizzle;
  };
  struct View;

  InterpretedKernel() = default;
  llvm::LogicalResult readMaps(mlir::func::FuncOp kernel);
  llvm::LogicalResult readDerived(mlir::func::FuncOp kernel);
  llvm::LogicalResult runItems(SMLaunch &launch);
  static void trampoline(void **params, int64_t begin, int64_t end);
  static std::atomic<InterpretedKernel *> current;

  mlir::func::FuncOp kernel;
  KernelDesc description;
  std::vector<std::string> grid; // as the kernel says it
  std::vector<MapRecipe> maps;
  std::vector<tile::Expr> derived;
  SMProgram code;
  std::atomic<int> failures = 0;
  std::atomic<int64_t> done = 0;
  /// Of work items, as in the memory of the GPU.
  uint32_t counter = 0;
};

} // namespace tilec

#endif // TILEC_INTERPRETER_HOSTKERNEL_H
