//===- Pipeline.h - the passes in order -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The way from a kernel's `tile` IR to LLVM's dialect as one list of named steps. A module
// remembers the last step that it went through (`tile.stage`), so a saved stage can be given back
// and goes on where it stopped.
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPELINE_PIPELINE_H
#define TILEC_PIPELINE_PIPELINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace tilec {

/// The languages that a kernel goes through, as `--emit` names them.
enum class Stage { Tile, Pipe, SM, NVVM, LLVM, PTX, Cubin };

/// The stage called `name`.
std::optional<Stage> parseStage(llvm::StringRef name);
/// The name of `stage`, as parseStage takes it.
llvm::StringRef stageName(Stage stage);

/// One line of the pipeline: a name that stands in saved files and in messages, what the step
/// establishes, the language that the module is in afterwards.
struct Step {
  llvm::StringLiteral name;
  llvm::StringLiteral establishes;
  Stage after;
  void (*add)(mlir::OpPassManager &manager);
  /// Belongs to the scheduled path only.
  bool scheduled = false;
};

/// The steps to the GPU, in order. The simple path leaves out those that are `scheduled`.
llvm::ArrayRef<Step> pipelineSteps();

/// Index of the first step that `module` has not gone through, by its attribute `tile.stage`.
/// An unknown name gives nothing.
std::optional<size_t> nextStep(mlir::ModuleOp module);
/// Notes that `module` went through `step`.
void markStep(mlir::ModuleOp module, const Step &step);

} // namespace tilec

#endif // TILEC_PIPELINE_PIPELINE_H
