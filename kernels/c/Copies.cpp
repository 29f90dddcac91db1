//===- Copies.cpp - moving rows for C ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Copies.h"

#include "Reader.h"

using namespace tile;
using kernels::Reader;

tile_status tile_copy(const DLTensor *x, const DLTensor *y, void *stream) {
  Reader read("copy");
  Tensor from = read("x", x), to = read("y", y);
  return finish(read, stream, [&](Stream on) { return copy(on, from, to); });
}

tile_status tile_axpy(float a, const DLTensor *x, const DLTensor *y, void *stream) {
  Reader read("axpy");
  Tensor from = read("x", x), to = read("y", y);
  return finish(read, stream, [&](Stream on) { return axpy(on, a, from, to); });
}

tile_status tile_paged_copy(const DLTensor *pool, const DLTensor *table, const DLTensor *lengths,
                            const DLTensor *y, void *stream) {
  Reader read("paged_copy");
  Tensor pages = read("pool", pool), entries = read("table", table);
  Tensor length = read("lengths", lengths), to = read("y", y);
  return finish(read, stream, [&](Stream on) { return pagedCopy(on, pages, entries, length, to); });
}

tile_status tile_jagged_copy(const DLTensor *x, const DLTensor *source, const DLTensor *target,
                             const DLTensor *y, void *stream) {
  Reader read("jagged_copy");
  Tensor from = read("x", x), sources = read("source", source), targets = read("target", target);
  Tensor to = read("y", y);
  return finish(read, stream,
                [&](Stream on) { return jaggedCopy(on, from, sources, targets, to); });
}
