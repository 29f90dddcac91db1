//===- SMDialect.td - what a thread and the hardware do ----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_DIALECT_TD
#define TILEC_SM_DIALECT_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def SM_Dialect : Dialect {
  let name = "sm";
  let cppNamespace = "::mlir::sm";
  let summary = "per-thread code of a streaming multiprocessor: about one op per instruction";
  let description = [{
    Values are scalars and builtin `vector`s of one thread. An address in shared memory is an i32
    (bytes, from `sm.shared_base`), an address in global memory an i64. Arithmetic stays in `arith`
    on scalars and vectors; control flow is `scf`.

    A kernel is a `func.func` with the attributes `tile.launch`, `tile.num_warps`,
    `tile.shared_bytes` and the flat argument list of the launcher; `tile.ctas_per_sm` (1 if absent)
    is the number of CTAs meant to live on one SM. `convert-sm-to-nvvm` makes an `llvm.func` of it.

    Which NVVM op, intrinsic or asm each op becomes, and from which SM and PTX version on it exists,
    is one table: `sm::instructionTable()`.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Kernel attribute: CTAs meant to live on one SM at once.
    static constexpr llvm::StringLiteral ctasPerSMAttrName = "tile.ctas_per_sm";
    void registerTypes();
  }];
}

#endif // TILEC_SM_DIALECT_TD
