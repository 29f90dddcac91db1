//===- Family.cpp - the variants of one kernel, to choose from --------------===//
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

bool multipleOf16(const Tensor &tensor) {
  if (reinterpret_cast<uintptr_t>(tensor.data) % 16 != 0)
    return false;
  for (int axis = 0; axis + 1 < tensor.rank && axis < maxRank; ++axis)
    if (tensor.shape[axis] > 1 && tensor.strides[axis] * byteSize(tensor.dtype) % 16 != 0)
      return false;
  return true;
}

/// The value of the dimension `dim`, which an extent names alone.
std::optional<int64_t> dimValue(const KernelInfo &info, std::string_view dim,
                                std::initializer_list<const Tensor *> args) {
  const Tensor *const *tensor = args.begin();
  for (const ParamInfo &param : info.params) {
    if (param.kind != ParamInfo::Kind::tensor)
      continue;
    for (size_t axis = 0; axis < param.extents.size(); ++axis)
      if (param.extents[axis] == dim)
        return (*tensor)->shape[axis];
    if (++tensor == args.end())
      break;
  }
  return std::nullopt;
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

std::vector<Variant> variantsOf(std::string_view source) {
  std::vector<Variant> variants;
  for (const KernelInfo *info : tile::kernels::all())
    if (info->source == source)
      variants.emplace_back(*info);
  return variants;
}

const Variant *variantForRow(const std::vector<Variant> &variants, DType dtype, int64_t cols) {
  const Variant *chosen = nullptr;
  int64_t length = 0;
  for (const Variant &variant : variants) {
    if (variant.dtype() != dtype)
      continue;
    int64_t block = variant.config("block_cols");
    bool better = length < cols ? block > length : block >= cols && block < length;
    if (!chosen || better) {
      chosen = &variant;
      length = block;
    }
  }
  return chosen;
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

bool alignmentFits(const Variant &variant, std::initializer_list<const Tensor *> args) {
  const KernelInfo &info = variant.info;
  for (const FactInfo &fact : info.facts) {
    std::optional<int64_t> value = dimValue(info, fact.dim, args);
    if (!value || *value % fact.multipleOf != 0)
      return false;
  }
  size_t index = 0;
  for (const Tensor *tensor : args) {
    bool needed = info.params[index].aligned;
    for (const MapInfo &map : info.maps)
      needed |= map.param == static_cast<int>(index);
    if (needed && !multipleOf16(*tensor))
      return false;
    ++index;
  }
  return true;
}

std::string dtypeNames(const std::vector<Variant> &variants) {
  std::string text;
  for (size_t i = 0; i < variants.size(); ++i) {
    bool seen = false;
    for (size_t before = 0; before < i; ++before)
      seen |= variants[before].dtype() == variants[i].dtype();
    if (!seen)
      text += (text.empty() ? "" : ", ") + std::string(name(variants[i].dtype()));
  }
  return text;
}

} // namespace kernels
