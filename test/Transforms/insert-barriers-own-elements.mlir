// RUN: tile-opt %s -tile-insert-barriers-and-fences | FileCheck %s

#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
!line = tensor<128xf32, #line>

// Each thread reads and writes its own elements of global memory.
// CHECK-LABEL: tile.kernel @own_elements
// CHECK: tile.load
// CHECK-NEXT: tile.store
tile.kernel @own_elements(%g: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  %x = tile.load %w : !tile.window<128xf32> to !line
  tile.store %x, %w : !line to !tile.window<128xf32>
  tile.return
}

// Four warps hold the same elements, one of them stores: the others may not have loaded yet.
#copies = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[-1, 4]]>
!copies = tensor<32xf32, #copies>
// CHECK-LABEL: tile.kernel @war_copies_of_elements
// CHECK: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @war_copies_of_elements(%g: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<32xf32>
  %x = tile.load %w : !tile.window<32xf32> to !copies
  tile.store %x, %w : !copies to !tile.window<32xf32>
  tile.return
}
