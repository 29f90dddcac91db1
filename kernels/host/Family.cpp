//===- Family.cpp - chooses among the variants of one kernel ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Family.h"

#include <cassert>

using namespace tile;

namespace kernels {

namespace {
bool multipleOf16(const Tensor &tensor) {
  if (reinterpret_cast<uintptr_t>(tensor.data) % 16 != 0)
    return false;
  for (int axis = 0; axis + 1 < tensor.rank && axis < maxRank; ++axis)
    if (tensor.shape[axis] > 1 && tensor.strides[axis] * byteSize(tensor.dtype) % 16 != 0)
      return false;
  return true;
}

/// Bit i: argument i is a tensor whose address and strides are multiples of 16 bytes.
uint64_t alignment(std::span<const Arg> args) {
  uint64_t found = 0;
  for (size_t i = 0; i < args.size(); ++i)
    if (const Tensor *tensor = args[i].tensor(); tensor && multipleOf16(*tensor))
      found |= uint64_t(1) << i;
  return found;
}
} // namespace

Family::Family(const char *operation, std::string_view source, std::vector<Trait> given)
    : operation(operation), traits(std::move(given)), variants(variantsOf(source)) {
  assert(traits.size() <= maxTraits);
  for (size_t i = 0; i < traits.size(); ++i)
    if (traits[i].fit != Fit::equal)
      sized = static_cast<int>(i);
  for (const Variant &variant : variants)
    entries.push_back(describe(variant));
}

Family::Entry Family::describe(const Variant &variant) const {
  const KernelInfo &info = variant.info;
  Entry entry = {.dtype = variant.dtype(), .numbers = {}, .facts = {}};
  for (size_t i = 0; i < traits.size(); ++i) {
    entry.numbers[i] = variant.config(traits[i].field);
    for (const ParamInfo &param : info.params)
      if (traits[i].ofType && std::string_view(param.name) == traits[i].field)
        entry.numbers[i] = typeNumber(param.dtype);
  }
  for (size_t i = 0; i < info.params.size(); ++i) {
    bool needed = info.params[i].aligned;
    for (const MapInfo &map : info.maps)
      needed |= map.param == static_cast<int>(i);
    entry.aligned |= uint64_t(needed) << i;
    for (size_t axis = 0; axis < info.params[i].extents.size(); ++axis)
      for (const FactInfo &fact : info.facts)
        if (std::string_view(info.params[i].extents[axis]) == fact.dim)
          entry.facts.push_back(
              {static_cast<unsigned>(i), static_cast<int>(axis), fact.multipleOf});
  }
  entry.prefers = entry.aligned != 0 || !entry.facts.empty();
  return entry;
}

bool Family::fits(const Entry &entry, DType dtype, std::span<const int64_t> wanted) const {
  if (entry.dtype != dtype)
    return false;
  for (size_t i = 0; i < traits.size(); ++i)
    if ((traits[i].fit == Fit::equal && entry.numbers[i] != wanted[i]) ||
        (traits[i].fit == Fit::most && entry.numbers[i] < wanted[i]))
      return false;
  return true;
}

bool Family::better(const Entry &entry, const Entry &than, std::span<const int64_t> wanted) const {
  if (sized >= 0 && entry.numbers[sized] != than.numbers[sized]) {
    int64_t size = entry.numbers[sized], other = than.numbers[sized], length = wanted[sized];
    return other < length ? size > other : size >= length && size < other;
  }
  return entry.prefers && !than.prefers;
}

int Family::find(std::span<const int64_t> wanted, std::span<const Arg> args,
                 bool anyAlignment) const {
  assert(wanted.size() == traits.size());
  uint64_t present = alignment(args);
  DType dtype = args[0].dtype();
  auto suits = [&](const Entry &entry) {
    if ((entry.aligned & ~present) != 0)
      return false;
    for (const Fact &fact : entry.facts) // every tensor that has the dimension: they agree or fail
      if (args[fact.param].tensor()->shape[fact.axis] % fact.multipleOf != 0)
        return false;
    return true;
  };
  int chosen = -1;
  for (size_t i = 0; i < entries.size(); ++i)
    if (fits(entries[i], dtype, wanted) && (anyAlignment || suits(entries[i])) &&
        (chosen < 0 || better(entries[i], entries[chosen], wanted)))
      chosen = static_cast<int>(i);
  return chosen;
}

const Variant *Family::choose(std::span<const int64_t> wanted, std::span<const Arg> args) const {
  int index = find(wanted, args, /*anyAlignment=*/false);
  return index < 0 ? nullptr : &variants[index];
}

Status Family::run(Stream stream, std::initializer_list<int64_t> wanted,
                   std::initializer_list<Arg> args) const {
  std::span<const int64_t> numbers(wanted.begin(), wanted.size());
  std::span<const Arg> all(args.begin(), args.size());
  int index = find(numbers, all, /*anyAlignment=*/false);
  if (index < 0) // the launcher says best which argument is not aligned
    index = find(numbers, all, /*anyAlignment=*/true);
  if (index < 0)
    return nothingFits(numbers, all[0]);
  return variants[index].launch(operation, stream, all);
}

Status Family::checkRank(const char *name, const Tensor &tensor,
                         std::initializer_list<const char *> dims) const {
  if (tensor.rank == static_cast<int>(dims.size()))
    return {};
  return fail(kernels::checkRank(name, tensor, dims).message());
}

Status Family::fail(const std::string &message) const {
  return Status::error(std::string(operation) + ": " + message);
}

/// "bf16 with head_dim 128, interleaved 1", "f32 with k up to 64".
std::string Family::text(DType dtype, std::span<const int64_t> numbers, bool wanted) const {
  std::string text = name(dtype);
  const char *separator = " with ";
  for (size_t i = 0; i < traits.size(); ++i) {
    if (traits[i].fit == Fit::nearest) // any number will do
      continue;
    text += separator + std::string(traits[i].label);
    if (traits[i].ofType)
      text += " of " + std::string(name(static_cast<DType>(numbers[i])));
    else
      text +=
          (traits[i].fit == Fit::most && !wanted ? " up to " : " ") + std::to_string(numbers[i]);
    separator = ", ";
  }
  return text;
}

Status Family::nothingFits(std::span<const int64_t> wanted, const Arg &first) const {
  std::vector<std::string> present;
  bool knowsType = false;
  auto add = [&](std::string text) {
    for (const std::string &earlier : present)
      if (earlier == text)
        return;
    present.push_back(std::move(text));
  };
  for (const Entry &entry : entries)
    knowsType |= entry.dtype == first.dtype();
  for (const Entry &entry : entries)
    add(knowsType ? text(entry.dtype, entry.numbers, false) : name(entry.dtype));
  std::string list;
  for (const std::string &one : present)
    list += (list.empty() ? "" : knowsType ? "; " : ", ") + one;
  if (knowsType)
    return fail(noKernel(text(first.dtype(), wanted, true), list).message());
  const char *argument = variants.empty() ? "" : variants.front().info.params.front().name;
  return fail(noKernel("argument '" + std::string(argument) + "' of " + name(first.dtype()),
                       "kernels for " + list)
                  .message());
}

} // namespace kernels
