//===- Rows.cpp - operations on rows for C -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Rows.h"

#include "Reader.h"

using namespace tile;
using kernels::Reader;

tile_status tile_softmax(const DLTensor *x, const DLTensor *y, void *stream) {
  Reader read("softmax");
  Tensor from = read("x", x), to = read("y", y);
  return finish(read, stream, [&](Stream on) { return softmax(on, from, to); });
}

tile_status tile_layer_norm(const tile_layer_norm_args *args, void *stream) {
  Reader read("layer_norm");
  LayerNormTensors tensors;
  LayerNormOptions options;
  if (read.knows(args)) {
    tensors = {read("x", args->x), read("weight", args->weight), read("bias", args->bias),
               read("y", args->y)};
    options.eps = args->eps;
  }
  return finish(read, stream, [&](Stream on) { return layerNorm(on, tensors, options); });
}

tile_status tile_quantize_rows(const DLTensor *x, const DLTensor *q, const DLTensor *scale,
                               void *stream) {
  Reader read("quantize_rows");
  Tensor from = read("x", x), to = read("q", q), scales = read("scale", scale);
  return finish(read, stream, [&](Stream on) { return quantizeRows(on, from, to, scales); });
}

tile_status tile_rotary(const tile_rotary_args *args, void *stream) {
  Reader read("rotary");
  RotaryTensors tensors;
  RotaryOptions options;
  if (read.knows(args)) {
    tensors = {read("x", args->x), read("cos", args->cos), read("sin", args->sin),
               read("y", args->y)};
    options.interleaved = args->interleaved != 0;
  }
  return finish(read, stream, [&](Stream on) { return rotary(on, tensors, options); });
}

tile_status tile_log_sum_exp(const tile_log_sum_exp_args *args, void *stream) {
  Reader read("log_sum_exp");
  LogSumExpTensors tensors;
  Tensor workspace;
  if (read.knows(args)) {
    tensors = {read("x", args->x), read("y", args->y), read("ticket", args->ticket)};
    if (args->workspace)
      workspace = read("workspace", args->workspace);
  }
  return finish(read, stream, [&](Stream on) { return logSumExp(on, tensors, workspace); });
}

tile_status tile_log_sum_exp_workspace(const DLTensor *x, int64_t *bytes) {
  Reader read("log_sum_exp");
  Tensor from = read("x", x);
  if (read.failed())
    return read.report();
  return read.store("bytes", logSumExpWorkspace(from), bytes);
}
