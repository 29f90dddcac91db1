//===- TileAttrs.td - layouts and loop annotations --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_ATTRS_TD
#define TILEC_TILE_ATTRS_TD

include "tilec/Dialect/Tile/IR/TileDialect.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/TensorEncoding.td"

class Tile_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Tile_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Tile_FragAttr : Tile_Attr<"Frag", "frag",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "which thread and register hold each element of a register tile";
  let description = [{
    The encoding of a tensor after layout assignment: the parameters of `tilec::FragmentLayout`
    (include/tilec/Layout/FragmentLayout.h explains them). `reg`, `lane` and `warp` are lists of
    coordinates; `repeat` and `warps` are lists of `[axis, count]`, axis -1 meaning equal copies.

    ```mlir
    #acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]],
                      warp = [[16, 0], [32, 0]], repeat = [[1, 16]], warps = [[0, 2]]>
    ```
  }];
  let parameters = (ins "int64_t":$rank, ArrayRefParameter<"int64_t">:$reg,
    ArrayRefParameter<"int64_t">:$lane, ArrayRefParameter<"int64_t">:$warp,
    ArrayRefParameter<"int64_t">:$repeat, ArrayRefParameter<"int64_t">:$warps);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static FragAttr get(MLIRContext *context, const ::tilec::FragmentLayout &layout);
    ::tilec::FragmentLayout getLayout() const;
  }];
}

def Tile_SwizzleAttr : Tile_Attr<"Swizzle", "swizzle"> {
  let summary = "swizzle width in bytes of a shared tile: 0, 32, 64 or 128";
  let parameters = (ins "int64_t":$bytes);
  let assemblyFormat = "`<` $bytes `>`";
  let genVerifyDecl = 1;
}

def Tile_PipelineAttr : Tile_Attr<"Pipeline", "pipeline"> {
  let summary = "the author's `pipelined`: how many iterations' copies may be in flight";
  let parameters = (ins "int64_t":$stages);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Tile_ReduceKind : I32EnumAttr<"ReduceKind", "how elements of an axis are combined", [
    I32EnumAttrCase<"Max", 0, "max">, I32EnumAttrCase<"Min", 1, "min">,
    I32EnumAttrCase<"Sum", 2, "sum">, I32EnumAttrCase<"AbsMax", 3, "absmax">,
    I32EnumAttrCase<"Any", 4, "any">, I32EnumAttrCase<"All", 5, "all">,
    I32EnumAttrCase<"ArgMax", 6, "argmax">]> {
  let cppNamespace = "::mlir::tile";
  let genSpecializedAttr = 0;
}
def Tile_ReduceKindAttr : EnumAttr<Tile_Dialect, Tile_ReduceKind, "reduce_kind"> {
  let assemblyFormat = "$value";
}

class Tile_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlir::tile";
  let genSpecializedAttr = 0;
}
class Tile_EnumAttr<EnumInfo info, string mnemonic> : EnumAttr<Tile_Dialect, info, mnemonic> {
  let assemblyFormat = "$value";
}

def Tile_ScanKind : Tile_Enum<"ScanKind", "how the elements before one are combined", [
    I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">]>;
def Tile_ScanKindAttr : Tile_EnumAttr<Tile_ScanKind, "scan_kind">;

def Tile_AtomicKind : Tile_Enum<"AtomicKind", "what an atomic operation writes", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">, I32EnumAttrCase<"And", 3, "and">,
    I32EnumAttrCase<"Or", 4, "or">, I32EnumAttrCase<"Exch", 5, "exch">,
    I32EnumAttrCase<"Cas", 6, "cas">]>;
def Tile_AtomicKindAttr : Tile_EnumAttr<Tile_AtomicKind, "atomic_kind">;

def Tile_MemoryOrder : Tile_Enum<"MemoryOrder", "what an atomic operation or a fence orders", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">, I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">, I32EnumAttrCase<"AcqRel", 3, "acq_rel">]>;
def Tile_MemoryOrderAttr : Tile_EnumAttr<Tile_MemoryOrder, "memory_order">;

def Tile_MemoryScope : Tile_Enum<"MemoryScope", "among whom an atomic operation or a fence orders", [
    I32EnumAttrCase<"Cta", 0, "cta">, I32EnumAttrCase<"Gpu", 1, "gpu">,
    I32EnumAttrCase<"System", 2, "system">]>;
def Tile_MemoryScopeAttr : Tile_EnumAttr<Tile_MemoryScope, "memory_scope">;

#endif // TILEC_TILE_ATTRS_TD
