//===- Matrix.cpp - products of matrices for C -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Matrix.h"

#include "Reader.h"

using namespace tile;
using kernels::Reader;

tile_status tile_matmul(const DLTensor *a, const DLTensor *b, const DLTensor *c,
                        int32_t transpose_b, void *stream) {
  Reader read("matmul");
  Tensor left = read("a", a), right = read("b", b), product = read("c", c);
  return finish(read, stream, [&](Stream on) {
    return matmul(on, left, right, product, {.transposeB = transpose_b != 0});
  });
}

tile_status tile_gathered_matmul(const DLTensor *a, const DLTensor *rows, const DLTensor *b,
                                 const DLTensor *c, void *stream) {
  Reader read("gathered_matmul");
  Tensor left = read("a", a), picked = read("rows", rows), right = read("b", b);
  Tensor product = read("c", c);
  return finish(read, stream,
                [&](Stream on) { return gatheredMatmul(on, left, picked, right, product); });
}

tile_status tile_scaled_matmul(const tile_scaled_matmul_args *args, void *stream) {
  Reader read("scaled_matmul");
  ScaledMatmulTensors tensors;
  if (read.knows(args))
    tensors = {read("a", args->a), read("b", args->b), read("scale_a", args->scale_a),
               read("scale_b", args->scale_b), read("c", args->c)};
  return finish(read, stream, [&](Stream on) { return scaledMatmul(on, tensors); });
}
