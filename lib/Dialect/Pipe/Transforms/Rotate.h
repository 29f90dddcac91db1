//===- Rotate.h - the new forms of a loop with late products -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H

#include "LoopParts.h"

namespace tilec {

/// The late products of an iteration are issued in the next one.
void rotateLate(const LoopParts &parts, mlir::OpBuilder &builder);

/// The producer's loop with the consumer's loop's number in `pipe.ahead`; null if there is none.
mlir::scf::ForOp findProducerLoop(mlir::scf::ForOp consumer);

/// Says whether `issueAhead` can write these loops; if not, `why`.
mlir::LogicalResult canIssueAhead(const LoopParts &parts, std::string &why);

/// The early products of an iteration are issued in the one before, its late ones in the one behind; the producer
/// fills the slots trip by trip as the consumers read them.
void issueAhead(const LoopParts &parts, mlir::OpBuilder &builder);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_ROTATE_H
