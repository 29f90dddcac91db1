//===- Options.cpp - tile-run's command line ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace cl = llvm::cl;
using llvm::StringRef;
using tile::Result;
using tile::Status;

namespace tilerun {

namespace {
cl::OptionCategory category("tile-run options");

cl::opt<std::string> kernel(cl::Positional, cl::desc("<kernel | file.cpp | file.mlir>"),
                            cl::cat(category));
cl::opt<std::string> config("config", cl::desc("Configuration of the kernel"),
                            cl::value_desc("name=value,..."), cl::cat(category));
cl::opt<std::string> dtype("dtype", cl::desc("Element type of the kernel"), cl::value_desc("bf16"),
                           cl::cat(category));
cl::opt<std::string> target("target", cl::desc("Where to run; left out: cuda if it can"),
                            cl::value_desc("host|cuda|sm"), cl::cat(category));
cl::opt<std::string> schedule("schedule",
                              cl::desc("simple: no roles, also where they are possible"),
                              cl::value_desc("auto|simple"), cl::cat(category));
cl::opt<uint64_t> seed("seed", cl::desc("--target=sm: order in which warps take their steps"),
                       cl::value_desc("N"), cl::cat(category));
cl::list<std::string> in("in", cl::desc("Content of an input; bf16 travels as <u2, fp8 as |u1"),
                         cl::value_desc("name=file.npy|random[:seed][:lo..hi]|zeros"),
                         cl::cat(category));
cl::list<std::string> scalar("scalar", cl::desc("Value of a scalar"), cl::value_desc("name=x"),
                             cl::cat(category));
cl::list<std::string> dim("dim", cl::desc("Extent that no file determines"),
                          cl::value_desc("name=N"), cl::cat(category));
cl::list<std::string> out("out", cl::desc("Writes an output to a file"),
                          cl::value_desc("name=file.npy"), cl::cat(category));
cl::list<std::string> expect("expect", cl::desc("Compares an output with a file"),
                             cl::value_desc("name=file.npy[,rtol,atol]"), cl::cat(category));
cl::opt<int> timed("time", cl::desc("Times N launches after the first"), cl::value_desc("N"),
                   cl::cat(category));
cl::opt<bool> json("json", cl::desc("Reports as JSON"), cl::cat(category));

Status wrong(StringRef option, StringRef expected, StringRef found) {
  return Status::error(
      ("--" + option + ": expected " + expected + ", found '" + found + "'").str());
}

/// What the parser says, without the program's name, which the caller prints, and in one line.
std::string cleanText(StringRef text) {
  text = text.trim();
  text.consume_front("tile-run: ");
  return llvm::join(llvm::split(text, '\n'), "; ");
}

/// Cuts "name=value" and hands both to `store`, which says what it expects if it cannot.
template <class Store>
Status forEach(const cl::list<std::string> &list, StringRef expected, Store store) {
  for (const std::string &text : list) {
    auto [name, value] = StringRef(text).split('=');
    if (name.empty() || value.empty())
      return wrong(list.ArgStr, expected, text);
    if (Status status = store(name.str(), value.str()); !status.ok())
      return Status::error("--" + list.ArgStr.str() + " " + text + ": " + status.message());
  }
  return {};
}

/// Stores one value per name.
template <class Map, class Value>
Status storeOnce(Map &map, const std::string &name, Result<Value> value) {
  if (!value.ok())
    return value.status();
  if (!map.emplace(name, *std::move(value)).second)
    return Status::error("'" + name + "' is given twice");
  return {};
}

Result<int64_t> parseExtent(const std::string &text) {
  int64_t value = 0;
  if (StringRef(text).getAsInteger(10, value) || value < 0)
    return Status::error("expected a non-negative integer, found '" + text + "'");
  return value;
}

Status fillMaps(Options &options) {
  Status status = forEach(in, "name=file.npy, name=random[:seed][:lo..hi] or name=zeros",
                          [&](const std::string &name, const std::string &value) {
                            return storeOnce(options.inputs, name, parseInputSpec(value));
                          });
  if (status.ok())
    status = forEach(scalar, "name=value", [&](const std::string &name, const std::string &value) {
      return storeOnce(options.scalars, name, Result<std::string>(value));
    });
  if (status.ok())
    status = forEach(dim, "name=N", [&](const std::string &name, const std::string &value) {
      return storeOnce(options.dims, name, parseExtent(value));
    });
  if (status.ok())
    status = forEach(out, "name=file.npy", [&](const std::string &name, const std::string &value) {
      return storeOnce(options.outputs, name, Result<std::string>(value));
    });
  if (status.ok())
    status = forEach(expect, "name=file.npy[,rtol,atol]",
                     [&](const std::string &name, const std::string &value) {
                       return storeOnce(options.expectations, name, parseExpectSpec(value));
                     });
  return status;
}
} // namespace

Result<InputSpec> parseInputSpec(const std::string &text) {
  InputSpec spec;
  if (text == "zeros")
    return spec;
  llvm::SmallVector<StringRef> parts;
  StringRef(text).split(parts, ':');
  if (parts[0] != "random") {
    spec.kind = InputSpec::Kind::file;
    spec.path = text;
    return spec;
  }
  spec.kind = InputSpec::Kind::random;
  for (StringRef part : llvm::ArrayRef(parts).drop_front()) {
    auto [low, high] = part.split("..");
    int64_t first = 0, second = 0;
    if (!part.contains("..")) {
      if (part.getAsInteger(10, spec.seed))
        return Status::error("expected a seed or lo..hi after 'random:', found '" + part.str() +
                             "'");
    } else if (low.getAsInteger(10, first) || high.getAsInteger(10, second) || first > second) {
      return Status::error("expected lo..hi with lo <= hi, found '" + part.str() + "'");
    } else {
      spec.range = {first, second};
    }
  }
  return spec;
}

Result<ExpectSpec> parseExpectSpec(const std::string &text) {
  ExpectSpec spec;
  llvm::SmallVector<StringRef> parts;
  StringRef(text).split(parts, ',');
  spec.path = parts[0].str();
  if (parts.size() == 1)
    return spec;
  double relative = 0, absolute = 0;
  if (parts.size() != 3 || parts[1].getAsDouble(relative) || parts[2].getAsDouble(absolute) ||
      !(relative >= 0) || !(absolute >= 0))
    return Status::error("expected file.npy or file.npy,rtol,atol, found '" + text + "'");
  spec.relative = relative;
  spec.absolute = absolute;
  return spec;
}

Result<Options> parseOptions(int argc, char **argv) {
  cl::HideUnrelatedOptions(category);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (!cl::ParseCommandLineOptions(argc, argv, "runs and times a kernel\n", &stream))
    return Status::error(cleanText(errors));
  Options options;
  options.kernel = kernel;
  options.config = config;
  options.dtype = dtype;
  options.timedRuns = timed;
  options.json = json;
  if (options.kernel.empty())
    return Status::error("expected a kernel's name, a .cpp or a .mlir, found nothing");
  for (StringRef item : llvm::split(StringRef(config), ','))
    if (!config.empty() && (item.split('=').first.empty() || item.split('=').second.empty()))
      return wrong("config", "name=value,...", item);
  options.seed = seed;
  options.simple = schedule == "simple";
  options.interpret = target == "sm";
  if (target == "host" || target == "sm")
    options.target = tile::Device::host;
  else if (target == "cuda")
    options.target = tile::Device::cuda;
  else if (!target.empty())
    return wrong("target", "host, cuda or sm", target);
  if (!schedule.empty() && schedule != "auto" && schedule != "simple")
    return wrong("schedule", "auto or simple", schedule);
  if (timed < 0)
    return wrong("time", "a non-negative number", std::to_string(timed));
  if (Status status = fillMaps(options); !status.ok())
    return status;
  return options;
}

} // namespace tilerun
