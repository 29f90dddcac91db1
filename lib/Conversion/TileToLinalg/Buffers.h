//===- Buffers.h - the buffers that a CTA holds ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOLINALG_BUFFERS_H
#define TILEC_LIB_CONVERSION_TILETOLINALG_BUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tilec::host {

/// Keeps a list of the buffers that `function` has allocated and not freed, so that it can be left
/// anywhere. Returns the list: a node that stands in none of them.
mlir::Value keepListOfBuffers(mlir::func::FuncOp function);

/// Blocks that free all buffers of `list` and go on at `exit`; returns the first of them.
mlir::Block *buildRelease(mlir::OpBuilder &b, mlir::Location loc, mlir::Value list,
                          mlir::Block *exit);

} // namespace tilec::host

#endif // TILEC_LIB_CONVERSION_TILETOLINALG_BUFFERS_H
