// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s

// CHECK-LABEL: .entry approximations(
func.func @approximations(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // CHECK: ex2.approx.ftz.f32
  %0 = sm.exp2 %x : f32
  // CHECK: lg2.approx.ftz.f32
  %1 = sm.log2 %0 : f32
  // CHECK: rcp.approx.ftz.f32
  %2 = sm.rcp %1 : f32
  // CHECK: rsqrt.approx.ftz.f32
  %3 = sm.rsqrt %2 : f32
  // CHECK: sqrt.approx.ftz.f32
  %4 = sm.sqrt %3 : f32
  // CHECK: sin.approx.ftz.f32
  %5 = sm.sin %4 : f32
  // CHECK: cos.approx.ftz.f32
  %6 = sm.cos %5 : f32
  // CHECK: tanh.approx.f32
  %7 = sm.tanh %6 : f32
  // CHECK: div.full.ftz.f32
  %8 = arith.divf %7, %x fastmath<arcp> : f32
  // CHECK: div.rn.ftz.f32
  %9 = arith.divf %8, %x : f32
  sm.store_global %9, %p : f32
  return
}

/// Products and sums fuse, maxima prefer numbers, everything flushes denormals.
// CHECK-LABEL: .entry elementwise(
func.func @elementwise(%p: i64, %q: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<2xf32>
  %y = sm.load_global %q : vector<2xf32>
  %0 = arith.mulf %x, %y : vector<2xf32>
  // CHECK-COUNT-2: fma.rn.ftz.f32
  %1 = arith.addf %0, %x : vector<2xf32>
  // CHECK-COUNT-2: max.ftz.f32
  %2 = arith.maxnumf %1, %y : vector<2xf32>
  // CHECK-COUNT-2: abs.ftz.f32
  %3 = math.absf %2 : vector<2xf32>
  // CHECK-COUNT-2: setp.gt.ftz.f32
  %4 = arith.cmpf ogt, %3, %x : vector<2xf32>
  // CHECK-COUNT-2: selp.f32
  %5 = arith.select %4, %3, %y : vector<2xi1>, vector<2xf32>
  // CHECK: cvt.rn.bf16x2.f32
  %6 = arith.truncf %5 : vector<2xf32> to vector<2xbf16>
  // CHECK: st.global.b32
  sm.store_global %6, %p : vector<2xbf16>
  return
}

// CHECK-LABEL: .entry conversions(
func.func @conversions(%p: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<2xf32>
  // CHECK: cvt.rn.satfinite.e4m3x2.f32
  %0 = sm.cvt_pack %x : vector<2xf32> to vector<2xf8E4M3FN>
  // CHECK: cvt.rn.f16x2.e4m3x2
  %1 = sm.cvt_unpack %0 : vector<2xf8E4M3FN> to vector<2xf16>
  // CHECK-COUNT-2: cvt.ftz.f32.f16
  %2 = arith.extf %1 : vector<2xf16> to vector<2xf32>
  // CHECK: cvt.rn.satfinite.e5m2x2.f32
  %3 = sm.cvt_pack %2 : vector<2xf32> to vector<2xf8E5M2>
  sm.store_global %3, %p : vector<2xf8E5M2>
  return
}

// CHECK-LABEL: .entry exchange(
func.func @exchange(%p: i64, %n: i32) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : f32
  // CHECK: shfl.sync.bfly.b32 %r{{.*}}, %r{{.*}}, %r{{.*}}, 31, -1;
  %0 = sm.shuffle xor %x, %n : f32
  // CHECK: shfl.sync.idx.b32 %r{{.*}}, %r{{.*}}, %r{{.*}}, 31, -1;
  %1 = sm.shuffle idx %0, %n : f32
  // CHECK: shfl.sync.up.b32 %r{{.*}}, %r{{.*}}, %r{{.*}}, 0, -1;
  %2 = sm.shuffle up %1, %n : f32
  // CHECK: shfl.sync.down.b32 %r{{.*}}, %r{{.*}}, %r{{.*}}, 31, -1;
  %3 = sm.shuffle down %2, %n : f32
  %zero = arith.constant 0.0 : f32
  %4 = arith.cmpf ogt, %3, %zero : f32
  // CHECK: vote.sync.any.pred
  %5 = sm.vote any %4
  // CHECK: vote.sync.all.pred
  %6 = sm.vote all %4
  // CHECK: elect.sync
  %7 = sm.elect
  %8 = arith.xori %5, %6 : i1
  %9 = arith.xori %8, %7 : i1
  %10 = arith.select %9, %3, %x : f32
  sm.store_global %10, %p : f32
  return
}
