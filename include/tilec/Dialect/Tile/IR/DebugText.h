//===- DebugText.h - what kernels print, on every target --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_TILE_IR_DEBUGTEXT_H
#define TILEC_DIALECT_TILE_IR_DEBUGTEXT_H

#include "tilec/Dialect/Tile/IR/Tile.h"

#include <string>

namespace tilec {

/// For printf: the line of one element, "label[%d, %d] = %.9g (CTA %lld)\n". Its values are the
/// element's coordinates (i32), the element (integers of up to 32 bits and masks as i32, floats as
/// a double) and the CTA's number (i64).
std::string printFormat(mlir::tile::PrintOp op);

/// "file.cpp:12: check failed: MESSAGE". The line is the author's: of helpers, the innermost.
std::string checkText(mlir::tile::CheckOp op);

/// The text as a printf format that prints it.
std::string escapeFormat(llvm::StringRef text);

} // namespace tilec

#endif // TILEC_DIALECT_TILE_IR_DEBUGTEXT_H
