//===- StagesTest.cpp - every stage of every kernel can be read back ------===//
// SPDX-License-Identifier: Apache-2.0
//
// What tilec --save-stages writes can be changed by hand and given back to it, so the text says all
// and is accepted.

#include "KernelRequest.h"
#include "tile/KernelInfo.h"
#include "tile/kernels/all.h"
#include "tile/kernels/faults.h"
#include "tile/kernels/loops.h"
#include "tile/kernels/ops.h"
#include "tilec/Pipeline/Dialects.h"
#include "tilec/Pipeline/Pipeline.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <map>

using namespace mlir;

namespace {
/// As Compile.cpp writes it.
std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool generic = !module.getOps<LLVM::LLVMFuncOp>().empty();
  module.print(os, OpPrintingFlags().enableDebugInfo(true).printGenericOpForm(generic));
  return text;
}

/// The last variant of each kernel of the library, and all unusual kernels.
std::vector<const tile::KernelInfo *> kernels() {
  std::vector<const tile::KernelInfo *> result;
  const std::string elsewhere = "random_program"; // built by FuzzTests
  std::map<std::string, const tile::KernelInfo *> last;
  for (const tile::KernelInfo *kernel : tile::kernels::all())
    last[kernel->source] = kernel;
  for (auto &[source, kernel] : last)
    result.push_back(kernel);
  for (auto list : {tile::kernels::faults(), tile::kernels::loops(), tile::kernels::ops()})
    llvm::copy_if(list, std::back_inserter(result),
                  [&](const tile::KernelInfo *kernel) { return kernel->source != elsewhere; });
  return result;
}

class Stages : public testing::TestWithParam<const tile::KernelInfo *> {
protected:
  Stages() : context(registry(), MLIRContext::Threading::DISABLED) {
    context.getDiagEngine().registerHandler([&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        said += diagnostic.str() + "\n";
      return success();
    });
  }

  void readBack(ModuleOp module) {
    std::string text = print(module);
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(text, &context);
    ASSERT_TRUE(again) << said;
    EXPECT_EQ(print(*again), text);
  }

  static DialectRegistry registry() {
    DialectRegistry registry;
    tilec::registerAllDialects(registry);
    return registry;
  }

  std::string said;
  MLIRContext context;
};
} // namespace

TEST_P(Stages, CanBeReadBack) {
  for (bool simple : {false, true}) {
    OwningOpRef<ModuleOp> module = tile::build(context, tile::test::requestOf(GetParam()->symbol));
    ASSERT_TRUE(module) << said;
    readBack(*module);
    for (const tilec::Step &step : tilec::pipelineSteps()) {
      if (simple && step.scheduled)
        continue;
      SCOPED_TRACE(step.name.str() + (simple ? " of the simple path" : ""));
      PassManager manager(module.get()->getName());
      manager.enableVerifier(false);
      step.add(manager);
      ASSERT_TRUE(succeeded(manager.run(*module))) << said;
      tilec::markStep(*module, step);
      ASSERT_NO_FATAL_FAILURE(readBack(*module));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Library, Stages, testing::ValuesIn(kernels()),
                         [](const testing::TestParamInfo<const tile::KernelInfo *> &info) {
                           return std::string(info.param->symbol);
                         });
