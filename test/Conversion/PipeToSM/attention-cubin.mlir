// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse -sm-to-llvm -print-cubin-report -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse -sm-to-llvm | tile-opt -print-ptx -o /dev/null 2>&1 | FileCheck %s --check-prefix=PTX
// REQUIRES: ptxas

// The main loop of attention, by hand: two warpgroups in turns, S of this block and O of the block before
// in flight together. 384 threads are launched with 168 registers; ptxas has nothing to say.
// CHECK: attention: 168 registers, {{[0-9]+}} barriers, 0 bytes stack, 0/0 bytes spilled, 0 notices

#acc = #tile.frag<reg = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = [[16, 0], [32, 0]], repeat = [[1, 16]], warps = [[0, 2]]>
#row = #tile.frag<reg = [[8]], lane = [[0], [0], [1], [2], [4]], warp = [[16], [32]], repeat = [], warps = [[0, 2]]>
!tile128 = !tile.shared<128x128xbf16, #tile.swizzle<128>>
!ring = !pipe.channel<!tile128, 2>
!one = !pipe.channel<!tile128, 1>
!scores = tensor<128x128xf32, #acc>
!weights = tensor<128x128xbf16, #acc>
!flying = !pipe.inflight<!scores>

tile.kernel @attention(%q: !tile.global<?x128xbf16>, %k: !tile.global<?x128xbf16>, %v: !tile.global<?x128xbf16>,
                       %o: !tile.global<?x128xf32>, %n: i64) attributes {
    tile.num_warps = 8 : i64, tile.producer_warps = 4 : i64, tile.shared_bytes = 163920 : i64,
    tile.launch = {dims = [], maps = [{param = 0 : i64, box = [128, 64], swizzle = 128 : i64},
                                      {param = 1 : i64, box = [128, 64], swizzle = 128 : i64},
                                      {param = 2 : i64, box = [128, 64], swizzle = 128 : i64}]}} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  %none = arith.constant dense<0.0> : !scores
  %least = arith.constant dense<0xFF800000> : tensor<128xf32, #row>
  %id = tile.program_id
  %first = arith.muli %id, %c128 : i64
  %wq = tile.window %q[%first, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<128x128xbf16>
  %wo = tile.window %o[%first, %c0] dims = [0, 1] : !tile.global<?x128xf32> to !tile.window<128x128xf32>
  %cq = pipe.channel {offset = 0 : i64, barriers = 163840 : i64} : !one
  %ck = pipe.channel {offset = 32768 : i64, barriers = 163856 : i64} : !ring
  %cv = pipe.channel {offset = 98304 : i64, barriers = 163888 : i64} : !ring
  %start = pipe.cursor
  pipe.specialize producer {
    pipe.acquire %cq[%start] bytes 32768 : !one
    pipe.load %wq, %cq[%start] map 0 : !tile.window<128x128xbf16> to !one
    pipe.commit %cq[%start] : !one
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%c = %start) -> !pipe.cursor : i64 {
      %row = arith.muli %i, %c128 : i64
      %wk = tile.window %k[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<128x128xbf16>
      pipe.acquire %ck[%c] bytes 32768 : !ring
      pipe.load %wk, %ck[%c] map 1 : !tile.window<128x128xbf16> to !ring
      pipe.commit %ck[%c] : !ring
      %wv = tile.window %v[%row, %c0] dims = [0, 1] : !tile.global<?x128xbf16> to !tile.window<128x128xbf16>
      pipe.acquire %cv[%c] bytes 32768 : !ring
      pipe.load %wv, %cv[%c] map 2 : !tile.window<128x128xbf16> to !ring
      pipe.commit %cv[%c] : !ring
      %next = pipe.advance %ck[%c] : !ring
      scf.yield %next : !pipe.cursor
    }
  } consumer {
    %sq = pipe.wait %cq[%start] : !one -> !tile128
    %sk = pipe.wait %ck[%start] : !ring -> !tile128
    %f = pipe.mma %sq, %sk, %none {transpose_b} : !tile128, !tile128, !scores -> !flying
    %s = pipe.mma_wait %f pending 0 : !flying -> !scores
    pipe.release %ck[%start] : !ring
    %second = pipe.advance %ck[%start] : !ring
    %p = arith.truncf %s : !scores to !weights
    %r:5 = scf.for %i = %c1 to %n step %c1 iter_args(%m = %least, %acc = %none, %pb = %p, %kc = %second, %vc = %start)
        -> (tensor<128xf32, #row>, !scores, !weights, !pipe.cursor, !pipe.cursor) : i64 {
      pipe.turn_wait
      %kt = pipe.wait %ck[%kc] : !ring -> !tile128
      %sf = pipe.mma %sq, %kt, %none {transpose_b} : !tile128, !tile128, !scores -> !flying
      %vt = pipe.wait %cv[%vc] : !ring -> !tile128
      %of = pipe.mma %pb, %vt, %acc : !weights, !tile128, !scores -> !flying
      pipe.turn_pass
      %sd = pipe.mma_wait %sf pending 1 : !flying -> !scores
      pipe.release %ck[%kc] : !ring
      %max = tile.reduce max %sd axis = 1 : !scores to tensor<128xf32, #row>
      %m2 = arith.maxnumf %m, %max : tensor<128xf32, #row>
      %mb = tile.broadcast %m2 dims = [0] : tensor<128xf32, #row> to !scores
      %x = arith.subf %sd, %mb : !scores
      %e = math.exp2 %x : !scores
      %d = arith.subf %m, %m2 : tensor<128xf32, #row>
      %factor = math.exp2 %d : tensor<128xf32, #row>
      %fb = tile.broadcast %factor dims = [0] : tensor<128xf32, #row> to !scores
      %od = pipe.mma_wait %of pending 0 : !flying -> !scores
      pipe.release %cv[%vc] : !ring
      %o2 = arith.mulf %od, %fb : !scores
      %pn = arith.truncf %e : !scores to !weights
      %kn = pipe.advance %ck[%kc] : !ring
      %vn = pipe.advance %cv[%vc] : !ring
      scf.yield %m2, %o2, %pn, %kn, %vn : tensor<128xf32, #row>, !scores, !weights, !pipe.cursor, !pipe.cursor
    }
    %vl = pipe.wait %cv[%r#4] : !ring -> !tile128
    %last = pipe.mma %r#2, %vl, %r#1 : !weights, !tile128, !scores -> !flying
    %done = pipe.mma_wait %last pending 0 : !flying -> !scores
    pipe.release %cv[%r#4] : !ring
    pipe.release %cq[%start] : !one
    tile.store %done, %wo : !scores to !tile.window<128x128xf32>
  }
  tile.return
}

// PTX: .reqntid 384
// PTX: .minnctapersm 1
// PTX: bar.sync 0
// PTX: setmaxnreg.dec.sync.aligned.u32 24
// PTX: elect.sync
// PTX: setmaxnreg.inc.sync.aligned.u32 240
