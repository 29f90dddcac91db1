// RUN: %dsl %s --debuginfo | FileCheck %s
// RUN: env CXX=g++ %dsl %s --debuginfo | FileCheck %s
// Operations carry the author's line; in a helper with a scope, also the caller's.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

Fragment<f32> half(const Fragment<f32> &x, Loc loc = Loc::current()) {
  Scope scope(x, loc);
  return x * 0.5;
}

// CHECK-LABEL: tile.kernel
template <class T> void location(Kernel &k, const Config &) {
  auto X = k.inout<T>("x", {64});
  Axis n("n", 64);
  auto x = load(X(n));
  auto a = x + 1.0;
  a += x;
  a = half(a);
  // CHECK: tile.load {{.*}} loc([[LOAD:#[0-9a-z]+]])
  // CHECK: arith.addf {{.*}} loc([[ADD:#[0-9a-z]+]])
  // CHECK: arith.addf {{.*}} loc([[INCREMENT:#[0-9a-z]+]])
  // CHECK: arith.mulf {{.*}} loc([[CALL:#[0-9a-z]+]])
  store(a, X(n));
}
TILE_KERNEL(location, Config, f32);
// CHECK-DAG: [[LOAD]] = loc("emit-location.cpp":20:{{[0-9]+}})
// CHECK-DAG: [[ADD]] = loc("emit-location.cpp":21:{{[0-9]+}})
// CHECK-DAG: [[INCREMENT]] = loc("emit-location.cpp":22:{{[0-9]+}})
// CHECK-DAG: [[CALL]] = loc(callsite([[HALF:#[0-9a-z]+]] at [[CALLER:#[0-9a-z]+]]))
// CHECK-DAG: [[HALF]] = loc("emit-location.cpp":13:{{[0-9]+}})
// CHECK-DAG: [[CALLER]] = loc("emit-location.cpp":23:{{[0-9]+}})
