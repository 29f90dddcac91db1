//===- BindDims.cpp - kinds and ranks of arguments, then the dimensions ---===//
// SPDX-License-Identifier: Apache-2.0

#include "Plan.h"

#include <string>

namespace tile {

namespace {
std::string argument(const char *name) { return "argument '" + std::string(name) + "'"; }

std::string declaredShape(const ParamInfo &param) {
  std::string text = "[";
  for (const char *extent : param.extents)
    text += (text.size() > 1 ? ", " : "") + std::string(extent);
  return text + "]";
}

/// "q, k, scale, kv_len"
std::string argumentNames(const Plan &plan) {
  std::string text;
  for (const ParamInfo &param : plan.info.params)
    text += (text.empty() ? "" : ", ") + std::string(param.name);
  for (unsigned dim : plan.dimArguments)
    text += (text.empty() ? "" : ", ") + std::string(plan.info.dims[dim]);
  return text;
}

Status checkTensorKind(const ParamInfo &param, const Tensor &tensor, Device device) {
  if (tensor.rank != static_cast<int>(param.extents.size()))
    return Status::error(argument(param.name) + ": expected " +
                         std::to_string(param.extents.size()) + " dimensions " +
                         declaredShape(param) + ", found " + std::to_string(tensor.rank) + " " +
                         shapeText(tensor.extents()));
  if (tensor.device != device)
    return Status::error(argument(param.name) + ": expected " + name(device) +
                         " memory, where the kernel runs, found " + name(tensor.device) +
                         " memory");
  for (int axis = 0; axis < tensor.rank; ++axis)
    if (tensor.shape[axis] < 0)
      return Status::error(argument(param.name) + " dimension " + std::to_string(axis) + " (" +
                           param.extents[axis] + "): expected a non-negative extent, found " +
                           std::to_string(tensor.shape[axis]));
  return {};
}

Status checkKind(const ParamInfo &param, const Arg &arg, Device device) {
  bool wantsTensor = param.kind == ParamInfo::Kind::tensor;
  if (wantsTensor != (arg.tensor() != nullptr))
    return Status::error(argument(param.name) + ": expected a " +
                         (wantsTensor ? "tensor, found a scalar" : "scalar, found a tensor"));
  if (arg.dtype() != param.dtype)
    return Status::error(argument(param.name) + ": expected " + name(param.dtype) + ", found " +
                         name(arg.dtype()));
  return wantsTensor ? checkTensorKind(param, *arg.tensor(), device) : Status();
}

Status bindDimArgument(const char *dim, const Arg &arg, int64_t &value) {
  if (arg.tensor() || arg.dtype() != DType::i64)
    return Status::error(argument(dim) + ": expected a dimension as i64, found " +
                         (arg.tensor() ? "a tensor" : name(arg.dtype())));
  value = static_cast<int64_t>(arg.bits());
  if (value < 0)
    return Status::error(argument(dim) + ": expected a non-negative extent, found " +
                         std::to_string(value));
  return {};
}
} // namespace

Status bindDims(const Plan &plan, std::span<const Arg> args, Device device,
                std::vector<int64_t> &dims) {
  size_t params = plan.info.params.size();
  if (args.size() != params + plan.dimArguments.size())
    return Status::error("expected " + std::to_string(params + plan.dimArguments.size()) +
                         " arguments (" + argumentNames(plan) + "), found " +
                         std::to_string(args.size()));
  for (size_t i = 0; i < params; ++i)
    if (Status status = checkKind(plan.info.params[i], args[i], device); !status.ok())
      return status;
  dims.resize(plan.sources.size());
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (Plan::Source source = plan.sources[dim]; source.param >= 0)
      dims[dim] = args[source.param].tensor()->shape[source.axis];
  for (size_t i = 0; i < plan.dimArguments.size(); ++i) {
    unsigned dim = plan.dimArguments[i];
    Status status = bindDimArgument(plan.info.dims[dim], args[params + i], dims[dim]);
    if (!status.ok())
      return status;
  }
  return {};
}

} // namespace tile
