//===- Compile.h - one kernel from `tile` IR to what runs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PIPELINE_COMPILE_H
#define TILEC_PIPELINE_COMPILE_H

#include "tilec/Analysis/LoopCost.h"
#include "tilec/Pipeline/Pipeline.h"
#include "tilec/Target/Cubin.h"
#include "tilec/Target/KernelDesc.h"
#include "tilec/Target/Reuse.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilec {

enum class TargetKind { Cuda, Host };

struct CompileOptions {
  TargetKind target = TargetKind::Cuda;
  /// Forces the simple path; otherwise the scheduled path is taken where the kernel allows it.
  bool simple = false;
  /// Where to stop.
  Stage until = Stage::Cubin;
  /// Stop after the step of this name (see pipelineSteps); empty: go on to `until`.
  std::string untilStep;
  /// Accept spills and notices of ptxas; for experiments.
  bool allowSpills = false;
  /// Keep the author's lines in the machine code, and in the text of other stages.
  bool lineInfo = false;
  /// Folder for one numbered file per step; empty: none.
  std::string saveStages;
  /// Where machine code is kept and found again.
  Reuse reuse;
};

struct PhaseTime {
  std::string name;
  double milliseconds;
};

/// What came out. Which fields are set depends on the target and on where the compilation stopped.
struct CompileResult {
  KernelDesc desc;             // from Stage::NVVM on, and for the host
  std::string text;            // of the last textual stage: MLIR, LLVM IR or PTX
  Cubin cubin;                 // Stage::Cubin
  std::string object;          // host: an x86-64 object file
  bool reused = false;         // the cubin or the object is that of an earlier compilation
  std::vector<LoopCost> loops; // Stage::NVVM and later, from a stage before
  std::vector<PhaseTime> times;
};

/// Compiles the one kernel of `module`, from whatever step the module is at. Errors are reported
/// through the module's context.
llvm::FailureOr<CompileResult> compile(mlir::ModuleOp module, const CompileOptions &options);

/// Goes on from LLVM IR or PTX text that an earlier compilation saved. `result.desc` stays empty.
llvm::FailureOr<CompileResult> compileText(Stage stage, llvm::StringRef text,
                                           mlir::Location location, const CompileOptions &options);

} // namespace tilec

#endif // TILEC_PIPELINE_COMPILE_H
