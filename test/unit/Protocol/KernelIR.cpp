//===- KernelIR.cpp - library kernels in `pipe`, for the proofs' tests -----===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "KernelIR.h"

#include "tile/dsl/Build.h"
#include "tilec/Pipeline/Compile.h"
#include "tilec/Pipeline/Dialects.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace tilec::test {

static DialectRegistry dialects() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return registry;
}

/// Reads name, element type and fields off a symbol; the kernel's own list says what the fields
/// are.
static ::tile::BuildRequest requestFor(StringRef symbol) {
  ::tile::BuildRequest request;
  auto [name, rest] = symbol.split("__");
  auto [dtype, config] = rest.split("__");
  request.kernel = name.str();
  request.dtype = dtype.str();
  for (const ::tile::KernelEntry &entry : ::tile::registeredKernels()) {
    if (entry.name != name)
      continue;
    for (const ::tile::ConfigField &field : entry.config) {
      StringRef value = config.split(field.name).second.take_while([](char c) {
        return llvm::isDigit(c) || c == '-';
      });
      if (!value.empty())
        request.config.emplace_back(field.name, value.str());
    }
  }
  return request;
}

KernelIR::KernelIR(const std::string &symbol)
    : context(dialects(), MLIRContext::Threading::DISABLED) {
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      ADD_FAILURE() << diagnostic.str();
  });
  module = ::tile::build(context, requestFor(symbol));
  CompileOptions options;
  options.until = Stage::Pipe;
  options.untilStep = "tile-insert-barriers-and-fences";
  if (!module || failed(compile(*module, options)))
    ADD_FAILURE() << symbol << " does not compile";
}

mlir::tile::KernelOp KernelIR::kernel() { return *module->getOps<mlir::tile::KernelOp>().begin(); }

std::optional<protocol::Extraction> KernelIR::extract() {
  auto result = protocol::extract(kernel());
  if (failed(result)) {
    ADD_FAILURE() << "the protocol cannot be read";
    return std::nullopt;
  }
  return std::move(*result);
}

} // namespace tilec::test
