//===- Variant.cpp - what one compiled kernel was compiled for --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Family.h"

#include "tile/kernels/all.h"

#include <charconv>

using namespace tile;

namespace kernels {

namespace {
constexpr std::string_view noKernelStart = "no kernel of the library takes ";

/// The number at the start of `text`, if there is one and all of it is.
std::optional<int64_t> number(std::string_view text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return value;
}
} // namespace

int64_t Variant::config(std::string_view field, int64_t otherwise) const {
  // name__dtype__first1_second2
  std::string_view fields(info.symbol);
  for (int separators = 0; separators < 2; ++separators) {
    size_t separator = fields.find("__");
    if (separator == std::string_view::npos)
      return otherwise;
    fields.remove_prefix(separator + 2);
  }
  std::string key = "_" + std::string(field);
  std::string text = "_" + std::string(fields) + "_";
  for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) {
    size_t begin = at + key.size(), end = text.find('_', begin);
    if (auto value = number(std::string_view(text).substr(begin, end - begin)))
      return *value;
  }
  return otherwise;
}

int64_t Variant::extent(std::string_view param, int axis) const {
  for (const ParamInfo &candidate : info.params)
    if (candidate.name == param && static_cast<size_t>(axis) < candidate.extents.size())
      return number(candidate.extents[axis]).value_or(0);
  return 0;
}

/// With the library's operation in the place of the kernel's name.
static Status renamed(const Status &status, const char *operation, std::string_view source) {
  if (status.ok())
    return status;
  std::string_view message = status.message();
  std::string kernel = std::string(source) + ": "; // as the launcher begins
  if (message.starts_with(kernel))
    message.remove_prefix(kernel.size());
  return Status::error(std::string(operation) + ": " + std::string(message));
}

Status Variant::launch(const char *operation, Stream stream, std::span<const Arg> args) const {
  return renamed(launcher.launch(stream, args), operation, info.source);
}

Status Variant::check(const char *operation, Stream stream, std::span<const Arg> args) const {
  return renamed(launcher.check(stream, args), operation, info.source);
}

std::vector<Variant> variantsOf(std::string_view source) {
  std::vector<Variant> variants;
  for (const KernelInfo *info : tile::kernels::all())
    if (info->source == source)
      variants.emplace_back(*info);
  return variants;
}

Status noKernel(const std::string &wanted, const std::string &present) {
  return Status::error(std::string(noKernelStart) + wanted + "; it has " + present);
}

bool isNoKernel(const Status &status) {
  return status.message().find(noKernelStart) != std::string::npos;
}

Status checkRank(const char *name, const Tensor &tensor, std::initializer_list<const char *> dims) {
  if (tensor.rank == static_cast<int>(dims.size()))
    return {};
  std::string expected;
  for (const char *dim : dims)
    expected += (expected.empty() ? "[" : ", ") + std::string(dim);
  return Status::error("argument '" + std::string(name) + "': expected " + expected + "], found " +
                       std::to_string(tensor.rank) + " dimensions, " + shapeText(tensor.extents()));
}

Status checkWorkspace(const Tensor &workspace, int64_t bytes) {
  if (bytes == 0)
    return {};
  constexpr const char *start = "argument 'workspace': expected ";
  if (workspace.dtype != DType::i8 || workspace.rank != 1 || workspace.shape[0] < bytes)
    return Status::error(
        std::string(start) + "an i8 tensor [" + std::to_string(bytes) + "] or longer, found " +
        (workspace.rank == 0 ? "none"
                             : shapeText(workspace.extents()) + " of " + name(workspace.dtype)));
  if (workspace.strides[0] != 1 && bytes > 1)
    return Status::error(std::string(start) + "stride 1, found " +
                         std::to_string(workspace.strides[0]));
  if (uintptr_t rest = reinterpret_cast<uintptr_t>(workspace.data) % 16)
    return Status::error(std::string(start) +
                         "an address that is a multiple of 16 bytes, found one that is " +
                         std::to_string(rest) + " past");
  return {};
}

} // namespace kernels
