// RUN: tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null | FileCheck %s
// REQUIRES: ptxas

// CHECK: copy: {{[0-9]+}} registers, 1 barriers, 0 bytes stack, 0/0 bytes spilled, 0 notices
func.func @copy(%from: i64, %to: i64) attributes {tile.num_warps = 4 : i64, tile.shared_bytes = 2048 : i64} {
  %t = sm.thread_id
  %sixteen = arith.constant 16 : i32
  %offset = arith.muli %t, %sixteen : i32
  %wide = arith.extui %offset : i32 to i64
  %source = arith.addi %from, %wide : i64
  %target = arith.addi %to, %wide : i64
  %base = sm.shared_base
  %place = arith.addi %base, %offset : i32
  sm.cp_async %place, %source, %sixteen {bytes = 16 : i64}
  sm.cp_async_commit
  sm.cp_async_wait {pending = 0 : i64}
  sm.barrier
  %v = sm.load_shared %place : vector<8xbf16>
  sm.store_global %v, %target : vector<8xbf16>
  return
}
