//===- LoopCost.h - what an iteration costs on each unit of an SM -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An estimate from counts of instructions and bytes, for authors who ask why a kernel is not
// faster. Nothing is compiled by it.
//===----------------------------------------------------------------------===//
#ifndef TILEC_ANALYSIS_LOOPCOST_H
#define TILEC_ANALYSIS_LOOPCOST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <array>

namespace tilec {

/// What can bind a loop: tensor cores; special functions (exponentials); issue slots of the four
/// schedulers; shared memory; copies out of L2; device memory.
enum class Unit { Tensor, Exp, Issue, Shared, L2, HBM };
inline constexpr size_t kUnits = 6;
llvm::StringRef unitName(Unit unit);

/// One iteration of a loop by all warps of a CTA, or the whole CTA outside its loops.
struct LoopCost {
  /// The author's line; those that several loops stand for (a producer's and the consumers', say)
  /// are one.
  mlir::Location where;
  bool isLoop = true;
  /// Cycles of an SM on each unit if nothing else took time.
  std::array<double, kUnits> cycles = {};
  /// Multiplications of products, two operations each.
  double macs = 0;

  double of(Unit unit) const { return cycles[static_cast<size_t>(unit)]; }
  /// The unit with the most cycles.
  Unit binding() const;
  /// Cycles that the iteration takes. Copies run beside everything else, so it is no less than what
  /// they take; tensor cores, special functions, issue slots and shared memory overlap, but not
  /// fully: the norm of order 2.5 of their cycles, an exponent fitted to an H200
  /// (docs/Performance.md).
  double predicted() const;
  /// Of products, on 132 SMs at the 1.6 GHz that an H200 holds under them.
  double teraflops() const;
};

/// The loops of a kernel in `sm` and, last, what is outside of them. Of a branch the cheaper side
/// counts: a tile that needs no mask is the common one. Bytes that products read are taken for
/// bytes that other CTAs read too, so they come from L2; all others come from device memory.
std::vector<LoopCost> loopCosts(mlir::func::FuncOp kernel);

} // namespace tilec

#endif // TILEC_ANALYSIS_LOOPCOST_H
