//===- TileToPipe.h - roles out of a plain loop ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_CONVERSION_TILETOPIPE_H
#define TILEC_CONVERSION_TILETOPIPE_H

#include <memory>

namespace mlir {
class Pass;
}

namespace tilec {

/// `convert-tile-to-pipe` (include/tilec/Conversion/Passes.td).
std::unique_ptr<mlir::Pass> createConvertTileToPipePass();
/// Makes the pass known to command lines.
void registerTileToPipePass();

} // namespace tilec

#endif // TILEC_CONVERSION_TILETOPIPE_H
