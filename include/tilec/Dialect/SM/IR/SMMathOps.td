//===- SMMathOps.td - approximate functions and packed conversions --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_MATH_OPS_TD
#define TILEC_SM_MATH_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

/// One special-function-unit instruction per element; denormals are flushed to zero.
class SM_ApproxOp<string mnemonic, string meaning> : SM_Op<mnemonic, [Pure, Elementwise, Scalarizable,
    Vectorizable, SameOperandsAndResultType]> {
  let summary = meaning;
  let description = "Example: `%r = sm." # mnemonic # " %x : vector<4xf32>`";
  let arguments = (ins SM_F32Like:$value);
  let results = (outs SM_F32Like:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def SM_Exp2Op : SM_ApproxOp<"exp2", "2 to the power x, error 2 ulp; exact for -inf, +inf, NaN">;
def SM_Log2Op : SM_ApproxOp<"log2", "binary logarithm, absolute error 2^-22; -inf for 0, NaN below 0">;
def SM_RcpOp : SM_ApproxOp<"rcp", "1/x, error 1 ulp; +-inf for +-0 and for denormals">;
def SM_RsqrtOp : SM_ApproxOp<"rsqrt", "1/sqrt(x), relative error 2^-22.9">;
def SM_SqrtOp : SM_ApproxOp<"sqrt", "square root, relative error 2^-23">;
def SM_SinOp : SM_ApproxOp<"sin", "sine, absolute error 2^-20.5 in [-pi, pi]; reduce the argument first">;
def SM_CosOp : SM_ApproxOp<"cos", "cosine, absolute error 2^-20.5 in [-pi, pi]; reduce the argument first">;
def SM_TanhOp : SM_ApproxOp<"tanh", "hyperbolic tangent, relative error 2^-11: too coarse for a soft cap">;

def SM_CvtPackOp : SM_Op<"cvt_pack", [Pure]> {
  let summary = "rounds f32 elements to bf16, f16 or fp8, two per instruction, to nearest even";
  let description = [{
    fp8 saturates at the largest finite value. The length is even.
    Example: `%r = sm.cvt_pack %x : vector<8xf32> to vector<8xbf16>`
  }];
  let arguments = (ins SM_F32Vector:$value);
  let results = (outs VectorOfRankAndType<[1], [BF16, F16, F8E4M3FN, F8E5M2]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasVerifier = 1;
}

def SM_CvtUnpackOp : SM_Op<"cvt_unpack", [Pure]> {
  let summary = "extends fp8 elements to f16, two per instruction, exactly";
  let description = [{
    The length is even.
    Example: `%r = sm.cvt_unpack %x : vector<8xf8E4M3FN> to vector<8xf16>`
  }];
  let arguments = (ins VectorOfRankAndType<[1], [F8E4M3FN, F8E5M2]>:$value);
  let results = (outs VectorOfRankAndType<[1], [F16]>:$result);
  let assemblyFormat = "$value attr-dict `:` type($value) `to` type($result)";
  let hasVerifier = 1;
}

#endif // TILEC_SM_MATH_OPS_TD
