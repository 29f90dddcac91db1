//===- SMTypes.td - types and type constraints -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_TYPES_TD
#define TILEC_SM_TYPES_TD

include "tilec/Dialect/SM/IR/SMDialect.td"

def SM_TensorMapType : TypeDef<SM_Dialect, "TensorMap"> {
  let mnemonic = "tensor_map";
  let summary = "a 128-byte CUtensorMap passed by value as a kernel parameter";
  let description = "Only a kernel's argument has this type; it becomes a `grid_constant` parameter.";
}

/// N 32-bit registers as one value: the packed operands of matrix instructions.
class SM_Words<int n> : Type<
    CPred<"$_self == ::mlir::VectorType::get({" # n # "}, ::mlir::IntegerType::get($_self.getContext(), 32))">,
    "vector<" # n # "xi32>", "::mlir::VectorType">,
  BuildableType<"::mlir::VectorType::get({" # n # "}, $_builder.getI32Type())">;

class SM_Floats<int n> : Type<
    CPred<"$_self == ::mlir::VectorType::get({" # n # "}, ::mlir::Float32Type::get($_self.getContext()))">,
    "vector<" # n # "xf32>", "::mlir::VectorType">,
  BuildableType<"::mlir::VectorType::get({" # n # "}, $_builder.getF32Type())">;

/// An integer or float, or a vector of rank 1 of them.
def SM_Value : AnyTypeOf<[AnySignlessInteger, AnyFloat, VectorOfRankAndType<[1], [AnySignlessInteger, AnyFloat]>],
                         "integer, float or vector of rank 1">;
def SM_F32Like : AnyTypeOf<[F32, VectorOfRankAndType<[1], [F32]>], "f32 or vector of f32">;
def SM_F32Vector : VectorOfRankAndType<[1], [F32]>;
def SM_WordVector : VectorOfRankAndType<[1], [I32]>;
/// What stays in registers while matrix instructions are in flight.
def SM_InFlight : AnyTypeOf<[SM_F32Vector, SM_WordVector], "vector of f32 or i32">;

#endif // TILEC_SM_TYPES_TD
