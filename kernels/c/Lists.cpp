//===- Lists.cpp - selecting, ordering, counting for C -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Lists.h"

#include "Reader.h"

using namespace tile;
using kernels::Reader;

tile_status tile_top_k(const DLTensor *x, const DLTensor *length, const DLTensor *position,
                       const DLTensor *value, void *stream) {
  Reader read("top_k");
  Tensor from = read("x", x), lengths = read("length", length);
  Tensor positions = read("position", position), values = read("value", value);
  return finish(read, stream,
                [&](Stream on) { return topK(on, from, lengths, positions, values); });
}

tile_status tile_block_lists(const DLTensor *mask, const DLTensor *count, const DLTensor *block,
                             void *stream) {
  Reader read("block_lists");
  Tensor from = read("mask", mask), counts = read("count", count), blocks = read("block", block);
  return finish(read, stream, [&](Stream on) { return blockLists(on, from, counts, blocks); });
}

tile_status tile_order_by_cost(const DLTensor *cost, const DLTensor *order, void *stream) {
  Reader read("order_by_cost");
  Tensor costs = read("cost", cost), to = read("order", order);
  return finish(read, stream, [&](Stream on) { return orderByCost(on, costs, to); });
}

tile_status tile_histogram(const DLTensor *x, const DLTensor *count, void *stream) {
  Reader read("histogram");
  Tensor from = read("x", x), counts = read("count", count);
  return finish(read, stream, [&](Stream on) { return histogram(on, from, counts); });
}
