//===- tile-opt.cpp - passes and pipelines for lit --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/SMToNVVM.h"
#include "tilec/Conversion/TileToLinalg.h"
#include "tilec/Conversion/TileToPipe.h"
#include "tilec/Conversion/TileToSM.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Pipe/Transforms/Passes.h"
#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/SM/Transforms/Passes.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "tilec/Target/Host.h"
#include "tilec/Target/TargetPasses.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::tile::TileDialect, mlir::pipe::PipeDialect, mlir::sm::SMDialect,
                  mlir::arith::ArithDialect, mlir::math::MathDialect, mlir::scf::SCFDialect,
                  mlir::func::FuncDialect, mlir::LLVM::LLVMDialect, mlir::NVVM::NVVMDialect,
                  mlir::memref::MemRefDialect, mlir::tensor::TensorDialect,
                  mlir::vector::VectorDialect>();
  tilec::registerTileToLinalgDialects(registry);
  mlir::registerTransformsPasses();
  tilec::registerTileTransformsPasses();
  tilec::registerSMToNVVMPasses();
  tilec::registerTargetPasses();
  tilec::registerPipeTransformsPasses();
  tilec::registerTileToPipePass();
  tilec::registerTileToSMPass();
  tilec::registerSMTransformsPasses();
  tilec::registerTileToLinalgPasses();
  tilec::registerTileToHostPipeline();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "tile-opt\n", registry));
}
