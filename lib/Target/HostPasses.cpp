//===- HostPasses.cpp - from tile to the LLVM dialect, for the CPU --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRounding.h"
#include "tilec/Conversion/TileToLinalg.h"
#include "tilec/Target/Host.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addCleanup(OpPassManager &pm) {
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createCSEPass());
}

/// Tiles are tensors: merge the work on them, then give them memory.
static void addTensorPasses(OpPassManager &pm) {
  pm.addPass(tilec::createConvertTileToLinalgPass());
  addCleanup(pm);
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addNestedPass<func::FuncOp>(tilec::createHostFuseElementwisePass());
  bufferization::OneShotBufferizePassOptions bufferize;
  // A carried tile may come out of another buffer than it went in.
  bufferize.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  addCleanup(pm);
  bufferization::buildBufferDeallocationPipeline(pm);
}

/// Small floats become f32 arithmetic with exact conversions in integers: LLVM's for bf16 would
/// call
/// __truncsfbf2, which libgcc 12 lacks. f16 stays: x86-64-v3 converts it in hardware.
static void addFloatPasses(OpPassManager &pm) {
  pm.addPass(math::createMathExtendToSupportedTypes());
  pm.addPass(tilec::createHostEmulateFloatsPass());
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

static void addLLVMPasses(OpPassManager &pm) {
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(tilec::createHostChecksPass());
  pm.addPass(createConvertVectorToLLVMPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  FinalizeMemRefToLLVMConversionPassOptions memory;
  // LLVM knows that its result aliases nothing; malloc with alignment arithmetic hides that.
  memory.useAlignedAlloc = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  addCleanup(pm);
  pm.addPass(tilec::createHostRoundingPass());
}

void tilec::addTileToHostPasses(OpPassManager &pm) {
  addTensorPasses(pm);
  pm.addPass(createHostMatmulLoopsPass());
  pm.addPass(createConvertLinalgToLoopsPass());
  pm.addPass(createHostCopyLoopsPass());
  addFloatPasses(pm);
  pm.addPass(createHostEntryPass());
  addCleanup(pm);
  addLLVMPasses(pm);
}

void tilec::registerTileToHostPipeline() {
  PassPipelineRegistration<>("tile-to-host", "tile kernels to the LLVM dialect for the CPU",
                             addTileToHostPasses);
}
