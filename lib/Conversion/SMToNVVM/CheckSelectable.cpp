//===- CheckSelectable.cpp - nothing reaches LLVM that it cannot select ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Where NVPTX finds no instruction for an operation it ends the process. This pass knows the
// operations it does select and reports all others where the author wrote them.
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/SMToNVVM.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

#define DEBUG_TYPE "nvvm-check-selectable"

using namespace mlir;
using namespace tilec;

namespace {

/// Operations of the LLVM dialect, without the prefix `llvm.`.
const llvm::StringSet<> &selectable() {
  static const llvm::StringSet<> names{
      // clang-format off
      "mlir.global", "func", "return", "br", "cond_br", "switch", "unreachable",
      "mlir.constant", "mlir.zero", "mlir.undef", "mlir.poison", "mlir.addressof",
      "add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "and", "or", "xor", "shl", "lshr", "ashr",
      "fadd", "fsub", "fmul", "fdiv", "fneg", "icmp", "fcmp", "select", "freeze",
      "trunc", "zext", "sext", "fptrunc", "fpext", "sitofp", "uitofp", "fptosi", "fptoui",
      "alloca", "bitcast", "inttoptr", "ptrtoint", "getelementptr", "load", "store",
      "extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue",
      "inline_asm", "call_intrinsic",
      "intr.fma", "intr.fabs", "intr.copysign", "intr.floor", "intr.ceil", "intr.trunc",
      "intr.rint", "intr.roundeven", "intr.round", "intr.sqrt", "intr.maxnum", "intr.minnum",
      "intr.maximum", "intr.minimum", "intr.smax", "intr.smin", "intr.umax", "intr.umin",
      "intr.abs", "intr.ctpop", "intr.ctlz", "intr.cttz", "intr.bitreverse", "intr.bswap",
      "intr.fshl", "intr.fshr", "intr.assume",
      "intr.vector.reduce.add", "intr.vector.reduce.mul", "intr.vector.reduce.and",
      "intr.vector.reduce.or", "intr.vector.reduce.xor", "intr.vector.reduce.smax",
      "intr.vector.reduce.smin", "intr.vector.reduce.umax", "intr.vector.reduce.umin",
      "intr.vector.reduce.fadd", "intr.vector.reduce.fmul", "intr.vector.reduce.fmax",
      "intr.vector.reduce.fmin"
      // clang-format on
  };
  return names;
}

struct CheckSelectablePass : PassWrapper<CheckSelectablePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckSelectablePass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "reports operations for which the GPU has no instruction";
  }

  /// A cast between types is left over because of an operation next to it: that one is reported.
  void runOnOperation() override {
    Operation *leftOverCast = nullptr;
    bool good = true;
    getOperation().walk([&](Operation *op) {
      if (isa<UnrealizedConversionCastOp>(op))
        leftOverCast = op;
      else if (!isa<ModuleOp>(op) && failed(check(op)))
        good = false;
    });
    if (good && leftOverCast)
      good = succeeded(check(leftOverCast));
    if (!good)
      signalPassFailure();
  }

private:
  static LogicalResult check(Operation *op) {
    if (isa_and_present<NVVM::NVVMDialect>(op->getDialect()))
      return success();
    StringRef name = op->getName().getStringRef();
    if (!isa_and_present<LLVM::LLVMDialect>(op->getDialect()))
      return op->emitOpError("has no lowering to the GPU with these types");
    if (auto call = dyn_cast<LLVM::CallIntrinsicOp>(op);
        call && !call.getIntrin().starts_with("llvm.nvvm."))
      return call.emitOpError("expected an NVVM intrinsic, found ") << call.getIntrin();
    if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee() == "vprintf")
      return success(); // a function of every driver
    name.consume_front("llvm.");
    if (selectable().contains(name))
      return success();
    return op->emitOpError("has no instruction on the GPU; tile-legalize-math writes such "
                           "functions with exp2, log2, reciprocal and square root");
  }
};

} // namespace

std::unique_ptr<Pass> tilec::createCheckSelectablePass() {
  return std::make_unique<CheckSelectablePass>();
}
