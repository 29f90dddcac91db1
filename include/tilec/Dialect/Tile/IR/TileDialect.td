//===- TileDialect.td - what a kernel means ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_DIALECT_TD
#define TILEC_TILE_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::mlir::tile";
  let summary = "whole tiles of one CTA: no threads, no barriers";
  let description = [{
    A kernel body in `tile` is one sequential program per CTA. Register tiles ("fragments") are
    values: builtin tensors, on which `arith` and `math` work as they are; control flow is `scf`.
    Shared and global memory are handles; only operations on handles have effects, in program order.

    The discardable attributes `tile.launch` (what a launcher needs; see docs/Rationale/Tile.md),
    `tile.num_warps`, `tile.shared_bytes`, `tile.prints`, `tile.pipeline` and `tile.tile_loop` stand
    on kernels and loops and are verified here.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasConstantMaterializer = 1;
  let extraClassDeclaration = [{
    static constexpr llvm::StringLiteral launchAttrName = "tile.launch";
    static constexpr llvm::StringLiteral numWarpsAttrName = "tile.num_warps";
    static constexpr llvm::StringLiteral sharedBytesAttrName = "tile.shared_bytes";
    static constexpr llvm::StringLiteral pipelineAttrName = "tile.pipeline";
    /// Loop attribute: the loop deals work items out to the CTAs. "static": to each its number and
    /// every num_programs-th after it.
    static constexpr llvm::StringLiteral tileLoopAttrName = "tile.tile_loop";
    /// Of a selection `maximum - reference > lag ? maximum : reference`, with this lag: any number will do that is not
    /// below the reference and at most the lag below the maximum (`follow` of the language). Where the attribute is
    /// lost, the selection is still one of them.
    static constexpr llvm::StringLiteral followsAttrName = "tile.follows";
    /// Kernel attribute: prints or checks, and so calls functions.
    static constexpr llvm::StringLiteral printsAttrName = "tile.prints";
    void registerTypes();
    void registerAttributes();
  }];
}

#endif // TILEC_TILE_DIALECT_TD
