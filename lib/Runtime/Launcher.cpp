//===- Launcher.cpp - check, pack, launch ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HostPool.h"
#include "Module.h"
#include "Plan.h"
#include "TensorMaps.h"

#include <cstring>

namespace tile {

Arg Arg::real(DType dtype, double value) {
  uint64_t bits = 0;
  writeElement(dtype, &bits, value);
  return Arg(dtype, bits);
}

Arg Arg::integer(DType dtype, int64_t value) {
  // Through a double only where the type is narrow enough to hold it exactly.
  if (dtype != DType::i64)
    return real(dtype, static_cast<double>(value));
  return Arg(dtype, static_cast<uint64_t>(value));
}

namespace {
/// A launch's dimensions and parameter block, kept per thread so that a launch allocates nothing.
struct Scratch {
  std::vector<int64_t> dims;
  std::vector<uint64_t> words, derived;
  std::vector<void *> params;
  std::vector<TensorMap> maps;
};

/// Per tensor: address, all extents, all strides but the last. Per scalar: its value. Then the
/// dimensions, then what else there is.
void pack(std::span<const Arg> args, std::span<const uint64_t> further, Scratch &scratch) {
  scratch.words.clear();
  for (const Arg &arg : args) {
    const Tensor *tensor = arg.tensor();
    if (!tensor) {
      scratch.words.push_back(arg.bits());
      continue;
    }
    scratch.words.push_back(reinterpret_cast<uintptr_t>(tensor->data));
    for (int axis = 0; axis < tensor->rank; ++axis)
      scratch.words.push_back(static_cast<uint64_t>(tensor->shape[axis]));
    for (int axis = 0; axis + 1 < tensor->rank; ++axis)
      scratch.words.push_back(static_cast<uint64_t>(tensor->strides[axis]));
  }
  for (int64_t dim : scratch.dims)
    scratch.words.push_back(static_cast<uint64_t>(dim));
  scratch.words.insert(scratch.words.end(), further.begin(), further.end());
  scratch.params.clear();
  for (uint64_t &word : scratch.words)
    scratch.params.push_back(&word);
}
} // namespace

struct Launcher::Impl {
  explicit Impl(const KernelInfo &info) : info(info), plan(info), module(info), maps(info) {}

  Status check(Stream stream, std::span<const Arg> args, std::vector<int64_t> &dims,
               int64_t &multiprocessors);
  Status launch(Stream stream, std::span<const Arg> args);
  Status launchOnHost(std::span<const Arg> params, int64_t grid, Scratch &scratch);

  const KernelInfo &info;
  Plan plan;
  Module module;
  TensorMaps maps;
};

/// Leaves the dimensions in `dims`.
Status Launcher::Impl::check(Stream stream, std::span<const Arg> args, std::vector<int64_t> &dims,
                             int64_t &multiprocessors) {
  if (!plan.failure.ok())
    return plan.failure;
  if (Status status = bindDims(plan, args, stream.device(), dims); !status.ok())
    return status;
  if (plan.usesSmCount) {
    Result<int64_t> count = smCount(stream.device());
    if (!count.ok())
      return count.status();
    multiprocessors = *count;
  }
  return checkArguments(plan, args, dims, multiprocessors);
}

Status Launcher::Impl::launch(Stream stream, std::span<const Arg> args) {
  thread_local Scratch scratch;
  int64_t multiprocessors = 0;
  if (Status status = check(stream, args, scratch.dims, multiprocessors); !status.ok())
    return status;
  Result<int64_t> grid = evaluateGrid(plan, args, scratch.dims, multiprocessors);
  if (!grid.ok() || *grid == 0)
    return grid.status();
  std::span<const Arg> params = args.first(info.params.size());
  if (stream.device() == Device::host)
    return launchOnHost(params, *grid, scratch);
  scratch.derived.clear();
  for (const Expr &expr : plan.derived) {
    Result<int64_t> value = expr.evaluate(scratch.dims, multiprocessors);
    if (!value.ok())
      return Status::error("'" + expr.text() + "': " + value.message());
    scratch.derived.push_back(static_cast<uint64_t>(*value));
  }
  if (info.counter)
    scratch.derived.push_back(0);
  pack(params, scratch.derived, scratch);
  uint64_t *counter = info.counter ? &scratch.words.back() : nullptr;
  if (!info.maps.empty()) {
    if (Status status = maps.encode(args, scratch.maps); !status.ok())
      return status;
    for (TensorMap &map : scratch.maps)
      scratch.params.push_back(&map);
  }
  return module.launch(stream.handle(), scratch.params.data(), *grid, counter);
}

Status Launcher::Impl::launchOnHost(std::span<const Arg> params, int64_t grid, Scratch &scratch) {
  if (!info.host)
    return Status::error("the kernel was built without code for the host");
  HostReport report;
  const uint64_t further[] = {static_cast<uint64_t>(grid), reinterpret_cast<uintptr_t>(&report)};
  pack(params, further, scratch);
  runOnHost(info.host, scratch.params.data(), grid);
  const char *message = report.message;
  if (!message)
    return {};
  return Status::error(std::string(message) + " (CTA " + std::to_string(report.block) + ")");
}

Launcher::Launcher(const KernelInfo &info) : impl(std::make_unique<Impl>(info)) {}
Launcher::~Launcher() = default;
Launcher::Launcher(Launcher &&) noexcept = default;

static Status named(const Status &status, const char *source) {
  return status.ok() ? status : Status::error(std::string(source) + ": " + status.message());
}

Status Launcher::launch(Stream stream, std::span<const Arg> args) const {
  return named(impl->launch(stream, args), impl->info.source);
}

Status Launcher::check(Stream stream, std::span<const Arg> args) const {
  thread_local std::vector<int64_t> dims;
  int64_t multiprocessors = 0;
  return named(impl->check(stream, args, dims, multiprocessors), impl->info.source);
}

std::span<const unsigned> Launcher::dimArguments() const { return impl->plan.dimArguments; }

} // namespace tile
