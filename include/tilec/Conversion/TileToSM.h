//===- TileToSM.h - per-thread code from laid-out tiles ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_TILETOSM_H
#define TILEC_CONVERSION_TILETOSM_H

#include <memory>

namespace mlir {
class Pass;
}

namespace tilec {

/// `convert-tile-to-sm` (include/tilec/Conversion/Passes.td).
std::unique_ptr<mlir::Pass> createConvertTileToSMPass();
/// Makes the pass known to command lines.
void registerTileToSMPass();

} // namespace tilec

#endif // TILEC_CONVERSION_TILETOSM_H
