//===- Dialects.cpp - every dialect and translation of the compiler ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Pipeline/Dialects.h"

#include "tilec/Conversion/SMToNVVM.h"
#include "tilec/Conversion/TileToLinalg.h"
#include "tilec/Conversion/TileToPipe.h"
#include "tilec/Conversion/TileToSM.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "tilec/Target/Host.h"
#include "tilec/Target/PTX.h"
#include "tilec/Target/TargetPasses.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

void tilec::registerAllDialects(DialectRegistry &registry) {
  registry.insert<mlir::tile::TileDialect, pipe::PipeDialect, sm::SMDialect, arith::ArithDialect,
                  math::MathDialect, scf::SCFDialect, cf::ControlFlowDialect, func::FuncDialect,
                  LLVM::LLVMDialect, NVVM::NVVMDialect, memref::MemRefDialect,
                  tensor::TensorDialect, vector::VectorDialect>();
  registerTileToLinalgDialects(registry);
  registerPTXTranslations(registry);
}

void tilec::registerAllPasses() {
  registerTileTransformsPasses();
  registerPipeTransformsPasses();
  registerTileToPipePass();
  registerTileToSMPass();
  registerSMToNVVMPasses();
  registerTileToLinalgPasses();
  registerTileToHostPipeline();
  registerTargetPasses();
}
