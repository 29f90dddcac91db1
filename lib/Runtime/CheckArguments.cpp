//===- CheckArguments.cpp - what a launch requires of its arguments -------===//
// SPDX-License-Identifier: Apache-2.0

#include "Plan.h"

#include <cmath>
#include <limits>
#include <string>

namespace tile {

namespace {
std::string argument(const ParamInfo &param) {
  return "argument '" + std::string(param.name) + "'";
}

std::string dimension(const ParamInfo &param, int axis) {
  return argument(param) + " dimension " + std::to_string(axis) + " (" + param.extents[axis] + ")";
}

/// Where the expected extent comes from: " as in 'k'", " with q_len = 100".
std::string origin(const Plan &plan, const Expr &expr, std::span<const int64_t> dims) {
  if (auto dim = expr.asName()) {
    Plan::Source source = plan.sources[*dim];
    return source.param < 0 ? " as passed"
                            : " as in '" + std::string(plan.info.params[source.param].name) + "'";
  }
  std::string text;
  for (unsigned dim : expr.usedNames())
    text += (text.empty() ? " with " : ", ") + std::string(plan.info.dims[dim]) + " = " +
            std::to_string(dims[dim]);
  return text;
}

Status checkExtents(const Plan &plan, int index, const Tensor &tensor,
                    std::span<const int64_t> dims, int64_t smCount) {
  const ParamInfo &param = plan.info.params[index];
  for (int axis = 0; axis < tensor.rank; ++axis) {
    const Expr &expr = plan.extents[index][axis];
    Result<int64_t> expected = expr.evaluate(dims, smCount);
    if (!expected.ok())
      return Status::error(dimension(param, axis) + ": " + expected.message());
    if (*expected != tensor.shape[axis])
      return Status::error(dimension(param, axis) + ": expected " + std::to_string(*expected) +
                           origin(plan, expr, dims) + ", found " +
                           std::to_string(tensor.shape[axis]));
  }
  return {};
}

/// Strides of extents 0 and 1 are never multiplied by anything but 0 and may hold anything; so may
/// all strides of an empty tensor.
Status checkStrides(const ParamInfo &param, const Tensor &tensor) {
  if (tensor.empty())
    return {};
  for (int axis = 0; axis < tensor.rank; ++axis) {
    int64_t stride = tensor.strides[axis];
    if (tensor.shape[axis] <= 1)
      continue;
    if (axis == tensor.rank - 1 && stride != 1)
      return Status::error(dimension(param, axis) +
                           ": expected stride 1 in the last dimension, found " +
                           std::to_string(stride));
    if (stride < 0)
      return Status::error(dimension(param, axis) + ": expected a non-negative stride, found " +
                           std::to_string(stride));
    if (stride == 0 && param.access != Access::in)
      return Status::error(dimension(param, axis) + ": expected a positive stride, since the "
                                                    "kernel writes the tensor, found 0");
    if (param.aligned && axis != tensor.rank - 1 && stride % (16 / byteSize(param.dtype)) != 0)
      return Status::error(dimension(param, axis) + ": expected a stride that is a multiple of " +
                           std::to_string(16 / byteSize(param.dtype)) +
                           " elements (16 bytes), found " + std::to_string(stride));
  }
  return {};
}

Status checkAddress(const ParamInfo &param, const Tensor &tensor) {
  if (tensor.empty())
    return {};
  if (!tensor.data)
    return Status::error(argument(param) + ": expected memory for " +
                         std::to_string(tensor.elements()) + " elements, found a null pointer");
  uintptr_t alignment = param.aligned ? 16 : byteSize(param.dtype);
  if (uintptr_t rest = reinterpret_cast<uintptr_t>(tensor.data) % alignment)
    return Status::error(argument(param) + ": expected an address that is a multiple of " +
                         std::to_string(alignment) + " bytes, found one that is " +
                         std::to_string(rest) + " past");
  if (!byteRange(tensor))
    return Status::error(argument(param) + ": the shape " + shapeText(tensor.extents()) +
                         " with its strides exceeds the address space");
  return {};
}

Status checkScalar(const ParamInfo &param, const Arg &arg) {
  if (!param.positive)
    return {};
  uint64_t bits = arg.bits();
  double value = readElement(arg.dtype(), &bits);
  // The compiler takes it that a product with it keeps -inf: smaller numbers are flushed to 0 on
  // GPUs.
  constexpr double least = std::numeric_limits<float>::min();
  if (value >= least && std::isfinite(value))
    return {};
  return Status::error(argument(param) + ": expected a positive value, found " +
                       std::to_string(value));
}

/// Where the caller said what a dimension is.
std::string argumentOf(const Plan &plan, unsigned dim) {
  Plan::Source source = plan.sources[dim];
  return source.param < 0 ? "argument '" + std::string(plan.info.dims[dim]) + "'"
                          : dimension(plan.info.params[source.param], source.axis);
}

Status checkFacts(const Plan &plan, std::span<const int64_t> dims) {
  for (Plan::Fact fact : plan.facts)
    if (dims[fact.dim] % fact.multipleOf != 0)
      return Status::error(argumentOf(plan, fact.dim) + ": expected a multiple of " +
                           std::to_string(fact.multipleOf) + ", found " +
                           std::to_string(dims[fact.dim]));
  return {};
}

Status checkGroups(const Plan &plan, std::span<const int64_t> dims, int64_t smCount) {
  for (const Plan::Group &group : plan.groups) {
    Result<int64_t> members = group.members.evaluate(dims, smCount);
    Result<int64_t> groups = group.groups.evaluate(dims, smCount);
    for (const Result<int64_t> *value : {&members, &groups})
      if (!value->ok())
        return Status::error("groups: " + value->message());
    if (*members == 0 || (*groups > 0 && *members % *groups == 0))
      continue;
    auto dim = group.members.asName();
    std::string expected = group.groups.text();
    if (!group.groups.asConstant())
      expected += " = " + std::to_string(*groups);
    return Status::error((dim ? argumentOf(plan, *dim) : "'" + group.members.text() + "'") +
                         ": expected a multiple of " + expected + ", found " +
                         std::to_string(*members));
  }
  return {};
}

Status checkOverlap(const Plan &plan, std::span<const Arg> args) {
  auto params = plan.info.params;
  for (size_t i = 0; i < params.size(); ++i) {
    if (!args[i].tensor() || params[i].access == Access::in)
      continue;
    for (size_t j = 0; j < params.size(); ++j) {
      // A pair of written tensors is met once.
      bool met = j <= i && (j == i || params[j].access != Access::in);
      if (met || !args[j].tensor() || !mayOverlap(*args[i].tensor(), *args[j].tensor()))
        continue;
      return Status::error(argument(params[i]) +
                           ": expected memory of its own, since the kernel "
                           "writes it, found an overlap with '" +
                           params[j].name + "'");
    }
  }
  return {};
}
} // namespace

Status checkArguments(const Plan &plan, std::span<const Arg> args, std::span<const int64_t> dims,
                      int64_t smCount) {
  for (size_t i = 0; i < plan.info.params.size(); ++i) {
    const ParamInfo &param = plan.info.params[i];
    const Tensor *tensor = args[i].tensor();
    Status status = tensor ? checkExtents(plan, static_cast<int>(i), *tensor, dims, smCount)
                           : checkScalar(param, args[i]);
    if (status.ok() && tensor)
      status = checkStrides(param, *tensor);
    if (status.ok() && tensor)
      status = checkAddress(param, *tensor);
    if (!status.ok())
      return status;
  }
  if (Status status = checkFacts(plan, dims); !status.ok())
    return status;
  if (Status status = checkGroups(plan, dims, smCount); !status.ok())
    return status;
  return checkOverlap(plan, args);
}

Result<int64_t> evaluateGrid(const Plan &plan, std::span<const Arg> args,
                             std::span<const int64_t> dims, int64_t smCount) {
  // What cuLaunchKernel accepts in x.
  constexpr int64_t largest = 0x7fffffff;
  int64_t blocks = 1;
  for (const Expr &expr : plan.grid) {
    Result<int64_t> size = expr.evaluate(dims, smCount);
    if (!size.ok())
      return Status::error("grid: " + size.message());
    if (*size < 0)
      return Status::error("grid: expected a non-negative size of '" + expr.text() + "', found " +
                           std::to_string(*size));
    if (__builtin_mul_overflow(blocks, *size, &blocks) || blocks > largest)
      return Status::error("grid: expected at most " + std::to_string(largest) +
                           " thread blocks, found more at '" + expr.text() +
                           "' = " + std::to_string(*size));
  }
  for (size_t i = 0; blocks == 0 && i < plan.info.params.size(); ++i)
    if (plan.info.params[i].access == Access::out && args[i].tensor() && !args[i].tensor()->empty())
      return Status::error("grid: 0 thread blocks, but the output '" +
                           std::string(plan.info.params[i].name) + "' has " +
                           std::to_string(args[i].tensor()->elements()) +
                           " elements that nothing would write");
  return blocks;
}

} // namespace tile
