//===- Rows.cpp - chooses the kernel for an operation on rows ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Rows.h"

#include "Family.h"

#include <algorithm>

using namespace tile;
using kernels::Family;
using kernels::Fit;
using kernels::Trait;

namespace {
/// A row of up to `block_cols` is read once, longer ones twice.
constexpr Trait rowLength = {.field = "block_cols", .label = "cols", .fit = Fit::nearest};
} // namespace

Status tile::softmax(Stream stream, const Tensor &x, const Tensor &y) {
  static const Family &family = *new Family("softmax", "softmax", {rowLength});
  Status status = family.checkRank("x", x, {"rows", "cols"});
  return status.ok() ? family.run(stream, {x.shape[1]}, {x, y}) : status;
}

Status tile::layerNorm(Stream stream, const LayerNormTensors &tensors,
                       const LayerNormOptions &options) {
  static const Family &family = *new Family("layer_norm", "layer_norm", {rowLength});
  const auto &[x, weight, bias, y] = tensors;
  Status status = family.checkRank("x", x, {"rows", "cols"});
  return status.ok() ? family.run(stream, {x.shape[1]},
                                  {x, weight, bias, y, Arg::real(DType::f32, options.eps)})
                     : status;
}

Status tile::quantizeRows(Stream stream, const Tensor &x, const Tensor &q, const Tensor &scale) {
  static const Family &family = *new Family("quantize_rows", "quantize_rows", {rowLength});
  Status status = family.checkRank("x", x, {"rows", "cols"});
  return status.ok() ? family.run(stream, {x.shape[1]}, {x, q, scale}) : status;
}

Status tile::rotary(Stream stream, const RotaryTensors &tensors, const RotaryOptions &options) {
  static const Family &family = *new Family("rotary", "rotary",
                                            {{.field = "head_dim", .label = "head_dim"},
                                             {.field = "interleaved", .label = "interleaved"}});
  const auto &[x, cos, sin, y] = tensors;
  Status status = family.checkRank("x", x, {"batch", "seq", "heads", "head_dim"});
  return status.ok() ? family.run(stream, {x.shape[3], options.interleaved}, {x, cos, sin, y})
                     : status;
}

namespace {
const Family &logSumExpFamily() {
  static const Family &family = *new Family("log_sum_exp", "split_logsumexp");
  return family;
}

/// In how many parts a row is read: enough for the whole device, each of two blocks or more.
Result<int64_t> splitsOf(const Tensor &x) {
  if (Status status = logSumExpFamily().checkRank("x", x, {"rows", "cols"}); !status.ok())
    return status;
  Result<int64_t> multiprocessors = smCount(x.device);
  if (!multiprocessors.ok())
    return logSumExpFamily().fail(multiprocessors.message());
  constexpr int64_t ctas = 16, leastCols = 2048; // of a multiprocessor; of a part
  int64_t rows = std::max<int64_t>(x.shape[0], 1), cols = std::max<int64_t>(x.shape[1], 0);
  int64_t useful = cols / leastCols + (cols % leastCols != 0);
  int64_t enough = *multiprocessors * ctas / rows + (*multiprocessors * ctas % rows != 0);
  return std::clamp<int64_t>(useful, 1, enough);
}
} // namespace

Result<int64_t> tile::logSumExpWorkspace(const Tensor &x) {
  Result<int64_t> splits = splitsOf(x);
  if (!splits.ok())
    return splits.status();
  int64_t bytes = 0;
  if (__builtin_mul_overflow(*splits * 4, std::max<int64_t>(x.shape[0], 0), &bytes))
    return logSumExpFamily().fail("argument 'x': the shape " + shapeText(x.extents()) +
                                  " exceeds the address space");
  return bytes;
}

Status tile::logSumExp(Stream stream, const LogSumExpTensors &tensors, const Tensor &workspace) {
  const auto &[x, y, ticket] = tensors;
  Result<int64_t> splits = splitsOf(x), bytes = logSumExpWorkspace(x);
  if (!splits.ok() || !bytes.ok())
    return splits.ok() ? bytes.status() : splits.status();
  if (Status status = kernels::checkWorkspace(workspace, *bytes); !status.ok())
    return logSumExpFamily().fail(status.message());
  // In the kernel's element type. There may be none where none is needed.
  Tensor parts(workspace.data, DType::f32, {x.shape[0], *splits},
               *bytes > 0 ? workspace.device : x.device);
  return logSumExpFamily().run(stream, {}, {x, y, parts, ticket});
}
