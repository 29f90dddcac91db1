//===- Cubin.cpp - machine code from PTX by ptxas -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Target/Cubin.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;
using namespace tilec;

namespace {

/// Three files that live for one run of ptxas.
struct TemporaryFiles {
  SmallString<128> ptx, cubin, log;

  LogicalResult create(StringRef text, Location location) {
    if (llvm::sys::fs::createTemporaryFile("tilec", "ptx", ptx) ||
        llvm::sys::fs::createTemporaryFile("tilec", "cubin", cubin) ||
        llvm::sys::fs::createTemporaryFile("tilec", "log", log))
      return emitError(location, "expected a writable temporary folder for ptxas, found none; set "
                                 "TMPDIR");
    std::error_code error;
    llvm::raw_fd_ostream stream(ptx, error);
    stream << text;
    stream.close();
    if (error || stream.has_error()) {
      stream.clear_error();
      return emitError(location, "expected to write ") << ptx << " for ptxas: the disk is full";
    }
    return success();
  }

  ~TemporaryFiles() {
    for (StringRef file : {StringRef(ptx), StringRef(cubin), StringRef(log)})
      if (!file.empty())
        llvm::sys::fs::remove(file);
  }
};

std::string readFile(StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

int runPtxas(StringRef program, const TemporaryFiles &files, const CubinOptions &options,
             std::string &reason) {
  std::string arch = "-arch=" + options.arch.name.str();
  SmallVector<StringRef> arguments{program, arch, "-v", files.ptx, "-o", files.cubin};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(files.log), StringRef(files.log)};
  return llvm::sys::ExecuteAndWait(program, arguments, std::nullopt, redirects, 0, 0, &reason);
}

/// The PTX that a message of ptxas ("file, line 12; error : ...") is about.
StringRef lineOf(StringRef message, StringRef ptx) {
  unsigned number = 0;
  StringRef rest = message.split(", line ").second;
  if (rest.consumeInteger(10, number))
    return {};
  for (unsigned i = 1; i < number; ++i)
    ptx = ptx.split('\n').second;
  return ptx.split('\n').first.trim();
}

LogicalResult reportRejection(StringRef log, StringRef ptx, StringRef kernelName, int status,
                              StringRef reason, Location location) {
  InFlightDiagnostic diagnostic = emitError(location, "ptxas rejects kernel '")
                                  << kernelName << "'";
  unsigned shown = 0;
  for (StringRef line : llvm::split(log, '\n')) {
    if ((!line.contains("error") && !line.contains("fatal")) || ++shown > 5)
      continue;
    StringRef message = line.contains("; ") ? line.split("; ").second : line;
    diagnostic.attachNote(location) << message.trim();
    if (StringRef source = lineOf(line, ptx); !source.empty())
      diagnostic.attachNote(location) << "in: " << source;
  }
  if (!shown)
    diagnostic.attachNote(location) << "it ended with status " << status << " " << reason;
  return diagnostic;
}

} // namespace

std::string tilec::findPtxas(const CubinOptions &options) {
  if (!options.ptxas.empty())
    return options.ptxas;
  if (const char *path = std::getenv("TILEC_PTXAS"); path && *path)
    return path;
  if (llvm::sys::fs::can_execute(TILEC_PTXAS_PATH))
    return TILEC_PTXAS_PATH;
  if (auto path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  StringRef toolkit = "/usr/local/cuda/bin/ptxas";
  return llvm::sys::fs::can_execute(toolkit) ? toolkit.str() : std::string();
}

FailureOr<Cubin> tilec::assemble(StringRef ptx, StringRef kernelName, const CubinOptions &options,
                                 Location location) {
  std::string program = findPtxas(options);
  if (program.empty())
    return emitError(location, "expected ptxas to assemble '")
           << kernelName << "', found none; set TILEC_PTXAS, or let tools/setup install it";
  TemporaryFiles files;
  if (failed(files.create(ptx, location)))
    return failure();
  std::string reason;
  int status = runPtxas(program, files, options, reason);
  std::string log = readFile(files.log);
  if (status < 0 && log.empty())
    return emitError(location, "expected to run ") << program << ": " << reason;
  if (status != 0)
    return reportRejection(log, ptx, kernelName, status, reason, location);
  return checkedCubin(readFile(files.cubin), std::move(log), kernelName, options, location);
}

FailureOr<Cubin> tilec::checkedCubin(std::string bytes, std::string log, StringRef kernelName,
                                     const CubinOptions &options, Location location) {
  FailureOr<KernelReport> report = parsePtxasReport(log, kernelName);
  if (failed(report))
    return emitError(location, "expected ptxas to report on kernel '")
           << kernelName << "', found no such kernel in the PTX";
  if (failed(checkReport(*report, kernelName, options, location)))
    return failure();
  return Cubin{std::move(bytes), std::move(log), std::move(*report)};
}
