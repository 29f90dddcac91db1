//===- Kernel.h - a kernel from text, for tests of analyses ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_ANALYSIS_KERNEL_H
#define TILEC_TEST_UNIT_ANALYSIS_KERNEL_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace tilec::test {

/// The one kernel of a module.
class Kernel {
public:
  explicit Kernel(const std::string &text) : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mlir::tile::TileDialect, mlir::pipe::PipeDialect, mlir::scf::SCFDialect,
                        mlir::arith::ArithDialect>();
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      ADD_FAILURE() << "does not parse:\n" << text;
  }

  mlir::tile::KernelOp op() { return *module->getOps<mlir::tile::KernelOp>().begin(); }
  /// All operations of a kind, in program order.
  template <class Op> std::vector<Op> all() {
    std::vector<Op> result;
    module->walk<mlir::WalkOrder::PreOrder>([&](Op found) { result.push_back(found); });
    return result;
  }

private:
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_ANALYSIS_KERNEL_H
