// RUN: tile-opt %s -convert-tile-to-sm -canonicalize -cse | FileCheck %s

// Two warpgroups of consumers: 24 + 2 * 240 of the 3 * 168 registers that a CTA is launched with. The
// first warpgroup starts with the turn: it arrives at its own barrier.
// CHECK-LABEL: func.func @two_groups
// CHECK: %[[WARP:.*]] = sm.warp_id
// CHECK: sm.fence_barrier_init
// CHECK: sm.barrier{{$}}
// CHECK: %[[PRODUCER:.*]] = arith.cmpi uge, %[[WARP]], %c8_i32
// CHECK: scf.if %[[PRODUCER]] {
// CHECK-NEXT: sm.set_registers decrease 24
// CHECK-NEXT: %[[FIRST:.*]] = arith.cmpi eq, %[[WARP]], %c8_i32
// CHECK-NEXT: scf.if %[[FIRST]] {
// CHECK-NEXT: %[[ELECTED:.*]] = sm.elect
// CHECK-NEXT: scf.if %[[ELECTED]] {
// CHECK: sm.store_global
// CHECK: } else {
// CHECK-NEXT: sm.set_registers increase 240
// CHECK-NEXT: %[[GROUP0:.*]] = arith.cmpi ult, %[[WARP]], %c4_i32
// CHECK-NEXT: scf.if %[[GROUP0]] {
// CHECK: sm.named_barrier %{{.*}}, %c256_i32 {arrive}
// CHECK: }
// CHECK: %[[GROUP:.*]] = arith.shrui %[[WARP]], %c2_i32
// CHECK: %[[MINE:.*]] = arith.addi %[[GROUP]], %c2_i32
// CHECK: sm.named_barrier %[[MINE]], %c256_i32{{$}}
// CHECK: %[[BEHIND:.*]] = arith.addi %[[GROUP]], %c1_i32
// CHECK: %[[LAST:.*]] = arith.cmpi eq, %[[BEHIND]], %c2_i32
// CHECK: %[[NEXT:.*]] = arith.select %[[LAST]], %c0_i32, %[[BEHIND]]
// CHECK: %[[NEXTS:.*]] = arith.addi %[[NEXT]], %c2_i32
// CHECK: sm.named_barrier %[[NEXTS]], %c256_i32 {arrive}
// CHECK: sm.named_barrier %c1_i32, %c256_i32{{$}}
tile.kernel @two_groups(%x: !tile.global<?xi64>, %n: i64) attributes {tile.num_warps = 8 : i64, tile.producer_warps = 4 : i64} {
  pipe.specialize producer {
    tile.store_scalar %n, %x[%n] : i64 to !tile.global<?xi64>
  } consumer {
    pipe.turn_wait
    pipe.turn_pass
    pipe.role_barrier
  }
  tile.return
}

// CHECK-LABEL: func.func @three_groups
// CHECK: sm.set_registers decrease 32
// CHECK: sm.set_registers increase 160
// CHECK: sm.named_barrier %c1_i32, %c384_i32
tile.kernel @three_groups() attributes {tile.num_warps = 12 : i64, tile.producer_warps = 4 : i64} {
  pipe.specialize producer {
  } consumer {
    pipe.role_barrier
  }
  tile.return
}

// One warpgroup is launched with all the registers that a thread can have, and always has the turn.
// CHECK-LABEL: func.func @one_group
// CHECK-NOT: sm.set_registers
// CHECK-NOT: sm.named_barrier
// CHECK: return
tile.kernel @one_group() attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64} {
  pipe.specialize producer {
  } consumer {
    pipe.turn_wait
    pipe.turn_pass
  }
  tile.return
}

// With two CTAs on an SM it is launched with 128.
// CHECK-LABEL: func.func @two_ctas
// CHECK: sm.set_registers decrease 24
// CHECK: sm.set_registers increase 232
tile.kernel @two_ctas() attributes {tile.num_warps = 4 : i64, tile.producer_warps = 4 : i64, tile.ctas_per_sm = 2 : i64} {
  pipe.specialize producer {
  } consumer {
  }
  tile.return
}
