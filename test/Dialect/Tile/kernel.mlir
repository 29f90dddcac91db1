// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s -mlir-print-op-generic | tile-opt | FileCheck %s

// CHECK-LABEL: tile.kernel @parameters
// CHECK-SAME: (%{{.*}}: !tile.global<?x128xbf16>, %{{.*}}: f32)
// CHECK-SAME: attributes {tile.launch = {dims = ["n"], grid = ["n"]}}
tile.kernel @parameters(%x: !tile.global<?x128xbf16>, %scale: f32) attributes {tile.launch = {dims = ["n"], grid = ["n"]}} {
  // CHECK: tile.program_id
  %id = tile.program_id
  // CHECK: tile.dim "n"
  %n = tile.dim "n"
  // CHECK: tile.return
  tile.return
}
