// RUN: tile-opt %s -tile-legalize-math | FileCheck %s

// CHECK-LABEL: tile.kernel @exp
// CHECK: %[[LOG2E:.*]] = arith.constant dense<1.44269502> : tensor<64xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[X:.*]], %[[LOG2E]]
// CHECK: %[[E:.*]] = math.exp2 %[[SCALED]]
// CHECK: tile.store %[[E]]
tile.kernel @exp(%g: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  %e = math.exp %x : tensor<64xf32>
  tile.store %e, %w : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @scalar_log
// CHECK: %[[LOG2:.*]] = math.log2 %arg1 : f32
// CHECK: %[[LN2:.*]] = arith.constant 0.693147182 : f32
// CHECK: arith.mulf %[[LOG2]], %[[LN2]] : f32
tile.kernel @scalar_log(%g: !tile.global<?xf32>, %x: f32, %o: i64) {
  %l = math.log %x : f32
  tile.store_scalar %l, %g[%o] : f32 to !tile.global<?xf32>
  tile.return
}

// The difference leaves nothing near 0: a polynomial there.
// CHECK-LABEL: tile.kernel @tanh
// CHECK: %[[SIZE:.*]] = math.absf %arg1 : f32
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: %[[TWO_LOG2E:.*]] = arith.constant 2.885390{{.*}} : f32
// CHECK: %[[SCALED:.*]] = arith.mulf %[[SIZE]], %[[TWO_LOG2E]]
// CHECK: %[[POWER:.*]] = math.exp2 %[[SCALED]]
// CHECK: %[[SUM:.*]] = arith.addf %[[POWER]], %[[ONE]]
// CHECK: %[[RECIPROCAL:.*]] = arith.divf %[[ONE]], %[[SUM]] fastmath<arcp>
// CHECK: %[[LARGE:.*]] = math.fma %[[RECIPROCAL]], %{{.*}}, %[[ONE]]
// CHECK: %[[SIGNED:.*]] = math.copysign %[[LARGE]], %arg1
// CHECK: %[[SMALL:.*]] = math.fma %{{.*}}, %{{.*}}, %arg1 : f32
// CHECK: %[[NEAR:.*]] = arith.cmpf olt, %[[SIZE]], %{{.*}} : f32
// CHECK: arith.select %[[NEAR]], %[[SMALL]], %[[SIGNED]]
tile.kernel @tanh(%g: !tile.global<?xf32>, %x: f32, %o: i64) {
  %t = math.tanh %x : f32
  tile.store_scalar %t, %g[%o] : f32 to !tile.global<?xf32>
  tile.return
}

// The cosine is a quarter turn ahead of the sine. Narrower types are computed in f32.
// CHECK-LABEL: tile.kernel @turns
// CHECK: %[[QUARTERS:.*]] = arith.subf %[[SHIFTED:.*]], %{{.*}} : tensor<64xf32>
// CHECK: %[[BITS:.*]] = arith.bitcast %[[SHIFTED]] : tensor<64xf32> to tensor<64xi32>
// CHECK-NOT: arith.addi
// CHECK: %[[S:.*]] = arith.select %{{.*}} : tensor<64xi1>, tensor<64xf32>
// CHECK: %[[N:.*]] = arith.negf %[[S]]
// CHECK: arith.select %{{.*}}, %[[N]], %[[S]]
// CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<64xbf16> to tensor<64xf32>
// CHECK: math.fma %[[WIDE]]
// CHECK: arith.addi %{{.*}}, %{{.*}} : tensor<64xi32>
// CHECK: arith.truncf %{{.*}} : tensor<64xf32> to tensor<64xbf16>
// CHECK-NOT: math.sin
// CHECK-NOT: math.cos
tile.kernel @turns(%g: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  %s = math.sin %x : tensor<64xf32>
  %h = arith.truncf %x : tensor<64xf32> to tensor<64xbf16>
  %c = math.cos %h : tensor<64xbf16>
  %cw = arith.extf %c : tensor<64xbf16> to tensor<64xf32>
  %r = arith.addf %s, %cw : tensor<64xf32>
  tile.store %r, %w : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}

// CHECK-LABEL: tile.kernel @divide
// CHECK: %[[ROW:.*]] = arith.divf %{{.*}}, %{{.*}} : tensor<64xf32>
// CHECK: %[[FACTORS:.*]] = tile.broadcast %[[ROW]]
// CHECK: arith.mulf %[[X:.*]], %[[FACTORS]] : tensor<64x32xf32>
// Without the author's permission a division rounds once.
// CHECK: arith.divf %[[X]], %{{.*}} : tensor<64x32xf32>
tile.kernel @divide(%g: !tile.global<?x32xf32>, %s: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<64x32xf32>
  %v = tile.window %s[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64x32xf32> to tensor<64x32xf32>
  %r = tile.load %v : !tile.window<64xf32> to tensor<64xf32>
  %b = tile.broadcast %r dims = [0] : tensor<64xf32> to tensor<64x32xf32>
  %q = arith.divf %x, %b fastmath<arcp> : tensor<64x32xf32>
  %p = arith.divf %x, %b : tensor<64x32xf32>
  tile.store %q, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.store %p, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.return
}

// The divisor's broadcast goes with its last use.
// CHECK-LABEL: tile.kernel @divide_once
// CHECK-COUNT-1: tile.broadcast
// CHECK-NOT: tile.broadcast
tile.kernel @divide_once(%g: !tile.global<?x32xf32>, %s: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<64x32xf32>
  %v = tile.window %s[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64x32xf32> to tensor<64x32xf32>
  %r = tile.load %v : !tile.window<64xf32> to tensor<64xf32>
  %b = tile.broadcast %r dims = [0] : tensor<64xf32> to tensor<64x32xf32>
  %q = arith.divf %x, %b fastmath<arcp> : tensor<64x32xf32>
  tile.store %q, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.return
}

// The maximum is taken over what is not scaled; the mask too.
// CHECK-LABEL: tile.kernel @scale
// CHECK: %[[C:.*]] = arith.mulf %arg1, %{{.*}} : f32
// CHECK: %[[CS:.*]] = tile.broadcast %[[C]] dims = [] : f32 to tensor<64x32xf32>
// CHECK: %[[PLAIN:.*]] = arith.select %{{.*}}, %[[X:.*]], %{{.*}} : tensor<64x32xi1>, tensor<64x32xf32>
// CHECK: %[[SCALED:.*]] = arith.mulf %[[PLAIN]], %[[CS]]
// CHECK: %[[CROWS:.*]] = tile.broadcast %[[C]] dims = [] : f32 to tensor<64xf32>
// CHECK: %[[MAX:.*]] = tile.reduce{{ +}}max %[[PLAIN]]
// CHECK: %[[M:.*]] = arith.mulf %[[MAX]], %[[CROWS]]
// CHECK: %[[MS:.*]] = tile.broadcast %[[M]]
// CHECK: %[[D:.*]] = arith.subf %[[SCALED]], %[[MS]]
// CHECK: math.exp2 %[[D]]
tile.kernel @scale(%g: !tile.global<?x32xf32>, %s: f32, %f: !tile.global<?x32xi1>, %o: i64) attributes {
    tile.launch = {params = [{name = "g"}, {name = "s", positive}, {name = "f"}, {name = "o"}]}} {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x32xf32> to !tile.window<64x32xf32>
  %v = tile.window %f[%o, %o] dims = [0, 1] : !tile.global<?x32xi1> to !tile.window<64x32xi1>
  %x = tile.load %w : !tile.window<64x32xf32> to tensor<64x32xf32>
  %keep = tile.load %v : !tile.window<64x32xi1> to tensor<64x32xi1>
  %log2e = arith.constant 1.44269504 : f32
  %c = arith.mulf %s, %log2e : f32
  %cs = tile.broadcast %c dims = [] : f32 to tensor<64x32xf32>
  %scaled = arith.mulf %x, %cs : tensor<64x32xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x32xf32>
  %masked = arith.select %keep, %scaled, %fill : tensor<64x32xi1>, tensor<64x32xf32>
  %m = tile.reduce max %masked axis = 1 : tensor<64x32xf32> to tensor<64xf32>
  %ms = tile.broadcast %m dims = [0] : tensor<64xf32> to tensor<64x32xf32>
  %d = arith.subf %masked, %ms : tensor<64x32xf32>
  %e = math.exp2 %d : tensor<64x32xf32>
  tile.store %e, %w : tensor<64x32xf32> to !tile.window<64x32xf32>
  tile.return
}

// Not positive; positive, but half of the least normal number is flushed to 0; a maximum of fewer.
// CHECK-LABEL: tile.kernel @no_scale
// CHECK: %[[A:.*]] = arith.mulf %[[X:.*]], %{{.*}} : tensor<64xf32>
// CHECK: tile.reduce{{ +}}max %[[A]]
// CHECK: %[[B:.*]] = arith.mulf %[[X]], %{{.*}} : tensor<64xf32>
// CHECK: tile.reduce{{ +}}max %[[B]]
// CHECK: %[[C:.*]] = arith.mulf %[[X]], %{{.*}} : tensor<64xf32>
// CHECK: tile.reduce{{ +}}sum %[[C]]
tile.kernel @no_scale(%g: !tile.global<?xf32>, %r: f32, %s: f32, %o: i64) attributes {
    tile.launch = {params = [{name = "g"}, {name = "r"}, {name = "s", positive}, {name = "o"}]}} {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64xf32> to tensor<64xf32>
  %rs = tile.broadcast %r dims = [] : f32 to tensor<64xf32>
  %a = arith.mulf %x, %rs : tensor<64xf32>
  %am = tile.reduce max %a axis = 0 : tensor<64xf32> to f32
  %half = arith.constant 0.5 : f32
  %h = arith.mulf %s, %half : f32
  %hs = tile.broadcast %h dims = [] : f32 to tensor<64xf32>
  %b = arith.mulf %x, %hs : tensor<64xf32>
  %bm = tile.reduce max %b axis = 0 : tensor<64xf32> to f32
  %ss = tile.broadcast %s dims = [] : f32 to tensor<64xf32>
  %c = arith.mulf %x, %ss : tensor<64xf32>
  %cm = tile.reduce sum %c axis = 0 : tensor<64xf32> to f32
  tile.store_scalar %am, %g[%o] : f32 to !tile.global<?xf32>
  tile.store_scalar %bm, %g[%o] : f32 to !tile.global<?xf32>
  tile.store_scalar %cm, %g[%o] : f32 to !tile.global<?xf32>
  tile.return
}
