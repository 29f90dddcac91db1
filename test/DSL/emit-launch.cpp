// RUN: %dsl %s | FileCheck %s
// What the launcher needs is an attribute of the kernel; fields of the configuration make its name.
// RUN: %dsl %s --kernel=launch --dtype=f16 --config=flag=true,size=-3,warps=8,ctas_per_sm=2 | FileCheck %s --check-prefix=OTHER
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {
  int size = 4;
  bool flag = false;
  int warps = 0, ctas_per_sm = 0;
};
TILE_CONFIG(Config, size, flag, warps, ctas_per_sm);

// CHECK: tile.kernel @launch__bf16__size4_flag0_warps0_ctas_per_sm0(%arg0: !tile.global<?x?x24xbf16>, %arg1: !tile.global<?x12xbf16>, %arg2: !tile.global<?xi64>, %arg3: !tile.global<?xf32>, %arg4: f32, %arg5: i32)
// CHECK-NOT: tile.ctas_per_sm
// CHECK-SAME: dims = ["batch", "len", "extra"]
// CHECK-SAME: facts = [{dim = "len", multiple_of = 192 : i64}]
// CHECK-SAME: grid = ["ceildiv(len, 64)", "batch * (extra - 1)"]
// Each pair once.
// CHECK-SAME: groups = [{groups = "2", members = "batch"}, {groups = "extra", members = "batch * 3"}]
// CHECK-SAME: {access = "in", aligned, dtype = "bf16", extents = ["batch", "len", "24"], kind = "tensor", name = "x"}
// CHECK-SAME: {access = "out", dtype = "bf16", extents = ["len", "12"], kind = "tensor", name = "y"}
// CHECK-SAME: {access = "inout", dtype = "i64", extents = ["min(mod(len, 7), floordiv(len, 3))"], kind = "tensor", name = "z"}
// CHECK-SAME: {access = "workspace", dtype = "f32", extents = ["batch * len"], kind = "tensor", name = "w"}
// CHECK-SAME: {dtype = "f32", kind = "scalar", name = "scale", positive}
// CHECK-SAME: {dtype = "i32", kind = "scalar", name = "offset"}
// CHECK-SAME: source = "launch"
// CHECK-NOT: tile.num_warps
// The grid's index is taken apart, the first extent fastest.
// CHECK-DAG: %[[BATCH:.*]] = tile.dim "batch"
// CHECK-DAG: %[[LEN:.*]] = tile.dim "len"
// CHECK: %[[ID:.*]] = tile.program_id
// CHECK: %[[EXTENT:.*]] = arith.ceildivsi %[[LEN]]
// CHECK: %[[J:.*]] = arith.divui %[[ID]], %[[EXTENT]]
// CHECK: %[[I:.*]] = arith.remui %[[ID]], %[[EXTENT]]
// CHECK: %[[MEMBERS:.*]] = arith.floordivsi %[[BATCH]], %c2_i64
// CHECK: %[[GROUP:.*]] = arith.divui %[[J]], %[[MEMBERS]]
// CHECK: tile.store_scalar %{{.*}}, %arg2[%{{.*}}]
// OTHER: tile.kernel @launch__f16__sizem3_flag1_warps8_ctas_per_sm2
// OTHER-SAME: tile.ctas_per_sm = 2 : i64
// OTHER-SAME: tile.num_warps = 8 : i64
template <class T> void launch(Kernel &k, const Config &) {
  Dim batch("batch"), len("len"), extra("extra");
  len.multiple_of(64).multiple_of(96);
  k.input<T>("x", {batch, len, 24});
  k.output<T>("y", {len, 12});
  auto Z = k.inout<i64>("z", {min(len % 7, len / 3)});
  k.workspace<f32>("w", {batch * len});
  auto scale = k.scalar<f32>("scale").positive();
  auto offset = k.scalar<i32>("offset");
  auto [i, j] = k.grid(ceil_div(len, 64), batch * (extra - 1));
  store(1, Z.at({i + k.group(j, batch, 2) + to_index(offset)}));
  store(2, Z.at({k.group(i, batch, 2) + k.group(i, batch * 3, extra)}));
}
TILE_KERNEL(launch, Config, bf16, f16);
