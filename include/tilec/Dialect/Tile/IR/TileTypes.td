//===- TileTypes.td - handles of global and shared memory -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TILE_TYPES_TD
#define TILEC_TILE_TYPES_TD

include "tilec/Dialect/Tile/IR/TileAttrs.td"

class Tile_Type<string name, string typeMnemonic> : TypeDef<Tile_Dialect, name> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Tile_GlobalType : Tile_Type<"Global", "global"> {
  let summary = "a tensor in global memory: pointer, extents, 64-bit strides; `?` is a launch-time extent";
  let description = "The last axis has stride 1; the others any stride, 0 included. Example: `!tile.global<?x?x128xbf16>`.";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
}
def Tile_WindowType : Tile_Type<"Window", "window"> {
  let summary = "a rectangle of a global tensor; parts of it may lie outside";
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
}
def Tile_SharedType : Tile_Type<"Shared", "shared"> {
  let summary = "a tile in the CTA's shared memory, row-major up to its swizzle";
  let description = [{
    `!tile.shared<128x64xbf16>`, and `!tile.shared<128x64xbf16, #tile.swizzle<128>>` once laid out. A slice has the swizzle of
    its tile, whose rows are whole swizzles; its own may be shorter.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
                        "::mlir::tile::SwizzleAttr":$swizzle);
  let extraClassDeclaration = [{
    /// The layout; plain row-major where none is assigned yet.
    ::tilec::SharedLayout getLayout() const;
    /// An error unless rows are whole swizzles, as they have to be where the tile is allocated.
    ::llvm::LogicalResult verifyRows(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError) const;
  }];
}

def Tile_Element : AnyTypeOf<[F32, F16, BF16, F8E4M3FN, F8E5M2, I1, I8, I16, I32, I64],
                             "element type of a tile">;
def Tile_Fragment : Type<
    And<[RankedTensorOf<[Tile_Element]>.predicate, HasStaticShapePred,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() > 0">]>,
    "fragment (statically shaped tensor of rank 1 or more)", "::mlir::RankedTensorType">;
def Tile_ElementMemory : AnyTypeOf<[Tile_GlobalType, Tile_SharedType], "global tensor or shared tile">;
def Tile_Memory : AnyTypeOf<[Tile_WindowType, Tile_SharedType], "window or shared tile">;

#endif // TILEC_TILE_TYPES_TD
