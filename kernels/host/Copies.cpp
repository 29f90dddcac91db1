//===- Copies.cpp - chooses the kernel for an operation that moves rows -----===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Copies.h"

#include "Family.h"

using namespace tile;
using kernels::Family;

Status tile::copy(Stream stream, const Tensor &x, const Tensor &y) {
  static const Family &family = *new Family("copy", "copy");
  return family.run(stream, {}, {x, y});
}

Status tile::axpy(Stream stream, float a, const Tensor &x, const Tensor &y) {
  static const Family &family = *new Family("axpy", "axpy");
  return family.run(stream, {}, {x, y, Arg::real(DType::f32, a)});
}

Status tile::pagedCopy(Stream stream, const Tensor &pool, const Tensor &table,
                       const Tensor &lengths, const Tensor &y) {
  static const Family &family =
      *new Family("paged_copy", "paged_copy",
                  {{.field = "page", .label = "pages of"}, {.field = "dim", .label = "dim"}});
  Status status = family.checkRank("pool", pool, {"pages", "page", "dim"});
  if (status.ok())
    status = family.checkRank("table", table, {"batch", "entries"});
  if (status.ok())
    status = family.checkRank("y", y, {"batch", "rows", "dim"});
  if (!status.ok())
    return status;
  // The kernel takes an entry that is not there for page 0.
  int64_t page = pool.shape[1], rows = y.shape[1], entries = table.shape[1];
  if (page > 0 && rows > 0 && entries < rows / page + (rows % page != 0))
    return family.fail("argument 'table' dimension 1 (entries): expected at least " +
                       std::to_string(rows / page + (rows % page != 0)) + ", as 'y' has " +
                       std::to_string(rows) + " rows in pages of " + std::to_string(page) +
                       ", found " + std::to_string(entries));
  return family.run(stream, {page, pool.shape[2]}, {pool, table, lengths, y});
}

Status tile::jaggedCopy(Stream stream, const Tensor &x, const Tensor &source, const Tensor &target,
                        const Tensor &y) {
  static const Family &family = *new Family("jagged_copy", "jagged_copy");
  return family.run(stream, {}, {x, source, target, y});
}
