//===- Pipeline.cpp - the passes in order ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Pipeline/Pipeline.h"

#include "tilec/Conversion/SMToNVVM.h"
#include "tilec/Conversion/TileToPipe.h"
#include "tilec/Conversion/TileToSM.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tilec;

static constexpr llvm::StringLiteral stageAttrName = "tile.stage";

/// Adds a pass that works on one kernel.
template <std::unique_ptr<Pass> (*create)()> static void onKernel(OpPassManager &manager) {
  manager.addNestedPass<mlir::tile::KernelOp>(create());
}

static void simplify(OpPassManager &manager) {
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

static void simplifyAndHoist(OpPassManager &manager) {
  simplify(manager);
  manager.addPass(createSCCPPass());
  manager.addPass(createLoopInvariantCodeMotionPass());
}

llvm::ArrayRef<Step> tilec::pipelineSteps() {
  using enum Stage;
  static const Step steps[] = {
      {"tile-verify-kernel", "user errors are found, with the author's line", Tile,
       onKernel<createVerifyKernelPass>},
      {"simplify-tile", "canonical form, invariants outside loops", Tile, simplifyAndHoist},
      {"tile-skip-iterations", "loops under a condition run over what is taken", Tile,
       onKernel<createSkipIterationsPass>, /*scheduled=*/true},
      {"tile-legalize-math", "only math the hardware has", Tile, onKernel<createLegalizeMathPass>},
      // Behind the scales, so that masks are on plain scores.
      {"tile-split-masks", "tiles that no mask changes are not masked", Tile,
       onKernel<createSplitMasksPass>},
      {"tile-assign-layouts", "every fragment and shared tile has a layout", Tile,
       onKernel<createAssignLayoutsPass>},
      {"tile-optimize-conversions", "layout conversions are few and outside loops", Tile,
       onKernel<createOptimizeConversionsPass>},
      {"tile-defer-reductions", "rows are summed across threads behind their loops", Tile,
       onKernel<createDeferReductionsPass>},
      {"tile-remember-products", "scores of an online softmax can be computed again", Tile,
       onKernel<createRememberProductsPass>, /*scheduled=*/true},
      {"convert-tile-to-pipe", "roles and channels, where the loops allow them", Pipe,
       onKernel<createConvertTileToPipePass>, /*scheduled=*/true},
      {"pipe-schedule", "which products run one iteration late", Pipe, onKernel<createSchedulePass>,
       /*scheduled=*/true},
      {"pipe-expand", "prologue, steady state, epilogue", Pipe, onKernel<createExpandPass>,
       /*scheduled=*/true},
      {"pipe-prefetch-indices", "block lists are read one trip ahead", Pipe,
       onKernel<createPrefetchIndicesPass>, /*scheduled=*/true},
      {"simplify-pipe", "canonical form", Pipe, simplify, /*scheduled=*/true},
      // Behind all that knows the code of one item only.
      {"pipe-repeat-items", "each role goes through the work items", Pipe,
       onKernel<createRepeatItemsPass>, /*scheduled=*/true},
      {"tile-materialize-scratch", "what goes through shared memory says so", Pipe,
       onKernel<createMaterializeScratchPass>},
      // Before the barriers: they are placed by byte range.
      {"tile-allocate-shared", "every shared tile has a byte range", Pipe,
       onKernel<createAllocateSharedPass>},
      // Nothing after this pass moves an access to shared memory.
      {"tile-insert-barriers-and-fences", "no two threads race", Pipe,
       onKernel<createInsertBarriersAndFencesPass>},
      // Nothing after this pass moves an operation of `pipe`.
      {"pipe-verify-protocol", "the roles neither race nor block each other", Pipe,
       onKernel<createVerifyProtocolPass>, /*scheduled=*/true},
      {"convert-tile-to-sm", "code of one thread", SM,
       [](OpPassManager &manager) { manager.addPass(createConvertTileToSMPass()); }},
      {"simplify-sm", "canonical form", SM, simplifyAndHoist},
      // Behind the folds that bring constants out.
      {"sm-combine", "masks compare with constants", SM,
       [](OpPassManager &manager) {
         manager.addPass(createCombinePass());
         simplify(manager);
       }},
      // Behind the narrowing of divisions.
      {"sm-compute-at-launch", "nothing is computed that the launch knows", SM,
       [](OpPassManager &manager) {
         manager.addNestedPass<func::FuncOp>(createComputeAtLaunchPass());
         simplify(manager);
       }},
      // Behind everything that brings scalars in front of the roles.
      {"sm-sink-scalars", "the first load waits for no scalar that it does not need", SM,
       [](OpPassManager &manager) {
         manager.addNestedPass<func::FuncOp>(createSinkScalarsPass());
         simplify(manager);
       },
       /*scheduled=*/true},
      {"sm-recompute-in-items", "an item's addresses are not held while its loop runs", SM,
       [](OpPassManager &manager) {
         manager.addNestedPass<func::FuncOp>(createRecomputeInItemsPass());
       },
       /*scheduled=*/true},
      {"sm-split-edges", "no branch cuts the work that covers a product in flight", SM,
       [](OpPassManager &manager) { manager.addNestedPass<func::FuncOp>(createSplitEdgesPass()); },
       /*scheduled=*/true},
      {"sm-presume-reference", "exponentials do not wait for a maximum", SM,
       [](OpPassManager &manager) {
         manager.addNestedPass<func::FuncOp>(createPresumeReferencePass());
       }},
      // Behind sm-split-edges, which clones the rest of an iteration.
      {"sm-skip-scaling", "no accumulator is multiplied with ones", SM,
       [](OpPassManager &manager) { manager.addNestedPass<func::FuncOp>(createSkipScalingPass()); },
       /*scheduled=*/true},
      // Behind all that knows loops over items by their turns.
      {"sm-draw-items", "CTAs that are done early compute more of the work items", SM,
       [](OpPassManager &manager) { manager.addNestedPass<func::FuncOp>(createDrawItemsPass()); },
       /*scheduled=*/true},
      {"convert-sm-to-llvm", "LLVM and NVVM only", NVVM,
       [](OpPassManager &manager) { addSMToLLVMPasses(manager); }},
  };
  return steps;
}

/// In the order of `Stage`.
static constexpr llvm::StringLiteral stageNames[] = {"tile", "pipe", "sm",   "nvvm",
                                                     "llvm", "ptx",  "cubin"};

std::optional<Stage> tilec::parseStage(llvm::StringRef name) {
  const auto *found = llvm::find(stageNames, name);
  if (found == std::end(stageNames))
    return std::nullopt;
  return static_cast<Stage>(found - std::begin(stageNames));
}

llvm::StringRef tilec::stageName(Stage stage) { return stageNames[static_cast<size_t>(stage)]; }

std::optional<size_t> tilec::nextStep(ModuleOp module) {
  auto stage = module->getAttrOfType<StringAttr>(stageAttrName);
  if (!stage)
    return 0;
  for (auto [index, step] : llvm::enumerate(pipelineSteps()))
    if (step.name == stage.getValue())
      return index + 1;
  return std::nullopt;
}

void tilec::markStep(ModuleOp module, const Step &step) {
  module->setAttr(stageAttrName, StringAttr::get(module.getContext(), step.name));
}
