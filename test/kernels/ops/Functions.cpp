//===- Functions.cpp - the elementwise functions --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int function = 0;
};
TILE_CONFIG(Config, function);

/// In the order of FunctionReference.cpp.
Fragment<f32> apply(int function, const Fragment<f32> &x) {
  switch (function) {
  case 0:
    return exp2(x);
  case 1:
    return exp(x);
  case 2:
    return log2(x);
  case 3:
    return log(x);
  case 4:
    return sqrt(x);
  case 5:
    return rsqrt(x);
  case 6:
    return rcp(x);
  case 7:
    return tanh(x);
  case 8:
    return sin(x);
  default:
    return cos(x);
  }
}

template <class T> void apply_function(Kernel &k, const Config &cfg) {
  Dim size("size");
  auto X = k.input<T>("x", {size});
  auto Y = k.output<T>("y", {size});

  Axis e("e", 1024);
  auto [i] = k.grid(ceil_div(size, 1024));
  store(apply(cfg.function, load(X(e.at(i)))), Y(e.at(i)));
}
TILE_KERNEL(apply_function, Config, f32);
} // namespace
