//===- Options.cpp - the command line of tilec --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;
using namespace tilec;

static cl::OptionCategory category("tilec options");

static cl::opt<std::string> input(cl::Positional, cl::desc("<kernel | file.mlir | file.ll | file.ptx>"),
                                  cl::cat(category));
static cl::opt<std::string>
    emit("emit", cl::desc("tile|sm|nvvm|llvm|ptx|cubin, object|header, or library (all files of a kernel)"),
         cl::init("cubin"), cl::cat(category));
static cl::opt<std::string> arch("arch", cl::desc("sm_90a or host"), cl::init("sm_90a"),
                                 cl::cat(category));
static cl::list<std::string> config("config", cl::desc("fields of the kernel's Config: name=value,..."),
                                    cl::CommaSeparated, cl::cat(category));
static cl::opt<std::string> dtype("dtype", cl::desc("element type that the kernel is built for"),
                                  cl::cat(category));
static cl::opt<std::string> outputFile("o", cl::desc("output file (folder for --emit=library)"),
                                       cl::init("-"), cl::cat(category));
static cl::opt<bool> lineInfo("g", cl::desc("keep the author's lines in the machine code"),
                              cl::cat(category));
static cl::opt<bool> list("list", cl::desc("list the kernels and their configurations"),
                          cl::cat(category));
static cl::opt<bool> json("json", cl::desc("with --list: as JSON"), cl::cat(category));
static cl::opt<bool> report("report", cl::desc("print resources and the time of each phase"),
                            cl::cat(category));
static cl::opt<bool> layouts("print-layouts", cl::desc("print the layout of each fragment"),
                             cl::cat(category));
static cl::opt<bool> sharedMap("print-shared-map", cl::desc("print where the shared tiles lie"),
                               cl::cat(category));
static cl::opt<std::string> saveStages("save-stages", cl::desc("folder for one numbered file per step"),
                                       cl::value_desc("dir"), cl::cat(category));
static cl::opt<std::string> schedule("schedule", cl::desc("auto or simple"), cl::init("auto"),
                                     cl::cat(category));
static cl::opt<bool> allowSpills("allow-spills", cl::desc("accept spills and notices of ptxas"),
                                 cl::cat(category));

static std::nullopt_t fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tilec") << message << "\n";
  return std::nullopt;
}

static bool setOutput(DriverOptions &options) {
  if (std::optional<Stage> stage = parseStage(emit)) {
    options.compile.until = *stage;
    return true;
  }
  if (emit == "object")
    options.output = Output::Object;
  else if (emit == "header")
    options.output = Output::Header;
  else if (emit == "library")
    options.output = Output::Library;
  else
    return false;
  return true;
}

/// Splits "name=value" items into the build request.
static bool setConfig(DriverOptions &options) {
  for (llvm::StringRef item : config) {
    auto [name, value] = item.split('=');
    if (name.empty() || value.empty()) {
      fail("expected --config=name=value,..., found '" + item + "'");
      return false;
    }
    options.request.config.emplace_back(name.str(), value.str());
  }
  return true;
}

std::optional<DriverOptions> tilec::parseCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "tilec: from a kernel in C++ to machine code\n");
  DriverOptions options;
  options.input = input;
  options.request = {input, dtype, {}};
  options.list = list;
  options.json = json;
  options.report = report;
  options.printLayouts = layouts;
  options.printSharedMap = sharedMap;
  options.outputFile = outputFile;
  options.compile.allowSpills = allowSpills;
  options.compile.lineInfo = lineInfo;
  options.compile.saveStages = saveStages;
  if (!setOutput(options))
    return fail("expected --emit to be tile, sm, nvvm, llvm, ptx, cubin, object, header or "
                "library, found '" + llvm::Twine(emit) + "'");
  if (arch != "sm_90a" && arch != "host")
    return fail("expected --arch to be sm_90a or host, found '" + llvm::Twine(arch) + "'");
  if (arch == "host")
    options.compile.target = TargetKind::Host;
  if (schedule != "auto" && schedule != "simple")
    return fail("expected --schedule to be auto or simple, found '" + llvm::Twine(schedule) + "'");
  if (!setConfig(options))
    return std::nullopt;
  if (!list && options.input.empty())
    return fail("expected a kernel or a file; --list names the kernels");
  return options;
}
