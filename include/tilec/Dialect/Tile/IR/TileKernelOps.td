//===- TileKernelOps.td - kernels and what they know of the launch --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_KERNEL_OPS_TD
#define TILEC_TILE_KERNEL_OPS_TD

include "tilec/Dialect/Tile/IR/TileOpBase.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Tile_KernelOp : Tile_Op<"kernel", [IsolatedFromAbove, AutomaticAllocationScope,
    FunctionOpInterface, SingleBlock]> {
  let summary = "a kernel: one sequential program per CTA";
  let description = [{
    Arguments are `!tile.global` tensors and scalars, in the order of the launcher's parameters.
    `tile.launch` describes them, the launch-time dimensions and the grid.

    ```mlir
    tile.kernel @axpy(%x: !tile.global<?xf32>, %a: f32) attributes {tile.launch = {...}} {
      tile.return
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    Region *getCallableRegion() { return &getBody(); }
    ArrayRef<Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ArrayRef<Type> getResultTypes() { return getFunctionType().getResults(); }
    DictionaryAttr getLaunch();
  }];
}

def Tile_ReturnOp : Tile_Op<"return", [Terminator, Pure, HasParent<"KernelOp">]> {
  let summary = "end of a kernel";
  let assemblyFormat = "attr-dict";
}

def Tile_ProgramIdOp : Tile_Op<"program_id", [Pure]> {
  let summary = "linear index of this CTA in the grid, 0 up to the product of the grid's extents";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_NumProgramsOp : Tile_Op<"num_programs", [Pure]> {
  let summary = "number of CTAs of the grid";
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

def Tile_DimOp : Tile_Op<"dim", [Pure]> {
  let summary = "value of a launch-time dimension named in `tile.launch`";
  let description = "Example: `%n = tile.dim \"q_len\"`. Never negative: the launcher checks.";
  let arguments = (ins StrAttr:$name);
  let results = (outs I64:$result);
  let assemblyFormat = "$name attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_TILE_KERNEL_OPS_TD
