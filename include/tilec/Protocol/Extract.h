//===- Extract.h - the protocol of a kernel in `pipe` ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_PROTOCOL_EXTRACT_H
#define TILEC_PROTOCOL_EXTRACT_H

#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

/// The program, and the operation of each `source` in it.
struct Extraction {
  Program program;
  std::vector<mlir::Operation *> sources;
};

/// Strips the data from a kernel that has roles; nothing for one that has none. What the program
/// cannot say is an error at its operation.
llvm::FailureOr<std::optional<Extraction>> extract(mlir::tile::KernelOp kernel);

} // namespace tilec::protocol

#endif // TILEC_PROTOCOL_EXTRACT_H
