// RUN: tile-opt %s -tile-assign-layouts -tile-optimize-conversions -convert-tile-to-pipe -pipe-schedule -pipe-expand -canonicalize | FileCheck %s

#launch = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "64"], aligned}]}
#listed = {dims = ["n", "most"], params = [
  {name = "q", kind = "tensor", access = "in", dtype = "bf16", extents = ["M", "64"], aligned},
  {name = "k", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "v", kind = "tensor", access = "in", dtype = "bf16", extents = ["n", "64"], aligned},
  {name = "scale", kind = "tensor", access = "in", dtype = "f32", extents = ["n"], aligned},
  {name = "list", kind = "tensor", access = "in", dtype = "i32", extents = ["most"]},
  {name = "o", kind = "tensor", access = "out", dtype = "f32", extents = ["M", "64"], aligned}]}

// Three iterations beside each other, under tests for one and for two trips. The producer loads in the order in which
// the consumers wait: K of 0 and 1, then V two iterations behind K.
// CHECK-LABEL: tile.kernel @softmax
// CHECK-SAME: %{{[a-z0-9]+}}: {{[^,]*}}, {{[^%]*}}%[[KEYS:[a-z0-9]+]]: {{[^%]*}}%[[VALUES:[a-z0-9]+]]: !tile
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant dense<-1.0
// CHECK: %[[TRIPS:.*]] = tile.dim "most"
// CHECK: %[[Q:.*]] = pipe.channel {thread_readers}
// CHECK-NEXT: %[[K:.*]] = pipe.channel : {{.*}}, 3>
// CHECK-NEXT: %[[V:.*]] = pipe.channel : {{.*}}, 3>
// CHECK-NEXT: %[[AT:.*]] = pipe.cursor
// CHECK: producer {
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[TRIPS]], %c0
// CHECK-NEXT: scf.if %[[SOME]] {
// CHECK-NEXT: %[[KW:.*]] = tile.window %[[KEYS]][%c0_i64, %c0
// CHECK-NEXT: %[[VW:.*]] = tile.window %[[VALUES]][%c0_i64, %c0
// CHECK-NEXT: pipe.acquire %[[K]][%[[AT]]]
// CHECK-NEXT: pipe.load %[[KW]], %[[K]][%[[AT]]]
// CHECK-NEXT: pipe.commit %[[K]][%[[AT]]]
// CHECK-NEXT: %[[AT1:.*]] = pipe.advance %[[K]][%[[AT]]]
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi sgt, %[[TRIPS]], %c1
// CHECK-NEXT: scf.if %[[MORE]] {
// CHECK-NEXT: %[[KW:.*]] = tile.window %[[KEYS]][%c64_i64, %c0
// CHECK-NEXT: pipe.acquire %[[K]][%[[AT1]]]
// CHECK-NEXT: pipe.load %[[KW]], %[[K]][%[[AT1]]]
// CHECK-NEXT: pipe.commit %[[K]][%[[AT1]]]
// CHECK-NEXT: %[[AT2:.*]] = pipe.advance %[[K]][%[[AT1]]]
// CHECK-NEXT: %[[P:.*]]:5 = scf.for %[[I:.*]] = %c2{{.*}} to %[[TRIPS]] step %c1{{.*}} iter_args(%[[CUR:.*]] = %[[AT2]], %[[MID:.*]] = %[[AT1]], %[[IMID:.*]] = %c1{{[^,]*}}, %[[OLD:.*]] = %[[AT]], %[[IOLD:.*]] = %c0{{[^,]*}}) -> (!pipe.cursor, !pipe.cursor, i64, !pipe.cursor, i64)
// CHECK-NEXT: pipe.acquire %[[V]][%[[OLD]]]
// CHECK-NEXT: %[[VROW:.*]] = arith.muli %[[IOLD]], %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[VALUES]][%[[VROW]], %c0
// CHECK-NEXT: pipe.load %[[W]], %[[V]][%[[OLD]]]
// CHECK-NEXT: pipe.commit %[[V]][%[[OLD]]]
// CHECK-NEXT: %[[KROW:.*]] = arith.muli %[[I]], %c64
// CHECK-NEXT: %[[KW:.*]] = tile.window %[[KEYS]][%[[KROW]], %c0
// CHECK-NEXT: pipe.acquire %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.load %[[KW]], %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.commit %[[K]][%[[CUR]]]
// CHECK-NEXT: %[[NEXT:.*]] = pipe.advance %[[K]][%[[CUR]]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[CUR]], %[[I]], %[[MID]], %[[IMID]]
// CHECK-NEXT: } {pipe.ahead = 0 : i64}
// CHECK-NEXT: pipe.acquire %[[V]][%[[P]]#3]
// CHECK-NEXT: %[[VROW:.*]] = arith.muli %[[P]]#4, %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[VALUES]][%[[VROW]], %c0
// CHECK-NEXT: pipe.load %[[W]], %[[V]][%[[P]]#3]
// CHECK-NEXT: pipe.commit %[[V]][%[[P]]#3]
// CHECK-NEXT: pipe.acquire %[[V]][%[[P]]#1]
// CHECK-NEXT: %[[VROW:.*]] = arith.muli %[[P]]#2, %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[VALUES]][%[[VROW]], %c0
// CHECK-NEXT: pipe.load %[[W]], %[[V]][%[[P]]#1]
// CHECK-NEXT: pipe.commit %[[V]][%[[P]]#1]
// CHECK-NEXT: } else {
// CHECK-NEXT: pipe.acquire %[[V]][%[[AT]]]
// CHECK-NEXT: pipe.load %[[VW]], %[[V]][%[[AT]]]
// CHECK-NEXT: pipe.commit %[[V]][%[[AT]]]
// CHECK-NEXT: }
// The consumers: Q * K of 0, then of 1 over the elementwise work of 0.
// CHECK: consumer {
// CHECK: %[[SOME:.*]] = arith.cmpi sgt, %[[TRIPS]], %c0
// CHECK-NEXT: scf.if %[[SOME]]
// CHECK-NEXT: pipe.wait %[[K]][%[[AT]]]
// CHECK-NEXT: %[[F0:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK-NEXT: %[[AT1:.*]] = pipe.advance %[[K]][%[[AT]]]
// CHECK-NEXT: %[[S0:.*]] = pipe.mma_wait %[[F0]] pending 0
// CHECK-NEXT: pipe.release %[[K]][%[[AT]]]
// CHECK-NEXT: %[[MORE:.*]] = arith.cmpi sgt, %[[TRIPS]], %c1
// CHECK-NEXT: scf.if %[[MORE]]
// CHECK-NEXT: pipe.wait %[[K]][%[[AT1]]]
// CHECK-NEXT: %[[F1:.*]] = pipe.mma {{.*}} {transpose_b}
// CHECK-NEXT: %[[AT2:.*]] = pipe.advance %[[K]][%[[AT1]]]
// CHECK-NEXT: %[[MOST:.*]] = tile.reduce max %[[S0]]
// CHECK-NEXT: %[[MAX0:.*]] = arith.maximumf %[[MOST]], %[[LOWEST]]
// CHECK: pipe.order %[[MAX0]]
// CHECK-NEXT: %[[P0:.*]] = arith.truncf
// CHECK-NEXT: %[[O0:.*]] = arith.mulf %{{.*}}, %[[ZERO]]
// CHECK-NEXT: %[[S1:.*]] = pipe.mma_wait %[[F1]] pending 0
// CHECK-NEXT: pipe.release %[[K]][%[[AT1]]]
// The steady state.
// CHECK-NEXT: %[[R:.*]]:7 = scf.for %{{.*}} = %c2{{.*}} to %[[TRIPS]] step %c1{{.*}} iter_args(%[[MAX:.*]] = %[[MAX0]], %[[CUR:.*]] = %[[AT2]], %[[S:.*]] = %[[S1]], %[[MID:.*]] = %[[AT1]], %[[OLD:.*]] = %[[AT]], %[[P:.*]] = %[[P0]], %[[O:.*]] = %[[O0]])
// CHECK-NEXT: %[[VS:.*]] = pipe.wait %[[V]][%[[OLD]]]
// CHECK-NEXT: %[[OF:.*]] = pipe.mma %[[P]], %[[VS]], %[[O]] :
// CHECK-NEXT: %[[KS:.*]] = pipe.wait %[[K]][%[[CUR]]]
// CHECK-NEXT: %[[SF:.*]] = pipe.mma %{{.*}}, %[[KS]], %[[ZERO]] {transpose_b}
// CHECK-NEXT: %[[NEXT:.*]] = pipe.advance %[[K]][%[[CUR]]]
// CHECK-NEXT: %[[MOST:.*]] = tile.reduce max %[[S]]
// CHECK-NEXT: %[[NEWMAX:.*]] = arith.maximumf %[[MAX]], %[[MOST]]
// CHECK: math.exp2 %{{.*}} : tensor<128x64xf32
// CHECK: pipe.order %[[NEWMAX]]
// CHECK-NEXT: %[[DONE:.*]] = pipe.mma_wait %[[OF]] pending 1
// CHECK-NEXT: pipe.release %[[V]][%[[OLD]]]
// CHECK-NEXT: %[[NEXTP:.*]] = arith.truncf
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[DONE]],
// CHECK-NEXT: %[[NEXTS:.*]] = pipe.mma_wait %[[SF]] pending 0
// CHECK-NEXT: pipe.release %[[K]][%[[CUR]]]
// CHECK-NEXT: scf.yield %[[NEWMAX]], %[[NEXT]], %[[NEXTS]], %[[CUR]], %[[MID]], %[[NEXTP]], %[[SCALED]]
// CHECK-NEXT: } {pipe.ahead = 0 : i64
// The tails: P * V of the last iteration but one over the last elementwise work, then the last P * V.
// CHECK-NEXT: %[[VS:.*]] = pipe.wait %[[V]][%[[R]]#4]
// CHECK-NEXT: %[[OF:.*]] = pipe.mma %[[R]]#5, %[[VS]], %[[R]]#6
// CHECK-NEXT: tile.reduce max %[[R]]#2
// CHECK-NEXT: %[[MAX:.*]] = arith.maximumf %[[R]]#0,
// CHECK: pipe.order %[[MAX]]
// CHECK-NEXT: %[[DONE:.*]] = pipe.mma_wait %[[OF]] pending 0
// CHECK-NEXT: pipe.release %[[V]][%[[R]]#4]
// CHECK-NEXT: %[[LASTP:.*]] = arith.truncf
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[DONE]],
// CHECK-NEXT: %[[VS:.*]] = pipe.wait %[[V]][%[[R]]#3]
// CHECK-NEXT: %[[OF:.*]] = pipe.mma %[[LASTP]], %[[VS]], %[[SCALED]]
// CHECK-NEXT: %[[DONE:.*]] = pipe.mma_wait %[[OF]] pending 0
// CHECK-NEXT: pipe.release %[[V]][%[[R]]#3]
// CHECK-NEXT: scf.yield %[[DONE]]
// One trip: nothing to order its work against.
// CHECK-NEXT: } else {
// CHECK-NEXT: tile.reduce max %[[S0]]
// CHECK-NOT: pipe.order
// CHECK: %[[ONLYP:.*]] = arith.truncf
// CHECK: %[[VS:.*]] = pipe.wait %[[V]][%[[AT]]]
// CHECK-NEXT: %[[OF:.*]] = pipe.mma %[[ONLYP]], %[[VS]]
// CHECK-NEXT: %[[DONE:.*]] = pipe.mma_wait %[[OF]] pending 0
// CHECK-NEXT: pipe.release %[[V]][%[[AT]]]
// CHECK-NEXT: scf.yield %[[DONE]]
// No trip.
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ZERO]]
tile.kernel @softmax(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                     %o: !tile.global<128x64xf32>) attributes {tile.launch = #launch} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zs = arith.constant dense<0.0> : tensor<128x64xf32>
  %zo = arith.constant dense<0.0> : tensor<128x64xf32>
  %lowest = arith.constant dense<-1.0e30> : tensor<128xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<128x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  tile.copy %qw, %qs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r:2 = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zo, %max = %lowest)
      -> (tensor<128x64xf32>, tensor<128xf32>) : i64 {
    %row = arith.muli %i, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zs {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    %most = tile.reduce max %s axis = 1 : tensor<128x64xf32> to tensor<128xf32>
    %newmax = arith.maximumf %max, %most : tensor<128xf32>
    %fall = arith.subf %max, %newmax : tensor<128xf32>
    %decay = math.exp2 %fall : tensor<128xf32>
    %wide = tile.broadcast %newmax dims = [0] : tensor<128xf32> to tensor<128x64xf32>
    %below = arith.subf %s, %wide : tensor<128x64xf32>
    %e = math.exp2 %below : tensor<128x64xf32>
    %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xbf16>
    %factor = tile.broadcast %decay dims = [0] : tensor<128xf32> to tensor<128x64xf32>
    %scaled = arith.mulf %acc, %factor : tensor<128x64xf32>
    %next = tile.gemm %p, %vs, %scaled : tensor<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    scf.yield %next, %newmax : tensor<128x64xf32>, tensor<128xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r#0, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}

// A list's entry is carried for two trips, the window that follows from it is made anew in each stage. The scales
// beside K belong to the elementwise work: their ring is filled one trip behind K and one in front of V.
// CHECK-LABEL: tile.kernel @listed
// CHECK-SAME: %{{[a-z0-9]+}}: {{[^%]*}}%[[KEYS:[a-z0-9]+]]: {{[^%]*}}%[[VALUES:[a-z0-9]+]]: {{[^%]*}}%[[SCALES:[a-z0-9]+]]: {{[^%]*}}%[[LIST:[a-z0-9]+]]: !tile
// CHECK: pipe.channel {thread_readers}
// CHECK-NEXT: %[[K:.*]] = pipe.channel : {{.*}}, 3>
// CHECK-NEXT: %[[C:.*]] = pipe.channel {thread_readers} : <!tile.shared<64xf32, {{.*}}>, 3>
// CHECK-NEXT: %[[V:.*]] = pipe.channel : {{.*}}, 3>
// CHECK-NEXT: %[[AT:.*]] = pipe.cursor
// CHECK: producer {
// CHECK: %[[ENTRY0:.*]] = tile.load_scalar %[[LIST]][%c0
// CHECK: pipe.load %{{.*}}, %[[K]][%[[AT]]]
// CHECK: %[[AT1:.*]] = pipe.advance %[[K]][%[[AT]]]
// CHECK: scf.if
// CHECK: pipe.load %{{.*}}, %[[C]][%[[AT]]]
// CHECK: %[[ENTRY1:.*]] = tile.load_scalar %[[LIST]][%c1
// CHECK: pipe.load %{{.*}}, %[[K]][%[[AT1]]]
// CHECK: scf.for %[[I:.*]] = %c2{{.*}} iter_args(%[[CUR:.*]] = %{{.*}}, %[[MID:.*]] = %[[AT1]], %[[ENTRYMID:.*]] = %[[ENTRY1]], %[[OLD:.*]] = %[[AT]], %[[ENTRYOLD:.*]] = %[[ENTRY0]]) -> (!pipe.cursor, !pipe.cursor, i32, !pipe.cursor, i32)
// CHECK-NEXT: pipe.acquire %[[V]][%[[OLD]]]
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[ENTRYOLD]]
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[WIDE]], %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[VALUES]][%[[ROW]], %c0
// CHECK-NEXT: pipe.load %[[W]], %[[V]][%[[OLD]]]
// CHECK-NEXT: pipe.commit %[[V]][%[[OLD]]]
// CHECK-NEXT: pipe.acquire %[[C]][%[[MID]]]
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[ENTRYMID]]
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[WIDE]], %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[SCALES]][%[[ROW]]]
// CHECK-NEXT: pipe.load %[[W]], %[[C]][%[[MID]]]
// CHECK-NEXT: pipe.commit %[[C]][%[[MID]]]
// CHECK-NEXT: %[[ENTRY:.*]] = tile.load_scalar %[[LIST]][%[[I]]]
// CHECK-NEXT: %[[WIDE:.*]] = arith.extsi %[[ENTRY]]
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[WIDE]], %c64
// CHECK-NEXT: %[[W:.*]] = tile.window %[[KEYS]][%[[ROW]], %c0
// CHECK-NEXT: pipe.acquire %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.load %[[W]], %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.commit %[[K]][%[[CUR]]]
// CHECK-NEXT: %[[NEXT:.*]] = pipe.advance %[[K]][%[[CUR]]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[CUR]], %[[ENTRY]], %[[MID]], %[[ENTRYMID]]
// CHECK: pipe.load %{{.*}}, %[[V]]
// CHECK: pipe.load %{{.*}}, %[[C]]
// CHECK: pipe.load %{{.*}}, %[[V]]
// CHECK: } else {
// CHECK: pipe.load %{{.*}}, %[[C]][%[[AT]]]
// CHECK: pipe.load %{{.*}}, %[[V]][%[[AT]]]
// CHECK: consumer {
// CHECK: scf.for {{.*}} iter_args(%[[CUR:.*]] = %{{.*}}, %[[MID:.*]] = %{{.*}}, %[[S:.*]] = %{{.*}}, %[[OLD:.*]] = %{{.*}}, %[[P:.*]] = %{{.*}}, %[[O:.*]] = %{{[^)]*}})
// CHECK-NEXT: pipe.wait %[[V]][%[[OLD]]]
// CHECK-NEXT: pipe.mma %[[P]], %{{.*}}, %[[O]]
// CHECK-NEXT: pipe.wait %[[K]][%[[CUR]]]
// CHECK-NEXT: pipe.mma {{.*}} {transpose_b}
// CHECK-NEXT: pipe.advance
// CHECK-NEXT: %[[CS:.*]] = pipe.wait %[[C]][%[[MID]]]
// CHECK-NEXT: tile.load %[[CS]]
// CHECK-NEXT: pipe.release %[[C]][%[[MID]]]
// CHECK-NEXT: tile.broadcast
// CHECK-NEXT: arith.mulf %[[S]],
// No row statistic, no order.
// CHECK-NEXT: pipe.mma_wait {{.*}} pending 1
// CHECK-NEXT: pipe.release %[[V]][%[[OLD]]]
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: pipe.mma_wait {{.*}} pending 0
// CHECK-NEXT: pipe.release %[[K]][%[[CUR]]]
// CHECK-NEXT: scf.yield
tile.kernel @listed(%q: !tile.global<128x64xbf16>, %k: !tile.global<?x64xbf16>, %v: !tile.global<?x64xbf16>,
                    %scale: !tile.global<?xf32>, %list: !tile.global<?xi32>,
                     %o: !tile.global<128x64xf32>) attributes {tile.launch = #listed} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %rows = arith.constant 64 : i64
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %trips = tile.dim "most"
  %qs = tile.alloc_shared : !tile.shared<128x64xbf16>
  %qw = tile.window %q[%c0, %c0] dims = [0, 1] : !tile.global<128x64xbf16> to !tile.window<128x64xbf16>
  tile.copy %qw, %qs : !tile.window<128x64xbf16> to !tile.shared<128x64xbf16>
  %r = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> (tensor<128x64xf32>) : i64 {
    %block = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %wide = arith.extsi %block : i32 to i64
    %row = arith.muli %wide, %rows : i64
    %ks = tile.alloc_shared : !tile.shared<64x64xbf16>
    %cs = tile.alloc_shared : !tile.shared<64xf32>
    %vs = tile.alloc_shared : !tile.shared<64x64xbf16>
    %kw = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    %cw = tile.window %scale[%row] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
    %vw = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x64xbf16> to !tile.window<64x64xbf16>
    tile.copy %kw, %ks : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    tile.copy %cw, %cs : !tile.window<64xf32> to !tile.shared<64xf32>
    tile.copy %vw, %vs : !tile.window<64x64xbf16> to !tile.shared<64x64xbf16>
    %s = tile.gemm %qs, %ks, %zero {transpose_b} : !tile.shared<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    %c = tile.load %cs : !tile.shared<64xf32> to tensor<64xf32>
    %factor = tile.broadcast %c dims = [1] : tensor<64xf32> to tensor<128x64xf32>
    %e = arith.mulf %s, %factor : tensor<128x64xf32>
    %p = arith.truncf %e : tensor<128x64xf32> to tensor<128x64xbf16>
    %next = tile.gemm %p, %vs, %acc : tensor<128x64xbf16>, !tile.shared<64x64xbf16>, tensor<128x64xf32>
    scf.yield %next : tensor<128x64xf32>
  } {tile.pipeline = #tile.pipeline<stages = 3>}
  %ow = tile.window %o[%c0, %c0] dims = [0, 1] : !tile.global<128x64xf32> to !tile.window<128x64xf32>
  tile.store %r, %ow : tensor<128x64xf32> to !tile.window<128x64xf32>
  tile.return
}
