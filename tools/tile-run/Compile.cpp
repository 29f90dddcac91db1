//===- Compile.cpp - from a kernel's name to something to launch ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "tilec/Pipeline/Compile.h"
#include "tilec/Pipeline/Dialects.h"
#include "tilec/Pipeline/Input.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/SourceMgr.h"

using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
/// "name=value,name=value"; parseOptions has checked the form.
std::vector<std::pair<std::string, std::string>> splitConfig(llvm::StringRef text) {
  std::vector<std::pair<std::string, std::string>> fields;
  llvm::SmallVector<llvm::StringRef> items;
  text.split(items, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef item : items)
    fields.emplace_back(item.split('=').first.str(), item.split('=').second.str());
  return fields;
}

Status linkHostObject(const std::string &object, const tilec::KernelDesc &desc,
                      CompiledKernel &compiled, tile::HostFunction &function) {
  llvm::Expected<tilec::LoadedHostObject> loaded = tilec::LoadedHostObject::load(object);
  if (!loaded)
    return Status::error(llvm::toString(loaded.takeError()));
  auto found = loaded->function(desc.symbol);
  if (!found)
    return Status::error(llvm::toString(found.takeError()));
  function = *found;
  compiled.object = std::move(*loaded);
  return {};
}
} // namespace

Result<CompiledKernel> compileKernel(const Options &options, tile::Device target) {
  mlir::DialectRegistry registry;
  tilec::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics(sources, &context);
  auto module =
      tilec::loadKernel(context, {options.kernel, options.dtype, splitConfig(options.config)});
  if (!module)
    return Status::error("there is no kernel to run");
  tilec::CompileOptions compileOptions;
  compileOptions.target =
      target == tile::Device::host ? tilec::TargetKind::Host : tilec::TargetKind::Cuda;
  llvm::FailureOr<tilec::CompileResult> result = tilec::compile(*module, compileOptions);
  if (llvm::failed(result))
    return Status::error(std::string("the kernel does not compile for ") + tile::name(target));

  CompiledKernel compiled;
  tile::HostFunction function = nullptr;
  compiled.image = std::make_unique<std::string>(std::move(result->cubin.bytes));
  if (target == tile::Device::host)
    if (Status status = linkHostObject(result->object, result->desc, compiled, function);
        !status.ok())
      return status;
  const void *image = compiled.image->empty() ? nullptr : compiled.image->data();
  compiled.tables = std::make_unique<tilec::KernelTables>(std::move(result->desc), image, function);
  return compiled;
}

} // namespace tilerun
