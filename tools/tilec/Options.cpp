//===- Options.cpp - the command line of tilec --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Options.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/WithColor.h"

namespace cl = llvm::cl;
using namespace tilec;

static cl::OptionCategory category("tilec options");

static cl::opt<std::string>
    input(cl::Positional, cl::desc("<kernel | file.cpp[:kernel] | file.mlir | file.ll | file.ptx>"),
          cl::cat(category));
static cl::opt<std::string> emit(
    "emit",
    cl::desc("tile|pipe|sm|nvvm|llvm|ptx|cubin, object|header, or library (all files of a kernel); "
             "left out: cubin, or object with --arch=host"),
    cl::cat(category));
static cl::opt<std::string> arch("arch", cl::desc("sm_90a or host"), cl::init("sm_90a"),
                                 cl::cat(category));
static cl::list<std::string> config("config",
                                    cl::desc("fields of the kernel's Config: name=value,..."),
                                    cl::CommaSeparated, cl::cat(category));
static cl::opt<std::string> dtype("dtype", cl::desc("element type that the kernel is built for"),
                                  cl::cat(category));
static cl::opt<std::string>
    outputFile("o",
               cl::desc("output file (folder for --emit=library); left out: stdout for text, "
                        "a report for machine code"),
               cl::init("-"), cl::cat(category));
static cl::opt<std::string> name("name",
                                 cl::desc("with --emit=library or header: name of the files and of "
                                          "the launcher; left out: the kernel's symbol"),
                                 cl::cat(category));
static cl::opt<std::string> symbol(
    "symbol",
    cl::desc(
        "with --emit=library: the symbol that the kernel must have; for build files that name its "
        "outputs before it is compiled"),
    cl::cat(category));
static cl::opt<bool> lineInfo("g", cl::desc("keep the author's lines in the output"),
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
static cl::opt<bool> printTheSchedule("print-schedule",
                                      cl::desc("print what the roles do in one iteration"),
                                      cl::cat(category));
static cl::opt<std::string> saveStages("save-stages",
                                       cl::desc("folder for one numbered file per step"),
                                       cl::value_desc("dir"), cl::cat(category));
static cl::opt<std::string> schedule("schedule", cl::desc("auto or simple"), cl::init("auto"),
                                     cl::cat(category));
static cl::opt<std::string> reuse(
    "reuse",
    cl::desc("folder where machine code and compiled sources are kept and taken from again if "
             "nothing that they depend on has changed; files of --emit=library that stay the same "
             "are not "
             "written"),
    cl::value_desc("dir"), cl::cat(category));
static cl::opt<bool> allowSpills("allow-spills", cl::desc("accept spills and notices of ptxas"),
                                 cl::cat(category));

static bool fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "tilec") << message << "\n";
  return false;
}

static bool setArch(DriverOptions &options) {
  if (arch != "sm_90a" && arch != "host")
    return fail("expected --arch to be sm_90a or host, found '" + llvm::Twine(arch) + "'");
  if (arch == "host")
    options.compile.target = TargetKind::Host;
  return true;
}

static bool setOutput(DriverOptions &options) {
  bool host = options.compile.target == TargetKind::Host;
  std::string what = emit;
  if (what.empty())
    what = host ? "object" : "cubin";
  if (what == "pipe" && schedule == "simple")
    return fail("expected a stage of the kernel, found --emit=pipe: it takes the simple path, from "
                "tile to sm");
  if (std::optional<Stage> stage = parseStage(what)) {
    if (host && *stage != Stage::Tile)
      return fail("expected --emit to be tile, object or header with --arch=host, found '" + what +
                  "'");
    options.compile.until = *stage;
  } else if (what == "object") {
    options.output = Output::Object;
  } else if (what == "header") {
    options.output = Output::Header;
  } else if (what == "library") {
    options.output = Output::Library;
  } else {
    return fail(
        "expected --emit to be tile, sm, nvvm, llvm, ptx, cubin, object, header or library, "
        "found '" +
        what + "'");
  }
  return options.output != Output::Library || outputFile != "-" ||
         fail("expected -o to name a folder with --emit=library, found nothing");
}

static bool checkName(const DriverOptions &options) {
  if (!symbol.empty() && options.output != Output::Library)
    return fail("expected --emit=library with --symbol, found another output");
  if (name.empty())
    return true;
  if (options.output != Output::Library && options.output != Output::Header)
    return fail("expected --emit=library or header with --name, found another output");
  bool identifier = !llvm::isDigit(name.front()) &&
                    llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return identifier ||
         fail("expected --name to be an identifier of C++, found '" + llvm::Twine(name) + "'");
}

/// Splits "name=value" items into the build request.
static bool setConfig(DriverOptions &options) {
  for (llvm::StringRef item : config) {
    auto [name, value] = item.split('=');
    if (name.empty() || value.empty())
      return fail("expected --config=name=value,..., found '" + item + "'");
    options.request.config.emplace_back(name.str(), value.str());
  }
  return true;
}

/// What LLVM, or PTX text, can be asked for.
static bool checkText(const DriverOptions &options) {
  if (!options.isText())
    return true;
  if (options.printLayouts || options.printSharedMap || options.printSchedule)
    return fail("expected a kernel or a .mlir with --print-layouts, --print-schedule and "
                "--print-shared-map, found '" +
                options.input + "'");
  if (!dtype.empty() || !config.empty())
    return fail("expected neither --dtype nor --config with '" + options.input +
                "', whose kernel is built already");
  return options.output == Output::Stage ||
         fail("expected --emit=ptx or cubin with '" + options.input + "', found '" + emit + "'");
}

/// Everything that needs no check.
static void setPlain(DriverOptions &options) {
  options.input = input;
  options.request = {input, dtype, {}};
  options.list = list;
  options.json = json;
  options.report = report;
  options.printLayouts = layouts;
  options.printSharedMap = sharedMap;
  options.printSchedule = printTheSchedule;
  options.outputFile = outputFile;
  options.name = name;
  options.symbol = symbol;
  options.compile.allowSpills = allowSpills;
  options.compile.lineInfo = lineInfo;
  options.compile.saveStages = saveStages;
}

std::optional<DriverOptions> tilec::parseCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, "tilec: from a kernel in C++ to machine code\n",
                                   &stream)) {
    llvm::StringRef first = llvm::StringRef(errors).split('\n').first.split("  Try:").first;
    fail(first.contains(": ") ? first.split(": ").second : first);
    return std::nullopt;
  }
  DriverOptions options;
  setPlain(options);
  options.compile.reuse = {reuse, llvm::join(llvm::ArrayRef(argv + 1, argc - 1), "\n")};
  bool good = setArch(options) && setOutput(options) && setConfig(options) && checkName(options) &&
              checkText(options);
  options.compile.simple = schedule == "simple";
  if (good && schedule != "auto" && schedule != "simple")
    good = fail("expected --schedule to be auto or simple, found '" + llvm::Twine(schedule) + "'");
  if (good && !list && options.input.empty())
    good = fail("expected a kernel or a file, found nothing; --list names the kernels");
  return good ? std::optional(options) : std::nullopt;
}
