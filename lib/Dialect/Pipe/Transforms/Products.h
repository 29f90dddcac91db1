//===- Products.h - products in flight in a rotated loop ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_PRODUCTS_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_PRODUCTS_H

#include "LoopParts.h"

#include "mlir/IR/IRMapping.h"

namespace tilec {

/// Products that were issued and not waited for, oldest first: the original and its value in
/// flight.
using Flying = llvm::SmallVector<std::pair<mlir::tile::GemmOp, mlir::Value>>;

/// Clones `ops`, each product as one that is issued and left in flight.
Flying issueProducts(mlir::OpBuilder &builder, const OpList &ops, mlir::IRMapping &mapping);

/// Maps the products to their finished values. `younger` products were issued after all of
/// `flying`.
void awaitProducts(mlir::OpBuilder &builder, const Flying &flying, mlir::IRMapping &mapping,
                   int64_t younger);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_PRODUCTS_H
