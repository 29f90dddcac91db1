// RUN: tile-opt %s -tile-insert-barriers-and-fences | FileCheck %s

// Functions are named by their hazard. Tiles are written by copies (asynchronous) and `tile.store`
// (generic) and read by `tile.load` (generic).
#line = #tile.frag<reg = [], lane = [[1], [2], [4], [8], [16]], warp = [], repeat = [], warps = [[0, 4]]>
!line = tensor<128xf32, #line>
!row = !tile.shared<128xf32>

// CHECK-LABEL: tile.kernel @raw
// CHECK: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @raw(%v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  %y = tile.load %s : !row to !line
  tile.return
}

// No second barrier for the second reader, none between two readers.
// CHECK-LABEL: tile.kernel @rar
// CHECK: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.return
tile.kernel @rar(%v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  %y = tile.load %s : !row to !line
  %z = tile.load %s : !row to !line
  tile.return
}

// CHECK-LABEL: tile.kernel @war
// CHECK: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @war(%v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  %y = tile.load %s : !row to !line
  tile.store %x, %s : !line to !row
  tile.return
}

// CHECK-LABEL: tile.kernel @waw
// CHECK: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @waw(%v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  tile.store %x, %s : !line to !row
  tile.return
}

// The bytes count, not the handle: [0, 512) and [256, 768) overlap, [512, 1024) is apart from the first.
// CHECK-LABEL: tile.kernel @raw_by_range
// CHECK: tile.store
// CHECK-NEXT: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @raw_by_range(%v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %overlapping = tile.alloc_shared at 256 : !row
  %apart = tile.alloc_shared at 512 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  %y = tile.load %apart : !row to !line
  %z = tile.load %overlapping : !row to !line
  tile.return
}

// A copy that another write overtakes: it has to be complete first.
// CHECK-LABEL: tile.kernel @waw_copy
// CHECK: tile.copy
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @waw_copy(%g: !tile.global<?xf32>, %o: i64, %v: f32) {
  %s = tile.alloc_shared at 0 : !row
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.copy %w, %s : !tile.window<128xf32> to !row
  tile.store %x, %s : !line to !row
  tile.return
}

// Two copies in flight: the reader of the older waits for it alone.
// CHECK-LABEL: tile.kernel @raw_copies
// CHECK: tile.copy
// CHECK: tile.copy
// CHECK-NEXT: sm.cp_async_wait {pending = 1 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @raw_copies(%g: !tile.global<?xf32>, %o: i64) {
  %a = tile.alloc_shared at 0 : !row
  %b = tile.alloc_shared at 512 : !row
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  tile.copy %w, %a : !tile.window<128xf32> to !row
  tile.copy %w, %b : !tile.window<128xf32> to !row
  %y = tile.load %a : !row to !line
  %z = tile.load %b : !row to !line
  tile.return
}

// Read back to front, the first wait covers both.
// CHECK-LABEL: tile.kernel @raw_copies_reversed
// CHECK: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
tile.kernel @raw_copies_reversed(%g: !tile.global<?xf32>, %o: i64) {
  %a = tile.alloc_shared at 0 : !row
  %b = tile.alloc_shared at 512 : !row
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  tile.copy %w, %a : !tile.window<128xf32> to !row
  tile.copy %w, %b : !tile.window<128xf32> to !row
  %y = tile.load %b : !row to !line
  %z = tile.load %a : !row to !line
  tile.return
}

// One path starts a second copy, the other does not: the wait is right for both.
// CHECK-LABEL: tile.kernel @raw_copy_on_one_path
// CHECK: scf.if
// CHECK: sm.cp_async_wait {pending = 0 : i64}
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @raw_copy_on_one_path(%g: !tile.global<?xf32>, %o: i64, %take: i1) {
  %a = tile.alloc_shared at 0 : !row
  %b = tile.alloc_shared at 512 : !row
  %w = tile.window %g[%o] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  tile.copy %w, %a : !tile.window<128xf32> to !row
  scf.if %take {
    tile.copy %w, %b : !tile.window<128xf32> to !row
  }
  %y = tile.load %a : !row to !line
  tile.return
}

// The store at the end meets the load at the start of the next iteration, and the load the store.
// CHECK-LABEL: tile.kernel @raw_loop
// CHECK: scf.for
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: }
tile.kernel @raw_loop(%v: f32, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  scf.for %i = %c0 to %n step %c1 : i64 {
    %y = tile.load %s : !row to !line
    tile.store %x, %s : !line to !row
  }
  tile.return
}

// CHECK-LABEL: tile.kernel @war_loop
// CHECK: scf.for
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
tile.kernel @war_loop(%v: f32, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  scf.for %i = %c0 to %n step %c1 : i64 {
    tile.store %x, %s : !line to !row
    %y = tile.load %s : !row to !line
  }
  tile.return
}

// Reads in a loop after one write before it: the barrier stands in front of the loop.
// CHECK-LABEL: tile.kernel @rar_loop
// CHECK: tile.store
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: scf.for
// CHECK-NEXT: tile.load
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
tile.kernel @rar_loop(%v: f32, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  scf.for %i = %c0 to %n step %c1 : i64 {
    %y = tile.load %s : !row to !line
    %z = tile.load %s : !row to !line
  }
  tile.return
}

// A branch may run or not: what it leaves counts, and its barrier does not.
// CHECK-LABEL: tile.kernel @raw_branch
// CHECK: scf.if
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK: sm.barrier
// CHECK-NEXT: tile.load
tile.kernel @raw_branch(%v: f32, %take: i1) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  scf.if %take {
    %y = tile.load %s : !row to !line
  }
  %z = tile.load %s : !row to !line
  tile.return
}

// Both branches end behind a barrier.
// CHECK-LABEL: tile.kernel @rar_branches
// CHECK: } else {
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: }
// CHECK-NEXT: tile.load
tile.kernel @rar_branches(%v: f32, %take: i1) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  scf.if %take {
    %y = tile.load %s : !row to !line
  } else {
    %y = tile.load %s : !row to !line
  }
  %z = tile.load %s : !row to !line
  tile.return
}

// A while loop is left from its first region.
// CHECK-LABEL: tile.kernel @war_while
// CHECK: scf.while
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK: do {
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
// CHECK: scf.yield
// CHECK: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @war_while(%v: f32, %go: i1) {
  %s = tile.alloc_shared at 0 : !row
  %x = tile.broadcast %v dims = [] : f32 to !line
  tile.store %x, %s : !line to !row
  scf.while : () -> () {
    %y = tile.load %s : !row to !line
    scf.condition(%go)
  } do {
    tile.store %x, %s : !line to !row
    scf.yield
  }
  tile.store %x, %s : !line to !row
  tile.return
}

// Global memory: an argument that is written and read. Reads of one and writes of another are free.
// CHECK-LABEL: tile.kernel @raw_global
// CHECK: tile.store_scalar
// CHECK-NEXT: tile.load_scalar %arg1
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load_scalar %arg0
tile.kernel @raw_global(%g: !tile.global<?xf32>, %h: !tile.global<?xf32>, %o: i64, %v: f32) {
  tile.store_scalar %v, %g[%o] : f32 to !tile.global<?xf32>
  %x = tile.load_scalar %h[%o] : !tile.global<?xf32> to f32
  %y = tile.load_scalar %g[%o] : !tile.global<?xf32> to f32
  tile.return
}

// Each thread reads and writes its own elements; the windows of two iterations are apart.
// CHECK-LABEL: tile.kernel @war_global_own_elements
// CHECK-NOT: sm.barrier
// CHECK: tile.return
tile.kernel @war_global_own_elements(%g: !tile.global<?xf32>, %n: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c128 = arith.constant 128 : i64
  scf.for %i = %c0 to %n step %c1 : i64 {
    %row = arith.muli %i, %c128 : i64
    %start = arith.addi %row, %n : i64
    %w = tile.window %g[%start] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
    %x = tile.load %w : !tile.window<128xf32> to !line
    tile.store %x, %w : !line to !tile.window<128xf32>
  }
  tile.return
}

// The windows of two iterations overlap: another thread's element.
// CHECK-LABEL: tile.kernel @waw_global_loop
// CHECK: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @waw_global_loop(%g: !tile.global<?xf32>, %n: i64, %v: f32) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %x = tile.broadcast %v dims = [] : f32 to !line
  scf.for %i = %c0 to %n step %c1 : i64 {
    %row = arith.muli %i, %c64 : i64
    %w = tile.window %g[%row] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
    tile.store %x, %w : !line to !tile.window<128xf32>
  }
  tile.return
}

// What one iteration leaves for the next is waited for inside, and a write in front with it.
// CHECK-LABEL: tile.kernel @raw_before_war_loop
// CHECK: tile.store
// CHECK-NEXT: scf.for
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.load
// CHECK-NEXT: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @raw_before_war_loop(%v: f32, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %x = tile.broadcast %v dims = [] : f32 to !line
  %s = tile.alloc_shared at 0 : !row
  tile.store %x, %s : !line to !row
  scf.for %i = %zero to %n step %one : i64 {
    %y = tile.load %s : !row to !line
    tile.store %x, %s : !line to !row
  }
  tile.return
}

// Parts of one tensor that start far enough apart; the third one does not.
// CHECK-LABEL: tile.kernel @waw_global_apart
// CHECK: tile.store
// CHECK-NOT: sm.barrier
// CHECK: tile.store
// CHECK: sm.barrier
// CHECK: tile.store
tile.kernel @waw_global_apart(%g: !tile.global<?x?xf32>, %row: i64, %v: f32) {
  %zero = arith.constant 0 : i64
  %next = arith.constant 128 : i64
  %near = arith.constant 255 : i64
  %x = tile.broadcast %v dims = [] : f32 to !line
  %a = tile.window %g[%row, %zero] dims = [1] : !tile.global<?x?xf32> to !tile.window<128xf32>
  tile.store %x, %a : !line to !tile.window<128xf32>
  %b = tile.window %g[%row, %next] dims = [1] : !tile.global<?x?xf32> to !tile.window<128xf32>
  tile.store %x, %b : !line to !tile.window<128xf32>
  %c = tile.window %g[%row, %near] dims = [1] : !tile.global<?x?xf32> to !tile.window<128xf32>
  tile.store %x, %c : !line to !tile.window<128xf32>
  tile.return
}

// A constant apart from one value, which is the same everywhere; the loop's is another one in each
// iteration.
// CHECK-LABEL: tile.kernel @waw_global_apart_from_value
// CHECK: tile.store
// CHECK-NOT: sm.barrier
// CHECK: tile.store
// CHECK: scf.for
// CHECK: tile.store
// CHECK: sm.barrier
// CHECK-NEXT: tile.store
tile.kernel @waw_global_apart_from_value(%g: !tile.global<?xf32>, %h: !tile.global<?xf32>, %p: i64,
                                         %n: i64, %v: f32) {
  %zero = arith.constant 0 : i64
  %far = arith.constant 128 : i64
  %x = tile.broadcast %v dims = [] : f32 to !line
  %q = arith.addi %p, %far : i64
  %a = tile.window %g[%p] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  tile.store %x, %a : !line to !tile.window<128xf32>
  %b = tile.window %g[%q] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
  tile.store %x, %b : !line to !tile.window<128xf32>
  scf.for %i = %zero to %n step %far : i64 {
    %j = arith.addi %i, %far : i64
    %c = tile.window %h[%i] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
    tile.store %x, %c : !line to !tile.window<128xf32>
    %d = tile.window %h[%j] dims = [0] : !tile.global<?xf32> to !tile.window<128xf32>
    tile.store %x, %d : !line to !tile.window<128xf32>
  }
  tile.return
}
