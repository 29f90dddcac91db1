//===- CopyLoops.cpp - copies between buffers of other strides ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Lowering.h"

#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "host-copy-loops"

using namespace mlir;
using namespace tilec::host;

namespace {
/// A copy between contiguous buffers becomes memcpy; for all others upstream calls a function of
/// its own runtime library, which no object of ours is linked with.
struct HostCopyLoopsPass : PassWrapper<HostCopyLoopsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostCopyLoopsPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "loops for copies of buffers that are not both contiguous";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};
} // namespace

static bool isContiguous(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getLayout().isIdentity();
}

static void toLoops(memref::CopyOp copy) {
  OpBuilder b(copy);
  Location loc = copy.getLoc();
  SmallVector<Value> begin, end;
  for (int64_t axis = 0, rank = cast<MemRefType>(copy.getSource().getType()).getRank(); axis < rank;
       ++axis) {
    begin.push_back(indexConstant(b, loc, 0));
    end.push_back(memref::DimOp::create(b, loc, copy.getSource(), axis));
  }
  forEachIndex(b, loc, begin, end, [&](OpBuilder &nested, ValueRange indices) {
    Value element = memref::LoadOp::create(nested, loc, copy.getSource(), indices);
    memref::StoreOp::create(nested, loc, element, copy.getTarget(), indices);
  });
  copy.erase();
}

void HostCopyLoopsPass::runOnOperation() {
  SmallVector<memref::CopyOp> copies;
  getOperation()->walk([&](memref::CopyOp copy) {
    if (!isContiguous(copy.getSource()) || !isContiguous(copy.getTarget()))
      copies.push_back(copy);
  });
  for (memref::CopyOp copy : copies)
    toLoops(copy);
}

std::unique_ptr<Pass> tilec::createHostCopyLoopsPass() {
  return std::make_unique<HostCopyLoopsPass>();
}
