// RUN: tile-opt %s --sm-to-llvm --print-ptx -o /dev/null | FileCheck %s

// CHECK: .extern .shared .align 1024 .b8 tilec_dynamic_shared[];
// CHECK-LABEL: .entry accesses(
func.func @accesses(%g: i64, %out: i64) attributes {tile.num_warps = 4 : i64} {
  %s = sm.shared_base
  // CHECK: ld.global.v4.b32
  %v = sm.load_global %g : vector<8xbf16>
  // CHECK: st.shared.v4.b32 [%rd{{.*}}], {%r{{.*}}, %r{{.*}}, %r{{.*}}, %r{{.*}}};
  sm.store_shared %v, %s : vector<8xbf16>
  sm.barrier
  // CHECK: ld.shared.v4.b32
  %b = sm.load_shared %s : vector<16xi8>
  // CHECK: st.global.v4.b32
  sm.store_global %b, %out : vector<16xi8>
  sm.barrier
  // CHECK: ld.shared.v2.b32
  %f = sm.load_shared %s : vector<2xf32>
  // CHECK: st.global.v2.b32
  sm.store_global %f, %out : vector<2xf32>
  sm.barrier
  // CHECK: ld.shared.b16
  %h = sm.load_shared %s : bf16
  // CHECK: st.global.b16
  sm.store_global %h, %out : bf16
  return
}

// CHECK-LABEL: .entry asynchronous(
func.func @asynchronous(%s: i32, %g: i64, %n: i32) attributes {tile.num_warps = 4 : i64} {
  // CHECK: cp.async.cg.shared.global [%r{{.*}}], [%rd{{.*}}], 16, %r{{.*}};
  sm.cp_async %s, %g, %n {bytes = 16 : i64}
  // CHECK: cp.async.ca.shared.global [%r{{.*}}], [%rd{{.*}}], 8, %r{{.*}};
  sm.cp_async %s, %g, %n {bytes = 8 : i64}
  // CHECK: cp.async.ca.shared.global [%r{{.*}}], [%rd{{.*}}], 4, %r{{.*}};
  sm.cp_async %s, %g, %n {bytes = 4 : i64}
  // CHECK: cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r{{.*}}];
  sm.cp_async_arrive %s
  // CHECK: cp.async.commit_group;
  sm.cp_async_commit
  // CHECK: cp.async.wait_group 1;
  sm.cp_async_wait {pending = 1 : i64}
  return
}

// CHECK-LABEL: .entry tensor_maps(
// CHECK: .param .align 64 .b8 tensor_maps_param_0[128]
func.func @tensor_maps(%map: !sm.tensor_map, %s: i32, %g: i64, %bar: i32, %x: i32, %n: i32)
    attributes {tile.num_warps = 4 : i64} {
  // CHECK: prefetch{{.*}}.tensormap
  sm.tma_prefetch %map : !sm.tensor_map
  // CHECK: cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes
  sm.tma_load %s, %map[%x, %x], %bar : !sm.tensor_map
  // CHECK: cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group
  sm.tma_store %map[%x, %x, %x], %s : !sm.tensor_map
  // CHECK: cp.async.bulk.commit_group;
  sm.tma_commit
  // CHECK: cp.async.bulk.wait_group.read 0;
  sm.tma_wait {pending = 0 : i64, read}
  // CHECK: cp.async.bulk.wait_group 0;
  sm.tma_wait {pending = 0 : i64}
  // CHECK: cp.async.bulk.shared::c{{.*}}.global.mbarrier::complete_tx::bytes
  sm.bulk_load %s, %g, %n, %bar
  return
}
