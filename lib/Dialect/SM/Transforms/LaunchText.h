//===- LaunchText.h - values of the dimensions alone, as text ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_SM_TRANSFORMS_LAUNCHTEXT_H
#define TILEC_LIB_DIALECT_SM_TRANSFORMS_LAUNCHTEXT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace tilec {

/// Writes integers that a launch determines as expressions of the launcher (tile/Expr.h).
class LaunchText {
public:
  struct Value {
    std::string text;
    bool nonNegative; ///< known to be; dimensions are
    bool positive;    ///< known to be: the launcher may divide by it
    int cost;         ///< instructions in the kernel, roughly
  };

  explicit LaunchText(mlir::func::FuncOp function);

  /// Nothing if the value is made of other things than dimensions and constants, if it is too deep,
  /// or if the launcher might divide by 0 where the kernel would not.
  std::optional<Value> of(mlir::Value value);

private:
  std::optional<Value> write(mlir::Value value);
  std::optional<Value> writeOperation(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, llvm::StringRef> names;
  llvm::DenseMap<mlir::Value, std::optional<Value>> known;
  int depth = 0;
};

} // namespace tilec

#endif // TILEC_LIB_DIALECT_SM_TRANSFORMS_LAUNCHTEXT_H
