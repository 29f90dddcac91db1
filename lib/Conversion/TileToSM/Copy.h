//===- Copy.h - which thread copies which chunk of a tile --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A shared tile is copied in chunks of up to 16 bytes of a row; consecutive threads take
// consecutive chunks, so a warp reads whole lines and writes shared memory without bank conflicts.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_COPY_H
#define TILEC_LIB_CONVERSION_TILETOSM_COPY_H

#include "Address.h"

namespace tilec::to_sm {

/// Chunks of one thread whose coordinates differ by constants.
struct ChunkGroup {
  SmallVector<ThreadCoord> coords;         // of the first element, per axis
  SmallVector<SmallVector<int64_t>> steps; // added to them, one per chunk
  Value active;                            // whether the last chunk exists; null if always
};

/// Spreads the chunks of a tile, `length` elements each, over the threads.
SmallVector<ChunkGroup> spreadChunks(Emitter e, const KernelState &state, ArrayRef<int64_t> extents,
                                     int64_t length);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_COPY_H
