// RUN: not %dsl %s 2>&1 | FileCheck %s
// A fragment is not loaded part by part.
#include "tile/dsl/Dsl.h"

using namespace tile;

struct Config {};
TILE_CONFIG(Config);

template <class T> void misuse(Kernel &k, const Config &) {
  Axis n("n", 64), half("half", 32);
  Dim rows("rows");
  auto X = k.input<T>("x", {rows});
  auto [program] = k.grid(4);
  auto places = n.of({half.at(program), half.at(program + 1)});
  // CHECK: window-parts-load.cpp:[[@LINE+1]]:{{[0-9]+}}: error: axis 'n' of this window of 'x' consists of 2 parts; only copies from and to shared tiles take it
  load(X(places));
}
TILE_KERNEL(misuse, Config, f32);
