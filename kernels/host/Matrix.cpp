//===- Matrix.cpp - chooses the kernel for a product of matrices ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Matrix.h"

#include "Family.h"

using namespace tile;
using kernels::Family;
using kernels::Trait;

Status tile::matmul(Stream stream, const Tensor &a, const Tensor &b, const Tensor &c,
                    const MatmulOptions &options) {
  static const Family &family =
      *new Family("matmul", "gemm", {{.field = "transpose_b", .label = "transpose_b"}});
  Status status = family.checkRank("a", a, {"m", "k"});
  if (status.ok())
    status = options.transposeB ? family.checkRank("b", b, {"n", "k"})
                                : family.checkRank("b", b, {"k", "n"});
  if (status.ok())
    status = family.checkRank("c", c, {"m", "n"});
  return status.ok() ? family.run(stream, {options.transposeB}, {a, b, c}) : status;
}

Status tile::gatheredMatmul(Stream stream, const Tensor &a, const Tensor &rows, const Tensor &b,
                            const Tensor &c) {
  static const Family &family = *new Family("gathered_matmul", "gathered_gemm");
  return family.run(stream, {}, {a, rows, b, c});
}

Status tile::scaledMatmul(Stream stream, const ScaledMatmulTensors &tensors) {
  static const Family &family = *new Family("scaled_matmul", "scaled_gemm", {Trait::typeOf("c")});
  const auto &[a, b, scaleA, scaleB, c] = tensors;
  return family.run(stream, {kernels::typeNumber(c.dtype)}, {a, b, scaleA, scaleB, c});
}
