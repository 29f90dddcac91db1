// RUN: tile-opt %s --sm-to-llvm -split-input-file -verify-diagnostics -o /dev/null

/// What the back end would end the process for is an error at the author's line.
func.func @exponential(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // expected-error @below {{has no instruction on the GPU; tile-legalize-math writes such functions with exp2, log2, reciprocal and square root}}
  %y = math.exp %x : f32
  sm.store_global %y, %p : f32
  return
}

// -----

func.func @remainder(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // expected-error @below {{has no instruction on the GPU}}
  %y = arith.remf %x, %x : f32
  sm.store_global %y, %p : f32
  return
}

// -----

func.func @left_over(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // expected-error @below {{has no lowering to the GPU with these types}}
  %y = arith.truncf %x : f32 to f8E4M3FN
  sm.store_global %y, %p : f8E4M3FN
  return
}

// -----

func.func @foreign_intrinsic(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // expected-error @below {{expected an NVVM intrinsic, found llvm.exp.f32}}
  %y = llvm.call_intrinsic "llvm.exp.f32"(%x) : (f32) -> f32
  sm.store_global %y, %p : f32
  return
}
