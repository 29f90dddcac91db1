//===- QuadMove.h - parts of a tile from lane to lane of a quad ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_QUADMOVE_H
#define TILEC_LIB_CONVERSION_TILETOSM_QUADMOVE_H

#include "Lowering.h"
#include "tilec/Layout/QuadRoute.h"

namespace tilec::to_sm {

/// The parts of the result, each of the element type of `source` (a vector of parts). Parts of less
/// than a word travel together; every round of the route is one shuffle.
SmallVector<Value> moveInQuad(Emitter e, const KernelState &state, const QuadTable &table,
                              Value source);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_QUADMOVE_H
