//===- tile-run.cpp - runs and times a kernel -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
//
// Exit codes: 0 success; 1 the kernel did not compile or run, or an output is not as expected; 2
// the arguments are wrong.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Compile.h"
#include "Report.h"
#include "Session.h"

#include "llvm/Support/InitLLVM.h"

using namespace tilerun;
using tile::Result;
using tile::Status;

namespace {
constexpr int failed = 1, badArguments = 2;

int fail(int code, const Status &status) {
  llvm::errs() << "tile-run: error: " << status.message() << "\n";
  return code;
}

/// The target asked for; without one the GPU, or the host and a line that says why.
Result<tile::Device> chooseTarget(const Options &options) {
  if (options.target == tile::Device::host)
    return tile::Device::host;
  Status cuda = tile::cudaAvailable();
  if (cuda.ok())
    return tile::Device::cuda;
  if (options.target)
    return Status::error("--target=cuda: " + cuda.message());
  llvm::errs() << "tile-run: running on the host: " << cuda.message() << "\n";
  return tile::Device::host;
}

/// Reads an output back, compares it and writes its file.
Result<OutputReport> reportOutput(const Session &session, const Argument &argument,
                                  const Options &options) {
  Result<HostArray> content = session.content(argument);
  if (!content.ok())
    return content.status();
  const std::string &name = argument.param->name;
  OutputReport report{name, content->dtype, content->shape, summarize(*content), std::nullopt};
  if (auto found = options.expectations.find(name); found != options.expectations.end()) {
    Result<Comparison> comparison = compare(*content, found->second);
    if (!comparison.ok())
      return Status::error("--expect " + name + ": " + comparison.message());
    report.comparison = *std::move(comparison);
  }
  if (auto found = options.outputs.find(name); found != options.outputs.end())
    if (Status status = writeNpy(
            found->second, {npyType(content->dtype), content->shape, std::move(content->data)});
        !status.ok())
      return Status::error("--out " + name + ": " + status.message());
  return report;
}

Status runAndReport(Session &session, const Arguments &arguments, const Options &options,
                    Report &report) {
  if (Status status = session.run(); !status.ok())
    return status;
  for (const Argument &argument : arguments.params) {
    if (!argument.isTensor() || argument.param->access == tile::Access::in ||
        argument.param->access == tile::Access::workspace)
      continue;
    Result<OutputReport> output = reportOutput(session, argument, options);
    if (!output.ok())
      return output.status();
    report.outputs.push_back(*std::move(output));
  }
  if (options.timedRuns == 0)
    return {};
  Result<std::vector<double>> times = session.time(options.timedRuns);
  if (!times.ok())
    return times.status();
  report.times = *std::move(times);
  return {};
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Result<Options> options = parseOptions(argc, argv);
  if (!options.ok())
    return fail(badArguments, options.status());
  Result<tile::Device> target = chooseTarget(*options);
  if (!target.ok())
    return fail(failed, target.status());
  Result<int64_t> smCount = tile::smCount(*target);
  if (!smCount.ok())
    return fail(failed, smCount.status());
  Result<CompiledKernel> kernel = compileKernel(*options, *target);
  if (!kernel.ok())
    return fail(failed, kernel.status());
  const tilec::KernelDesc &desc = kernel->tables->desc();
  Result<Arguments> arguments = makeArguments(desc, *options, *smCount);
  if (!arguments.ok())
    return fail(badArguments, arguments.status());
  tile::Launcher launcher(kernel->tables->info());
  Result<Session> session = Session::create(*arguments, launcher, *target);
  if (!session.ok())
    return fail(failed, session.status());
  Report report{&desc, options->interpret ? "sm" : tile::name(*target), arguments->dims, {}, {}};
  Status status = runAndReport(*session, *arguments, *options, report);
  if (kernel->hasFailed())
    return fail(failed, Status::error("the interpreter has found a fault"));
  if (!status.ok())
    return fail(failed, status);
  options->json ? printJson(report, llvm::outs()) : printText(report, llvm::outs());
  return report.ok() ? 0 : failed;
}
