// RUN: %dsl %s | FileCheck %s
// Without a grid there is one CTA.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

// CHECK: tile.kernel @one_cta__f32
// CHECK-SAME: grid = ["1"]
// CHECK-NOT: tile.program_id
template <class T> void one_cta(Kernel &k, const Config &) {
  auto X = k.input<T>("x", {64});
  auto Y = k.output<T>("y", {64});
  Axis i("i", 64);
  store(load(X(i)), Y(i));
}
TILE_KERNEL(one_cta, Config, f32);
