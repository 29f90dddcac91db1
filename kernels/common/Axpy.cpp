//===- Axpy.cpp - y = a * x + y -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int block = 1024;
};
TILE_CONFIG(Config, block);

/// The sum is formed in f32 and rounded once.
template <class T> void axpy(Kernel &k, const Config &cfg) {
  Dim size("size");
  auto X = k.input<T>("x", {size});
  auto Y = k.inout<T>("y", {size});
  auto a = k.scalar<f32>("a");

  Axis e("e", cfg.block);
  auto [i] = k.grid(ceil_div(size, cfg.block));
  auto x = cast<f32>(load(X(e.at(i))));
  auto y = cast<f32>(load(Y(e.at(i))));
  store(cast<T>(a * x + y), Y(e.at(i)));
}

TILE_KERNEL(axpy, Config, f32, f16, bf16);
} // namespace
