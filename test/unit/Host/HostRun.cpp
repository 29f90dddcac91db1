//===- HostRun.cpp - compile tile IR and run it in this process -----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "tile/KernelInfo.h"
#include "tilec/Dialect/Tile/IR/Tile.h"
#include "tilec/Target/Host.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace tilec::test {

Arguments &Arguments::tensor(void *data, std::vector<int64_t> extents,
                             std::vector<int64_t> strides) {
  push(reinterpret_cast<uint64_t>(data));
  for (int64_t extent : extents)
    scalar(extent);
  for (int64_t stride : strides)
    scalar(stride);
  return *this;
}

Arguments &Arguments::tensor(void *data, std::vector<int64_t> extents) {
  std::vector<int64_t> strides(extents.size() - 1);
  int64_t stride = 1;
  for (size_t dim = extents.size() - 1; dim > 0; --dim)
    strides[dim - 1] = stride *= extents[dim];
  return tensor(data, extents, strides);
}

std::vector<void *> Arguments::pointers() {
  std::vector<void *> result;
  for (uint64_t &slot : slots)
    result.push_back(&slot);
  return result;
}

static FailureOr<std::string> compile(const std::string &ir, const std::string &cpu) {
  DialectRegistry registry;
  registry.insert<mlir::tile::TileDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(ir, &context);
  if (!module)
    return failure();
  HostOptions options;
  options.cpu = cpu;
  return emitHostObject(*module, options);
}

HostKernel::HostKernel(const std::string &ir, const std::string &cpu) {
  FailureOr<std::string> bytes = compile(ir, cpu);
  if (failed(bytes)) {
    ADD_FAILURE() << "did not compile:\n" << ir;
    return;
  }
  llvm::Expected<LoadedHostObject> loaded = LoadedHostObject::load(*bytes);
  if (!loaded) {
    ADD_FAILURE() << llvm::toString(loaded.takeError());
    return;
  }
  llvm::Expected<LoadedHostObject::Function> found = loaded->function("k");
  if (!found) {
    ADD_FAILURE() << llvm::toString(found.takeError());
    return;
  }
  function = *found;
  object = std::make_shared<LoadedHostObject>(std::move(*loaded));
}

std::string HostKernel::operator()(Arguments &arguments, int64_t ctas) const {
  std::vector<void *> params = arguments.pointers();
  ::tile::HostReport report, *where = &report;
  params.insert(params.end(), {&ctas, &where});
  if (function)
    function(params.data(), 0, ctas);
  return report.message ? report.message.load() : "";
}

} // namespace tilec::test
