// RUN: tile-opt %s -tile-split-masks | FileCheck %s
// RUN: tile-opt %s -tile-split-masks --remarks-filter=masks --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s -tile-split-masks -tile-assign-layouts | FileCheck %s --check-prefix=LAYOUT

// Columns before a limit: the mask and its fragments stand in the branch for tiles that reach it.
// REMARK: 6 operations that mask 4096 elements run only in tiles that need them
// CHECK-LABEL: tile.kernel @tail
// CHECK-SAME: %[[LIMIT:[a-z0-9]+]]: i32
// CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: tile.iota
// CHECK: %[[END:.*]] = arith.extsi %[[LIMIT]] : i32 to i64
// CHECK: %[[ALL:.*]] = arith.cmpi sgt, %[[END]], %c63{{.*}} : i64
// CHECK: %[[R:.*]] = scf.if %[[ALL]] -> (tensor<64x64xf32>) {
// CHECK-NEXT: scf.yield %[[X]]
// CHECK-NEXT: } else {
// CHECK: tile.iota
// CHECK: arith.cmpi slt
// CHECK: %[[MASKED:.*]] = arith.select %{{.*}}, %[[X]], %{{.*}}
// CHECK-NEXT: scf.yield %[[MASKED]]
// CHECK: tile.store %[[R]]
// Layouts go through the branch: what is masked needs no conversion.
// LAYOUT-LABEL: tile.kernel @tail
// LAYOUT: scf.if %{{.*}} -> (tensor<64x64xf32, #[[L:.*]]>)
// LAYOUT: arith.select {{.*}} : tensor<64x64xi1, #[[L]]>, tensor<64x64xf32, #[[L]]>
// LAYOUT-NOT: tile.convert_layout
tile.kernel @tail(%limit: i32, %g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %columns = tile.broadcast %column dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %end = tile.broadcast %limit dims = [] : i32 to tensor<64x64xi32>
  %mask = arith.cmpi slt, %columns, %end : tensor<64x64xi32>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Sums of positions may wrap around in i32: then the test does not hold.
// CHECK-LABEL: tile.kernel @causal
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: i32, %[[COLUMN:[a-z0-9]+]]: i32
// CHECK-DAG: %[[ROW64:.*]] = arith.extsi %[[ROW]]
// CHECK-DAG: %[[COLUMN64:.*]] = arith.extsi %[[COLUMN]]
// CHECK-DAG: %[[LAST_ROW:.*]] = arith.addi %[[ROW64]], %c63
// CHECK-DAG: %[[LAST_COLUMN:.*]] = arith.addi %[[COLUMN64]], %c63
// CHECK-DAG: %[[ROWS_FIT:.*]] = arith.cmpi sle, %[[LAST_ROW]], %c2147483647
// CHECK-DAG: %[[COLUMNS_FIT:.*]] = arith.cmpi sle, %[[LAST_COLUMN]], %c2147483647
// CHECK-DAG: %[[BELOW:.*]] = arith.cmpi sge, %[[ROW64]], %[[LAST_COLUMN]]
// CHECK: %[[A:.*]] = arith.andi %[[BELOW]], %[[ROWS_FIT]]
// CHECK: %[[B:.*]] = arith.andi %[[A]], %[[COLUMNS_FIT]]
// CHECK: scf.if %[[B]]
tile.kernel @causal(%row: i32, %column: i32, %g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %i = tile.iota : tensor<64xi32>
  %r0 = tile.broadcast %row dims = [] : i32 to tensor<64xi32>
  %r1 = arith.addi %r0, %i : tensor<64xi32>
  %rows = tile.broadcast %r1 dims = [0] : tensor<64xi32> to tensor<64x64xi32>
  %c0 = tile.broadcast %column dims = [] : i32 to tensor<64xi32>
  %c1 = arith.addi %c0, %i : tensor<64xi32>
  %columns = tile.broadcast %c1 dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %mask = arith.cmpi sge, %rows, %columns : tensor<64x64xi32>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// A position that the author has clamped cannot wrap around: one comparison, on the clamped i64.
// CHECK-LABEL: tile.kernel @clamped
// CHECK: %[[START:.*]] = arith.minsi
// CHECK: %[[LAST:.*]] = arith.addi %[[START]], %c63
// CHECK: %[[ALL:.*]] = arith.cmpi slt, %[[LAST]], %c100{{.*}} : i64
// CHECK-NEXT: scf.if %[[ALL]]
tile.kernel @clamped(%start: i64, %g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %least = arith.constant -2147483648 : i64
  %greatest = arith.constant 2147483520 : i64
  %s0 = arith.maxsi %start, %least : i64
  %s1 = arith.minsi %s0, %greatest : i64
  %s = arith.trunci %s1 : i64 to i32
  %i = tile.iota : tensor<64xi32>
  %b = tile.broadcast %s dims = [] : i32 to tensor<64xi32>
  %p = arith.addi %b, %i : tensor<64xi32>
  %limit = arith.constant dense<100> : tensor<64xi32>
  %m = arith.cmpi slt, %p, %limit : tensor<64xi32>
  %mask = tile.broadcast %m dims = [1] : tensor<64xi1> to tensor<64x64xi1>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// The computed side is the false one: the test is for a mask that is false throughout. One of two
// conditions is enough for that, and the one from memory says nothing.
// CHECK-LABEL: tile.kernel @drop
// CHECK-SAME: %[[LIMIT:[a-z0-9]+]]: i32
// CHECK: %[[END:.*]] = arith.extsi %[[LIMIT]]
// CHECK: %[[NONE:.*]] = arith.cmpi sgt, %[[END]], %c63
// CHECK-NEXT: scf.if %[[NONE]]
// CHECK-NEXT: scf.yield %[[X:.*]] : tensor<64x64xf32>
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[X]]
tile.kernel @drop(%limit: i32, %g: !tile.global<?x64xf32>, %f: !tile.global<?x64xi1>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %v = tile.window %f[%o, %o] dims = [0, 1] : !tile.global<?x64xi1> to !tile.window<64x64xi1>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %flags = tile.load %v : !tile.window<64x64xi1> to tensor<64x64xi1>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %columns = tile.broadcast %column dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %end = tile.broadcast %limit dims = [] : i32 to tensor<64x64xi32>
  %past = arith.cmpi sge, %columns, %end : tensor<64x64xi32>
  %mask = arith.andi %flags, %past : tensor<64x64xi1>
  %r = arith.select %mask, %fill, %x : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Known at compile time: a limit behind the last column, and one in front of the first.
// CHECK-LABEL: tile.kernel @constant
// CHECK: %[[X:.*]] = tile.load
// CHECK: %[[FILL:.*]] = arith.constant dense<0xFF800000>
// CHECK-NOT: arith.select
// CHECK: tile.store %[[X]]
// CHECK: tile.store %[[FILL]]
tile.kernel @constant(%g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %columns = tile.broadcast %column dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %behind = arith.constant dense<64> : tensor<64x64xi32>
  %before = arith.constant dense<0> : tensor<64x64xi32>
  %all = arith.cmpi slt, %columns, %behind : tensor<64x64xi32>
  %none = arith.cmpi slt, %columns, %before : tensor<64x64xi32>
  %r = arith.select %all, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  %s = arith.select %none, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.store %s, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Neither a mask from memory alone nor a small one is split.
// CHECK-LABEL: tile.kernel @keep
// CHECK-NOT: scf.if
// CHECK: tile.return
tile.kernel @keep(%limit: i32, %g: !tile.global<?x64xf32>, %f: !tile.global<?x64xi1>, %v: !tile.global<?xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %y = tile.window %f[%o, %o] dims = [0, 1] : !tile.global<?x64xi1> to !tile.window<64x64xi1>
  %z = tile.window %v[%o] dims = [0] : !tile.global<?xf32> to !tile.window<64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %flags = tile.load %y : !tile.window<64x64xi1> to tensor<64x64xi1>
  %row = tile.load %z : !tile.window<64xf32> to tensor<64xf32>
  %fill = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64xf32>
  %r = arith.select %flags, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %end = tile.broadcast %limit dims = [] : i32 to tensor<64xi32>
  %mask = arith.cmpi slt, %column, %end : tensor<64xi32>
  %s = arith.select %mask, %row, %zero : tensor<64xi1>, tensor<64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.store %s, %z : tensor<64xf32> to !tile.window<64xf32>
  tile.return
}

// A tile of two parts: each side of the choice is looked at where it is chosen, so all keys are seen if both
// parts end before the limit and the later one does not lie behind the first row.
// CHECK-LABEL: tile.kernel @parts
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: i32, %[[FIRST:[a-z0-9]+]]: i32, %[[SECOND:[a-z0-9]+]]: i32
// CHECK-DAG: %[[FIRST64:.*]] = arith.extsi %[[FIRST]]
// CHECK-DAG: %[[SECOND64:.*]] = arith.extsi %[[SECOND]]
// CHECK-DAG: %[[FIRST_END:.*]] = arith.addi %[[FIRST64]], %c31
// CHECK-DAG: %[[SECOND_END:.*]] = arith.addi %[[SECOND64]], %c31
// CHECK: %[[END:.*]] = arith.maxsi %[[FIRST_END]], %[[SECOND_END]]
// CHECK: %[[SEEN:.*]] = arith.cmpi sge, %{{.*}}, %[[END]]
// CHECK: scf.if
// CHECK: } else {
// CHECK: arith.select %{{.*}} : tensor<64xi1>, tensor<64xi32>
tile.kernel @parts(%row: i32, %first: i32, %second: i32, %g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %half = arith.constant dense<32> : tensor<64xi32>
  %i = tile.iota : tensor<64xi32>
  %r0 = tile.broadcast %row dims = [] : i32 to tensor<64xi32>
  %r1 = arith.addi %r0, %i : tensor<64xi32>
  %rows = tile.broadcast %r1 dims = [0] : tensor<64xi32> to tensor<64x64xi32>
  %a0 = tile.broadcast %first dims = [] : i32 to tensor<64xi32>
  %a1 = arith.addi %a0, %i : tensor<64xi32>
  %b0 = tile.broadcast %second dims = [] : i32 to tensor<64xi32>
  %behind = arith.subi %i, %half : tensor<64xi32>
  %b1 = arith.addi %b0, %behind : tensor<64xi32>
  %here = arith.cmpi slt, %i, %half : tensor<64xi32>
  %keys = arith.select %here, %a1, %b1 : tensor<64xi1>, tensor<64xi32>
  %columns = tile.broadcast %keys dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %mask = arith.cmpi sge, %rows, %columns : tensor<64x64xi32>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Rows of two runs that see different keys. The positions along rows and along columns are one value; where
// rows are cut, columns are not: the second run's test asks for all 64 columns.
// CHECK-LABEL: tile.kernel @runs
// CHECK-SAME: %[[FIRST:[a-z0-9]+]]: i32, %[[SECOND:[a-z0-9]+]]: i32
// CHECK-DAG: %[[FIRST64:.*]] = arith.extsi %[[FIRST]]
// CHECK-DAG: %[[SECOND64:.*]] = arith.extsi %[[SECOND]]
// CHECK-DAG: %[[A:.*]] = arith.cmpi sgt, %[[FIRST64]], %c63
// CHECK-DAG: %[[B:.*]] = arith.cmpi sgt, %[[SECOND64]], %c63
// CHECK: %[[BOTH:.*]] = arith.andi %[[A]], %[[B]]
// CHECK: scf.if %[[BOTH]]
tile.kernel @runs(%first: i32, %second: i32, %g: !tile.global<?x64xf32>, %o: i64) {
  %w = tile.window %g[%o, %o] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %half = arith.constant dense<32> : tensor<64xi32>
  %i = tile.iota : tensor<64xi32>
  %here = arith.cmpi slt, %i, %half : tensor<64xi32>
  %upper = tile.broadcast %here dims = [0] : tensor<64xi1> to tensor<64x64xi1>
  %columns = tile.broadcast %i dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %end0 = tile.broadcast %first dims = [] : i32 to tensor<64x64xi32>
  %end1 = tile.broadcast %second dims = [] : i32 to tensor<64x64xi32>
  %seen0 = arith.cmpi slt, %columns, %end0 : tensor<64x64xi32>
  %seen1 = arith.cmpi slt, %columns, %end1 : tensor<64x64xi32>
  %mask = arith.select %upper, %seen0, %seen1 : tensor<64x64xi1>, tensor<64x64xi1>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %w : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}

// Inside a loop, what changes is compared with what is computed in front of it. The columns of a block that lie
// before the end: min(max(n - 64 * block, 0), 64) > 63 is 0 <= block <= (n - 64) >> 6, one comparison of the block.
// CHECK-LABEL: tile.kernel @rest
// CHECK-DAG: %[[N:.*]] = tile.dim "n"
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
// CHECK: %[[C64_0:.*]] = arith.constant 64 : i64
// CHECK-NEXT: %[[LAST:.*]] = arith.subi %[[N]], %[[C64_0]] : i64
// CHECK-NEXT: %[[C6:.*]] = arith.constant 6 : i64
// CHECK-NEXT: %[[BLOCK:.*]] = arith.shrsi %[[LAST]], %[[C6]] : i64
// CHECK-NEXT: %[[MAX:.*]] = arith.constant 2147483647 : i64
// CHECK-NEXT: %[[IN_I32:.*]] = arith.minsi %[[BLOCK]], %[[MAX]] : i64
// CHECK-NEXT: %[[C1:.*]] = arith.constant 1 : i64
// CHECK-NEXT: %[[BEHIND:.*]] = arith.addi %[[IN_I32]], %[[C1]] : i64
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[FROM_0:.*]] = arith.maxsi %[[BEHIND]], %[[C0]] : i64
// CHECK-NEXT: %[[COUNT:.*]] = arith.trunci %[[FROM_0]] : i64 to i32
// CHECK-NEXT: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[B:.*]] = tile.load_scalar %{{.*}}[%[[I]]] : !tile.global<?xi32> to i32
// CHECK: %[[X:.*]] = tile.load
// CHECK-NOT: arith.cmpi sgt
// CHECK: %[[ALL:.*]] = arith.cmpi ult, %[[B]], %[[COUNT]] : i32
// CHECK-NEXT: %{{.*}} = scf.if %[[ALL]] -> (tensor<64x64xf32>) {
// CHECK-NEXT: scf.yield %[[X]]
// CHECK-NEXT: } else {
tile.kernel @rest(%list: !tile.global<?xi32>, %g: !tile.global<?x64xf32>, %h: !tile.global<?x64xf32>, %count: i64)
    attributes {tile.launch = {dims = ["n"], grid = ["n"]}} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c64 = arith.constant 64 : i64
  %n = tile.dim "n"
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %columns = tile.broadcast %column dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  scf.for %i = %c0 to %count step %c1 : i64 {
    %block = tile.load_scalar %list[%i] : !tile.global<?xi32> to i32
    %wide = arith.extsi %block : i32 to i64
    %first = arith.muli %wide, %c64 : i64
    %w = tile.window %g[%first, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    %v = tile.window %h[%first, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
    %negative = arith.cmpi slt, %first, %c0 : i64
    %behind = arith.subi %n, %first : i64
    %some = arith.select %negative, %c0, %behind : i64
    %least = arith.maxsi %some, %c0 : i64
    %most = arith.minsi %least, %c64 : i64
    %keys = arith.trunci %most : i64 to i32
    %end = tile.broadcast %keys dims = [] : i32 to tensor<64x64xi32>
    %mask = arith.cmpi slt, %columns, %end : tensor<64x64xi32>
    %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
    tile.store %r, %v : tensor<64x64xf32> to !tile.window<64x64xf32>
  }
  tile.return
}

// Rows from %row on see the columns up to their own: the first column of a tile is compared with the last one that
// the first row sees all 64 from. That columns stay in i32, and rows do, is decided in front of the loop.
// CHECK-LABEL: tile.kernel @causal_in_loop
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: i32
// CHECK: %[[ROW64:.*]] = arith.extsi %[[ROW]] : i32 to i64
// CHECK-NEXT: %[[C63:.*]] = arith.constant 63 : i64
// CHECK-NEXT: %[[LAST:.*]] = arith.subi %[[ROW64]], %[[C63]] : i64
// CHECK-NEXT: %[[MOST:.*]] = arith.constant 9223372036854775807 : i64
// CHECK-NEXT: %[[CLAMP:.*]] = arith.constant 2147483584 : i64
// CHECK-NEXT: %[[ANY:.*]] = arith.cmpi sge, %[[LAST]], %[[CLAMP]] : i64
// CHECK-NEXT: %[[END:.*]] = arith.select %[[ANY]], %[[MOST]], %[[LAST]] : i64
// CHECK-NEXT: %[[LEAST:.*]] = arith.constant -2147483648 : i64
// CHECK-NEXT: %[[SOME:.*]] = arith.cmpi sge, %[[END]], %[[LEAST]] : i64
// CHECK-NEXT: %[[C63_0:.*]] = arith.constant 63 : i64
// CHECK-NEXT: %[[LAST_ROW:.*]] = arith.addi %[[ROW64]], %[[C63_0]] : i64
// CHECK-NEXT: %[[GREATEST:.*]] = arith.constant 2147483647 : i64
// CHECK-NEXT: %[[FIT:.*]] = arith.cmpi sle, %[[LAST_ROW]], %[[GREATEST]] : i64
// CHECK-NEXT: %[[FIXED:.*]] = arith.andi %[[SOME]], %[[FIT]] : i1
// CHECK-NEXT: scf.for %[[FIRST:[a-z0-9]+]] =
// CHECK-NOT: arith.cmpi sge, %{{.*}} : i64
// CHECK: %[[SEEN:.*]] = arith.cmpi sle, %[[FIRST]], %[[END]] : i64
// CHECK-NEXT: %[[ALL:.*]] = arith.andi %[[SEEN]], %[[FIXED]] : i1
// CHECK-NEXT: %{{.*}} = scf.if %[[ALL]]
tile.kernel @causal_in_loop(%row: i32, %g: !tile.global<?x64xf32>, %h: !tile.global<?x64xf32>, %count: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %least = arith.constant -2147483648 : i64
  %greatest = arith.constant 2147483584 : i64
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %i = tile.iota : tensor<64xi32>
  %r0 = tile.broadcast %row dims = [] : i32 to tensor<64xi32>
  %r1 = arith.addi %r0, %i : tensor<64xi32>
  %rows = tile.broadcast %r1 dims = [0] : tensor<64xi32> to tensor<64x64xi32>
  scf.for %first = %c0 to %count step %c1 : i64 {
    %w = tile.window %g[%first, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    %v = tile.window %h[%first, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
    %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
    %low = arith.maxsi %first, %least : i64
    %both = arith.minsi %low, %greatest : i64
    %s = arith.trunci %both : i64 to i32
    %b = tile.broadcast %s dims = [] : i32 to tensor<64xi32>
    %p = arith.addi %b, %i : tensor<64xi32>
    %columns = tile.broadcast %p dims = [1] : tensor<64xi32> to tensor<64x64xi32>
    %mask = arith.cmpi sge, %rows, %columns : tensor<64x64xi32>
    %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
    tile.store %r, %v : tensor<64x64xf32> to !tile.window<64x64xf32>
  }
  tile.return
}

// Outside of a loop there is nothing to take out: the test stays as it was built.
// CHECK-LABEL: tile.kernel @rest_outside
// CHECK-DAG: %[[N:.*]] = tile.dim "n"
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : i64
// CHECK: %[[LEAST:.*]] = arith.maxsi %[[N]], %[[C0]] : i64
// CHECK-NEXT: %[[KEYS:.*]] = arith.minsi %[[LEAST]], %[[C64]] : i64
// CHECK: %[[C63:.*]] = arith.constant 63 : i64
// CHECK-NEXT: %[[ALL:.*]] = arith.cmpi sgt, %[[KEYS]], %[[C63]] : i64
// CHECK-NEXT: %{{.*}} = scf.if %[[ALL]]
tile.kernel @rest_outside(%g: !tile.global<?x64xf32>, %h: !tile.global<?x64xf32>, %o: i64)
    attributes {tile.launch = {dims = ["n"], grid = ["n"]}} {
  %c0 = arith.constant 0 : i64
  %c64 = arith.constant 64 : i64
  %n = tile.dim "n"
  %w = tile.window %g[%o, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %v = tile.window %h[%o, %c0] dims = [0, 1] : !tile.global<?x64xf32> to !tile.window<64x64xf32>
  %x = tile.load %w : !tile.window<64x64xf32> to tensor<64x64xf32>
  %fill = arith.constant dense<0xFF800000> : tensor<64x64xf32>
  %column = tile.iota : tensor<64xi32>
  %columns = tile.broadcast %column dims = [1] : tensor<64xi32> to tensor<64x64xi32>
  %least = arith.maxsi %n, %c0 : i64
  %most = arith.minsi %least, %c64 : i64
  %keys = arith.trunci %most : i64 to i32
  %end = tile.broadcast %keys dims = [] : i32 to tensor<64x64xi32>
  %mask = arith.cmpi slt, %columns, %end : tensor<64x64xi32>
  %r = arith.select %mask, %x, %fill : tensor<64x64xi1>, tensor<64x64xf32>
  tile.store %r, %v : tensor<64x64xf32> to !tile.window<64x64xf32>
  tile.return
}
