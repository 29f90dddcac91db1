//===- Cast.cpp - conversions of elements ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Dsl.h"

using namespace tile;

namespace {
struct Config {
  int to = 0;           // 0 f32, 1 f16, 2 bf16, 3 e4m3, 4 e5m2
  bool saturate = true; // to 8 bits
};
TILE_CONFIG(Config, to, saturate);

template <class To, class From> Fragment<To> converted(const Fragment<From> &x, bool saturate) {
  if constexpr (detail::Float8<To>)
    return cast<To>(x, saturate ? overflow::saturate : overflow::nonfinite);
  else
    return cast<To>(x);
}

template <class To, class From> void castTo(Kernel &k, const Config &cfg) {
  Dim size("size");
  auto X = k.input<From>("x", {size});
  auto Y = k.output<To>("y", {size});

  Axis e("e", 1024);
  auto [i] = k.grid(ceil_div(size, 1024));
  store(converted<To>(load(X(e.at(i))), cfg.saturate), Y(e.at(i)));
}

template <class T> void cast_elements(Kernel &k, const Config &cfg) {
  switch (cfg.to) {
  case 0:
    return castTo<f32, T>(k, cfg);
  case 1:
    return castTo<f16, T>(k, cfg);
  case 2:
    return castTo<bf16, T>(k, cfg);
  case 3:
    return castTo<e4m3, T>(k, cfg);
  default:
    return castTo<e5m2, T>(k, cfg);
  }
}
TILE_KERNEL(cast_elements, Config, f32, f16, bf16, e4m3, e5m2);

struct Empty {};
TILE_CONFIG(Empty);

/// One element at a time, and integers: y[i] = x[i] as an integer, z = x[0] in the other 8-bit
/// type.
template <class T> void cast_scalars(Kernel &k, const Empty &) {
  using Other = std::conditional_t<std::same_as<T, e4m3>, e5m2, e4m3>;
  auto X = k.input<T>("x", {64});
  auto Y = k.output<i32>("y", {64});
  auto Back = k.output<T>("back", {64});
  auto Z = k.output<Other>("z", {1});

  Axis e("e", 64);
  k.grid(1);
  auto whole = cast<i32>(load(X(e)));
  store(whole, Y(e));
  store(cast<T>(whole), Back(e));
  store(cast<Other>(X(0)), Z.at({0}));
}
TILE_KERNEL(cast_scalars, Empty, e4m3, e5m2);
} // namespace
