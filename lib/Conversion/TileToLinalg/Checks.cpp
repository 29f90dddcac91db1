//===- Checks.cpp - failed checks end their CTA ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The first message goes to the launcher's `tile::HostReport`. The buffers that the CTA holds at
// that point are freed from a list: no structure is left that says which they are.
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "Lowering.h"

#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "host-checks"

using namespace mlir;

namespace {
struct HostChecksPass : PassWrapper<HostChecksPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostChecksPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "failed checks report to the launcher and leave the function that runs their CTA";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};
} // namespace

/// Stores the message, if it is the first, and the CTA's number behind it.
static void buildReport(OpBuilder &b, Location loc, StringRef message, Value report, Value cta,
                        Region &region, Block *exit) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value text = tilec::host::textAddress(b, loc, message);
  Value none = LLVM::ZeroOp::create(b, loc, pointer);
  Value exchange = LLVM::AtomicCmpXchgOp::create(
      b, loc, report, none, text, LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::monotonic);
  Value isFirst = LLVM::ExtractValueOp::create(b, loc, exchange, 1);
  Block *first = b.createBlock(&region);
  b.setInsertionPointAfter(isFirst.getDefiningOp());
  cf::CondBranchOp::create(b, loc, isFirst, first, exit);
  b.setInsertionPointToEnd(first);
  Value place = LLVM::GEPOp::create(b, loc, pointer, pointer, report, ArrayRef<LLVM::GEPArg>{1});
  LLVM::StoreOp::create(b, loc, cta, place);
  cf::BranchOp::create(b, loc, exit);
}

/// `exit` is where a failed check goes after its report.
static void lowerCheck(cf::AssertOp check, func::FuncOp function, Block *exit) {
  Location loc = check.getLoc();
  Value report = function.getArguments().take_back(2).front(), cta = function.getArguments().back();
  Region &region = function.getBody();
  Block *here = check->getBlock();
  Block *next = here->splitBlock(check->getNextNode());
  OpBuilder b(check);
  Block *failed = b.createBlock(&region);
  buildReport(b, loc, check.getMsg(), report, cta, region, exit);
  b.setInsertionPointToEnd(here);
  cf::CondBranchOp::create(b, loc, check.getArg(), next, failed);
  check.erase();
}

void HostChecksPass::runOnOperation() {
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    SmallVector<cf::AssertOp> checks;
    function.walk([&](cf::AssertOp check) { checks.push_back(check); });
    if (checks.empty())
      continue;
    OpBuilder b(&getContext());
    Block *exit = b.createBlock(&function.getBody(), function.getBody().end());
    func::ReturnOp::create(b, function.getLoc());
    exit = tilec::host::buildRelease(b, function.getLoc(), tilec::host::keepListOfBuffers(function),
                                     exit);
    for (cf::AssertOp check : checks)
      lowerCheck(check, function, exit);
  }
}

std::unique_ptr<Pass> tilec::createHostChecksPass() { return std::make_unique<HostChecksPass>(); }
