//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_NPY_H
#define TILE_RUN_NPY_H

#include "tile/Status.h"
#include "tile/Tensor.h"

#include <string>
#include <vector>

namespace tilerun {

/// A dense row-major array as it lies in a file.
struct NpyArray {
  /// NumPy's type string: "<f4".
  std::string descr;
  std::vector<int64_t> shape;
  std::vector<char> data;
};

/// Reads versions 1 to 3 of the format. Fortran order, big-endian and structured types are errors.
tile::Result<NpyArray> readNpy(const std::string &path);

tile::Status writeNpy(const std::string &path, const NpyArray &array);

/// The type string in which elements travel: bf16 as "<u2" and fp8 as "|u1", bit patterns both.
const char *npyType(tile::DType dtype);

/// The array's elements in `dtype`. Taken as they are where the types agree; "<f4" and "<f8" are
/// rounded to any float type; "|b1", "|u1" and "|i1" all serve for i1 and i8.
tile::Result<std::vector<char>> convertNpy(const NpyArray &array, tile::DType dtype);

} // namespace tilerun

#endif // TILE_RUN_NPY_H
