//===- Library.cpp - the files of one library kernel --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "tilec/Target/Library.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tilec;

LogicalResult tilec::writeFile(Location location, StringRef path, StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  if (!error) {
    file << text;
    file.close();
    error = file.error();
    file.clear_error();
  }
  if (error)
    return emitError(location) << "cannot write '" << path << "': " << error.message();
  return success();
}

/// With `keepEqual` a file that has this text already keeps its time of change.
static LogicalResult writeOutput(Location location, const Twine &path, StringRef text,
                                 bool keepEqual) {
  std::string name = path.str();
  auto old = llvm::MemoryBuffer::getFile(name, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (keepEqual && old && (*old)->getBuffer() == text)
    return success();
  return writeFile(location, name, text);
}

LogicalResult tilec::writeLibraryFiles(ModuleOp module, const DriverOptions &options) {
  CompileOptions hostOptions = options.compile, cudaOptions = options.compile;
  hostOptions.target = TargetKind::Host;
  cudaOptions.target = TargetKind::Cuda;
  cudaOptions.until = Stage::Cubin;
  OwningOpRef<ModuleOp> copy(module.clone());
  FailureOr<CompileResult> host = compile(*copy, hostOptions);
  FailureOr<CompileResult> cuda = compile(module, cudaOptions);
  if (failed(host) || failed(cuda))
    return failure();
  if (options.report) {
    printReport(llvm::outs(), *cuda);
    printReport(llvm::outs(), *host);
  }
  Location location = module.getLoc();
  if (!options.symbol.empty() && options.symbol != cuda->desc.symbol)
    return emitError(location) << "expected the kernel's symbol to be '" << options.symbol
                               << "', found '" << cuda->desc.symbol
                               << "'; a build file has to name every field of its Config";
  if (std::error_code error = llvm::sys::fs::create_directories(options.outputFile))
    return emitError(location) << "cannot make the folder '" << options.outputFile
                               << "': " << error.message();
  SmallString<128> stem(options.outputFile);
  llvm::sys::path::append(stem, options.name.empty() ? cuda->desc.symbol : options.name);
  std::string cubinFile = (stem + ".cubin").str();
  FailureOr<std::string> image = emitImageObject(location, cuda->desc, cuda->cubin.bytes);
  auto write = [&](StringRef ending, StringRef text) {
    return succeeded(writeOutput(location, stem + ending, text, bool(options.compile.reuse)));
  };
  return success(succeeded(image) && write("_image.o", *image) &&
                 write(".cubin", cuda->cubin.bytes) &&
                 write(".S", emitImageSource(cuda->desc, cubinFile)) &&
                 write(".h", emitLauncherHeader(cuda->desc, {true, true, options.name})) &&
                 write(".o", host->object));
}
