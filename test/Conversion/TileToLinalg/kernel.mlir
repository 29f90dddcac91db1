// RUN: tile-opt --convert-tile-to-linalg %s | FileCheck %s

// The arguments are memrefs whose last stride is 1, scalars, the launch dimensions, the CTA's index.
// CHECK-LABEL: func.func private @signature(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: memref<?x?x64xbf16, strided<[?, ?, 1]>>, %[[M:[a-z0-9_]+]]: memref<?xi8, strided<[1]>>,
// CHECK-SAME: %[[F:[a-z0-9_]+]]: f32, %[[B:[a-z0-9_]+]]: i8, %[[HEADS:[a-z0-9_]+]]: i64, %[[LEN:[a-z0-9_]+]]: i64, %[[ID:[a-z0-9_]+]]: i64)
// CHECK-SAME: attributes {tilec.host_cta}
tile.kernel @signature(%x: !tile.global<?x?x64xbf16>, %m: !tile.global<?xi1>, %f: f32, %b: i1)
    attributes {tile.launch = {dims = ["heads", "len"]}} {
  // A scalar i1 is a byte in memory.
  // CHECK: %[[TRUE:[a-z0-9_]+]] = arith.cmpi ne, %[[B]]
  %id = tile.program_id
  %len = tile.dim "len"
  // CHECK: %[[SUM:[a-z0-9_]+]] = arith.addi %[[ID]], %[[LEN]]
  %sum = arith.addi %id, %len : i64
  // CHECK: scf.if %[[TRUE]]
  scf.if %b {
    %flag = tile.load_scalar %m[%sum] : !tile.global<?xi1> to i1
    tile.store_scalar %flag, %m[%id] : i1 to !tile.global<?xi1>
  }
  // CHECK: return
  tile.return
}

// Every element of memory is read inside its bounds only; i1 is any byte but 0.
// CHECK-LABEL: func.func private @scalars(
// CHECK-SAME: %[[X:[a-z0-9_]+]]: memref<?x?xi8
tile.kernel @scalars(%x: !tile.global<?x?xi1>, %i: i64, %j: i64) {
  // CHECK: %[[C0:[a-z0-9_]+]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK: %[[IN0:[a-z0-9_]+]] = arith.cmpi ult, %[[C0]]
  // CHECK: %[[C1:[a-z0-9_]+]] = arith.index_cast %{{.*}} : i64 to index
  // CHECK: arith.cmpi ult, %[[C1]]
  // CHECK: %[[R:[a-z0-9_]+]] = scf.if
  // CHECK:   %[[BYTE:[a-z0-9_]+]] = memref.load %[[X]][%[[C0]], %[[C1]]]
  // CHECK:   arith.cmpi ne, %[[BYTE]]
  // CHECK: else
  // CHECK:   arith.constant true
  %v = tile.load_scalar %x[%i, %j] pad true : !tile.global<?x?xi1> to i1
  // CHECK: scf.if
  // CHECK-NEXT: %[[OUT:[a-z0-9_]+]] = arith.extui %[[R]] : i1 to i8
  // CHECK-NEXT: memref.store %[[OUT]], %[[X]]
  tile.store_scalar %v, %x[%j, %i] : i1 to !tile.global<?x?xi1>
  tile.return
}
