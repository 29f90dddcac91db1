//===- TileOrder.h - in which order the tiles of a product are computed ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_COMMON_TILEORDER_H
#define KERNELS_COMMON_TILEORDER_H

#include "tile/dsl/Dsl.h"

namespace kernels {

/// Tiles in an order that reuses rows of `a` and columns of `b` while they are in L2: column by
/// column through bands of eight rows of tiles.
inline std::pair<tile::Index, tile::Index>
banded(const tile::Index &number, const tile::Dim &tile_rows, const tile::Dim &tile_cols) {
  tile::Index band = number / (8 * tile_cols);
  tile::Index within = number % (8 * tile_cols);
  tile::Index height = min(tile_rows - band * 8, 8);
  return {band * 8 + within % height, within / height};
}

/// What products of T are rounded to.
template <class T> struct ProductOf {
  using type = T;
};
template <> struct ProductOf<tile::e4m3> {
  using type = tile::bf16;
};
template <> struct ProductOf<tile::e5m2> {
  using type = tile::bf16;
};

} // namespace kernels

#endif // KERNELS_COMMON_TILEORDER_H
