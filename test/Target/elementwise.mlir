// RUN: tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null | FileCheck %s
// REQUIRES: ptxas

/// Everything elementwise that a lowering may leave in `arith`, `math` and `vector` assembles.
// CHECK: floats: {{.*}} 0 bytes stack
func.func @floats(%p: i64, %q: i64, %k: i32) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<4xf32>
  %y = sm.load_global %q : vector<4xf32>
  %0 = arith.addf %x, %y : vector<4xf32>
  %1 = arith.subf %0, %y : vector<4xf32>
  %2 = arith.mulf %1, %0 : vector<4xf32>
  %3 = arith.divf %2, %y : vector<4xf32>
  %4 = arith.negf %3 : vector<4xf32>
  %5 = arith.minnumf %4, %x : vector<4xf32>
  %6 = arith.maximumf %5, %y : vector<4xf32>
  %7 = arith.minimumf %6, %x : vector<4xf32>
  %8 = math.absf %7 : vector<4xf32>
  %9 = math.fma %8, %x, %y : vector<4xf32>
  %10 = math.floor %9 : vector<4xf32>
  %11 = math.ceil %10 : vector<4xf32>
  %12 = math.roundeven %11 : vector<4xf32>
  %13 = math.trunc %12 : vector<4xf32>
  %14 = math.copysign %13, %y : vector<4xf32>
  %15 = math.sqrt %14 : vector<4xf32>
  %16 = arith.fptosi %15 : vector<4xf32> to vector<4xi32>
  %17 = arith.sitofp %16 : vector<4xi32> to vector<4xf32>
  %18 = arith.fptoui %17 : vector<4xf32> to vector<4xi64>
  %19 = arith.uitofp %18 : vector<4xi64> to vector<4xf32>
  %20 = math.round %19 : vector<4xf32>
  sm.store_global %20, %p : vector<4xf32>
  return
}

// CHECK: integers: {{.*}} 0 bytes stack
func.func @integers(%p: i64, %q: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<4xi32>
  %y = sm.load_global %q : vector<4xi32>
  %0 = arith.addi %x, %y : vector<4xi32>
  %1 = arith.subi %0, %y : vector<4xi32>
  %2 = arith.muli %1, %0 : vector<4xi32>
  %3 = arith.divsi %2, %y : vector<4xi32>
  %4 = arith.remui %3, %y : vector<4xi32>
  %5 = arith.maxsi %4, %x : vector<4xi32>
  %6 = arith.minui %5, %x : vector<4xi32>
  %7 = arith.shli %6, %y : vector<4xi32>
  %8 = arith.shrsi %7, %y : vector<4xi32>
  %9 = arith.shrui %8, %y : vector<4xi32>
  %10 = arith.xori %9, %x : vector<4xi32>
  %11 = arith.ceildivsi %10, %y : vector<4xi32>
  %12 = math.ctpop %11 : vector<4xi32>
  %13 = arith.extsi %12 : vector<4xi32> to vector<4xi64>
  %14 = arith.floordivsi %13, %13 : vector<4xi64>
  %15 = arith.trunci %14 : vector<4xi64> to vector<4xi8>
  %16 = arith.extui %15 : vector<4xi8> to vector<4xi32>
  %17 = arith.cmpi ult, %16, %x : vector<4xi32>
  %18 = arith.cmpi sge, %13, %14 : vector<4xi64>
  %19 = arith.andi %17, %18 : vector<4xi1>
  %20 = arith.select %19, %16, %12 : vector<4xi1>, vector<4xi32>
  %21 = arith.extui %19 : vector<4xi1> to vector<4xi32>
  %22 = arith.addi %20, %21 : vector<4xi32>
  %23 = math.absi %22 : vector<4xi32>
  sm.store_global %23, %p : vector<4xi32>
  return
}

// CHECK: halves: {{.*}} 0 bytes stack
func.func @halves(%p: i64, %q: i64) attributes {tile.num_warps = 1 : i64} {
  %x = sm.load_global %p : vector<8xbf16>
  %y = sm.load_global %q : vector<8xbf16>
  %0 = arith.addf %x, %y : vector<8xbf16>
  %1 = arith.mulf %0, %y : vector<8xbf16>
  %2 = arith.divf %1, %y : vector<8xbf16>
  %3 = arith.maxnumf %2, %x : vector<8xbf16>
  %4 = arith.cmpf olt, %3, %x : vector<8xbf16>
  %5 = arith.select %4, %3, %y : vector<8xi1>, vector<8xbf16>
  sm.store_global %5, %p : vector<8xbf16>
  %h = sm.load_global %q : vector<8xf16>
  %6 = arith.subf %h, %h : vector<8xf16>
  %7 = arith.divf %6, %h : vector<8xf16>
  %8 = arith.minnumf %7, %h : vector<8xf16>
  %9 = arith.extf %8 : vector<8xf16> to vector<8xf32>
  %10 = arith.truncf %9 : vector<8xf32> to vector<8xbf16>
  sm.store_global %10, %p : vector<8xbf16>
  %s = sm.load_global %p : bf16
  %11 = arith.extf %s : bf16 to f32
  %12 = arith.truncf %11 : f32 to f16
  %13 = arith.extf %12 : f16 to f32
  %14 = arith.truncf %13 : f32 to bf16
  sm.store_global %14, %q : bf16
  return
}

/// Vectors longer than an access, taken apart and put together, carried by branches and loops.
// CHECK: vectors: {{.*}} 0 bytes stack
func.func @vectors(%p: i64, %q: i64, %n: i64, %c: i1) attributes {tile.num_warps = 1 : i64} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %neg = arith.constant dense<0xFF800000> : vector<16xf32>
  %x = sm.load_global %p : vector<4xf32>
  %wide = vector.shuffle %x, %x [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7] : vector<4xf32>, vector<4xf32>
  %pos = vector.step : vector<16xindex>
  %pos32 = arith.index_cast %pos : vector<16xindex> to vector<16xi32>
  %lim = arith.trunci %n : i64 to i32
  %limit = vector.broadcast %lim : i32 to vector<16xi32>
  %there = arith.cmpi slt, %pos32, %limit : vector<16xi32>
  %masked = arith.select %there, %wide, %neg : vector<16xi1>, vector<16xf32>
  %branch = scf.if %c -> vector<16xf32> {
    scf.yield %masked : vector<16xf32>
  } else {
    scf.yield %wide : vector<16xf32>
  }
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %branch, %m = %there) -> (vector<16xf32>, vector<16xi1>) : i64 {
    %b = arith.addf %a, %wide : vector<16xf32>
    %more = arith.cmpf olt, %b, %masked : vector<16xf32>
    %both = arith.ori %m, %more : vector<16xi1>
    scf.yield %b, %both : vector<16xf32>, vector<16xi1>
  }
  %more0 = arith.cmpf ogt, %r#0, %neg : vector<16xf32>
  %sel = arith.select %r#1, %r#0, %neg : vector<16xi1>, vector<16xf32>
  %e0 = vector.extract %sel[0] : f32 from vector<16xf32>
  %e1 = vector.extract %sel[15] : f32 from vector<16xf32>
  %two = vector.from_elements %e0, %e1 : vector<2xf32>
  %in = vector.insert_strided_slice %two, %sel {offsets = [2], strides = [1]} : vector<2xf32> into vector<16xf32>
  %out = vector.extract_strided_slice %in {offsets = [1], sizes = [4], strides = [1]} : vector<16xf32> to vector<4xf32>
  %max = vector.reduction <maxnumf>, %in : vector<16xf32> into f32
  %sum = vector.reduction <add>, %in : vector<16xf32> into f32
  %any = vector.reduction <or>, %more0 : vector<16xi1> into i1
  %least = vector.reduction <minsi>, %pos32 : vector<16xi32> into i32
  %leastf = arith.sitofp %least : i32 to f32
  %total = arith.addf %sum, %leastf : f32
  %chosen = arith.select %any, %total, %max : f32
  %els:4 = vector.to_elements %out : vector<4xf32>
  %mm = arith.maxnumf %chosen, %els#2 : f32
  %res = vector.insert %mm, %out[1] : f32 into vector<4xf32>
  %bits = vector.bitcast %res : vector<4xf32> to vector<8xbf16>
  sm.store_global %bits, %q : vector<8xbf16>
  return
}
