//===- Lists.cpp - chooses the kernel for an operation that makes lists -----===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Lists.h"

#include "Family.h"

using namespace tile;
using kernels::Family;
using kernels::Fit;

Status tile::topK(Stream stream, const Tensor &x, const Tensor &length, const Tensor &position,
                  const Tensor &value) {
  static const Family &family =
      *new Family("top_k", "top_k", {{.field = "most", .label = "k", .fit = Fit::most}});
  Status status = family.checkRank("position", position, {"rows", "k"});
  return status.ok() ? family.run(stream, {position.shape[1]}, {x, length, position, value})
                     : status;
}

Status tile::blockLists(Stream stream, const Tensor &mask, const Tensor &count,
                        const Tensor &block) {
  static const Family &family = *new Family(
      "block_lists", "block_lists", {{.field = "most", .label = "k_blocks", .fit = Fit::most}});
  Status status = family.checkRank("mask", mask, {"batch", "heads", "q_blocks", "k_blocks"});
  return status.ok() ? family.run(stream, {mask.shape[3]}, {mask, count, block}) : status;
}

Status tile::orderByCost(Stream stream, const Tensor &cost, const Tensor &order) {
  static const Family &family = *new Family("order_by_cost", "order_by_cost");
  return family.run(stream, {}, {cost, order});
}

Status tile::histogram(Stream stream, const Tensor &x, const Tensor &count) {
  static const Family &family =
      *new Family("histogram", "histogram", {{.field = "bins", .label = "bins"}});
  Status status = family.checkRank("count", count, {"bins"});
  return status.ok() ? family.run(stream, {count.shape[0]}, {x, count}) : status;
}
