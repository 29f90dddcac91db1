//===- Fill.h - random content of tensors -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_FILL_H
#define TILE_RUN_FILL_H

#include "Options.h"

#include "tile/Tensor.h"

#include <vector>

namespace tilerun {

/// `count` elements as `spec` says: normal(0, 1) for floats, a fair coin for i1, or uniform in the
/// range. Other integers without a range are an error: no distribution is right for an index.
/// `stream` keeps the tensors of one kernel apart under one seed. The same on every machine.
tile::Result<std::vector<char>> randomElements(const InputSpec &spec, tile::DType dtype,
                                               int64_t count, uint64_t stream);

} // namespace tilerun

#endif // TILE_RUN_FILL_H
