//===- Compile.cpp - from a kernel's name to something to launch ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Compile.h"

#include "tilec/Interpreter/HostKernel.h"
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

mlir::DialectRegistry allDialects() {
  mlir::DialectRegistry registry;
  tilec::registerAllDialects(registry);
  return registry;
}
} // namespace

struct Interpreted {
  Interpreted() : context(allDialects()), diagnostics(sources, &context) {
    context.printOpOnDiagnostic(false);
  }

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::unique_ptr<tilec::InterpretedKernel> kernel;
};

bool CompiledKernel::hasFailed() const { return interpreted && interpreted->kernel->hasFailed(); }

namespace {
/// Makes the function that runs the module's kernel in the interpreter.
Status interpret(std::shared_ptr<Interpreted> compiler, uint64_t seed, CompiledKernel &compiled) {
  auto kernels = compiler->module->getOps<mlir::func::FuncOp>();
  if (kernels.empty())
    return Status::error("--target=sm: expected a kernel that has not left the stage 'sm'");
  auto kernel = tilec::InterpretedKernel::create(*kernels.begin());
  if (llvm::failed(kernel))
    return Status::error("the kernel cannot be interpreted");
  compiler->kernel = std::move(*kernel);
  compiler->kernel->seed = seed;
  compiled.tables = std::make_unique<tilec::KernelTables>(compiler->kernel->desc(), nullptr,
                                                          compiler->kernel->function());
  compiled.interpreted = std::move(compiler);
  return {};
}
} // namespace

Result<CompiledKernel> compileKernel(const Options &options, tile::Device target) {
  auto compiler = std::make_shared<Interpreted>();
  std::string wrongArgument = "there is no kernel to run";
  {
    // What has no line of a source is about the command line.
    mlir::ScopedDiagnosticHandler loading(
        &compiler->context, [&](const mlir::Diagnostic &diagnostic) {
          if (!llvm::isa<mlir::UnknownLoc>(diagnostic.getLocation()))
            return llvm::failure(); // printed by the next handler
          wrongArgument = diagnostic.str();
          return llvm::success();
        });
    compiler->module = tilec::loadKernel(
        compiler->context, {options.kernel, options.dtype, splitConfig(options.config)});
  }
  if (!compiler->module)
    return Status::error(wrongArgument);
  bool host = target == tile::Device::host && !options.interpret;
  tilec::CompileOptions compileOptions;
  compileOptions.target = host ? tilec::TargetKind::Host : tilec::TargetKind::Cuda;
  compileOptions.simple = options.simple;
  if (options.interpret)
    compileOptions.until = tilec::Stage::SM;
  llvm::FailureOr<tilec::CompileResult> result = tilec::compile(*compiler->module, compileOptions);
  if (llvm::failed(result))
    return Status::error(std::string("the kernel does not compile for ") +
                         (options.interpret ? "the interpreter" : tile::name(target)));

  CompiledKernel compiled;
  if (options.interpret) {
    Status status = interpret(std::move(compiler), options.seed, compiled);
    return status.ok() ? Result<CompiledKernel>(std::move(compiled)) : status;
  }
  tile::HostFunction function = nullptr;
  compiled.image = std::make_unique<std::string>(std::move(result->cubin.bytes));
  if (host)
    if (Status status = linkHostObject(result->object, result->desc, compiled, function);
        !status.ok())
      return status;
  const void *image = compiled.image->empty() ? nullptr : compiled.image->data();
  compiled.tables = std::make_unique<tilec::KernelTables>(std::move(result->desc), image, function);
  return compiled;
}

} // namespace tilerun
