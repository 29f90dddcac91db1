// RUN: tile-opt %s --convert-sm-to-nvvm | FileCheck %s

// CHECK-LABEL: llvm.func @approximations
func.func @approximations(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<2xf32>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
  %0 = sm.exp2 %x : vector<2xf32>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"
  %1 = sm.log2 %0 : vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"
  %2 = sm.rcp %1 : vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
  %3 = sm.rsqrt %2 : vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"
  %4 = sm.sqrt %3 : vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sin.approx.ftz.f"
  %5 = sm.sin %4 : vector<2xf32>
  // CHECK: llvm.call_intrinsic "llvm.nvvm.cos.approx.ftz.f"
  %6 = sm.cos %5 : vector<2xf32>
  // CHECK: llvm.inline_asm asm_dialect = att "tanh.approx.f32 $0, $1;", "=f,f"
  %7 = sm.tanh %6 : vector<2xf32>
  sm.store_global %7, %p : vector<2xf32>
  return
}

/// What upstream calls the same becomes the same.
// CHECK-LABEL: llvm.func @upstream_names
func.func @upstream_names(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
  %0 = math.exp2 %x : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"
  %1 = math.log2 %0 : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.sqrt.approx.ftz.f"
  %2 = math.sqrt %1 : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"
  %3 = math.rsqrt %2 : f32
  sm.store_global %3, %p : f32
  return
}

/// Division is IEEE unless its flags allow an approximation.
// CHECK-LABEL: llvm.func @division
func.func @division(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // CHECK: arith.divf
  %0 = arith.divf %x, %x : f32
  // CHECK: llvm.call_intrinsic "llvm.nvvm.div.full.ftz"
  %1 = arith.divf %x, %0 fastmath<arcp> : f32
  sm.store_global %1, %p : f32
  return
}

// CHECK-LABEL: llvm.func @conversions
func.func @conversions(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<4xf32>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff2bf16x2.rn"(%{{.*}}) : (f32, f32) -> vector<2xbf16>
  %0 = sm.cvt_pack %x : vector<4xf32> to vector<4xbf16>
  sm.store_global %0, %p : vector<4xbf16>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff2f16x2.rn"
  %1 = arith.truncf %x : vector<4xf32> to vector<4xf16>
  sm.store_global %1, %p : vector<4xf16>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.ff.to.e4m3x2.rn"(%{{.*}}) : (f32, f32) -> i16
  %2 = sm.cvt_pack %x : vector<4xf32> to vector<4xf8E4M3FN>
  // CHECK-COUNT-2: llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%{{.*}}) : (i16) -> vector<2xf16>
  %3 = sm.cvt_unpack %2 : vector<4xf8E4M3FN> to vector<4xf16>
  sm.store_global %3, %p : vector<4xf16>
  return
}

/// bf16 to f32 is a shift for the lower and a mask for the upper half of a word.
// CHECK-LABEL: llvm.func @extension
func.func @extension(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<2xbf16>
  // CHECK: %[[WORD:.*]] = llvm.bitcast %{{.*}} : vector<2xbf16> to i32
  // CHECK: llvm.shl %[[WORD]], %{{.*}} : i32
  // CHECK: llvm.and %[[WORD]], %{{.*}} : i32
  %0 = arith.extf %x : vector<2xbf16> to vector<2xf32>
  sm.store_global %0, %p : vector<2xf32>
  return
}

/// Flipped signs stay bits: as a negation they would flush denormals.
// CHECK-LABEL: llvm.func @sign_bits
func.func @sign_bits(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<2xi32>
  %sign = arith.constant dense<-2147483648> : vector<2xi32>
  %flipped = arith.xori %x, %sign : vector<2xi32>
  // CHECK-COUNT-2: llvm.inline_asm asm_dialect = att "mov.b32 $0, $1;", "=f,r" %{{.*}} : (i32) -> f32
  %0 = arith.bitcast %flipped : vector<2xi32> to vector<2xf32>
  sm.store_global %0, %p : vector<2xf32>
  return
}
