//===- Variants.cpp - library kernels by their configuration --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Variants.h"

#include <algorithm>
#include <cctype>

namespace tile::test {

std::optional<int64_t> configValue(const KernelInfo &kernel, const std::string &field) {
  std::string symbol = kernel.symbol, key = "_" + field;
  for (size_t at = symbol.find(key); at != std::string::npos; at = symbol.find(key, at + 1)) {
    size_t digits = at + key.size();
    if (digits < symbol.size() && isdigit(static_cast<unsigned char>(symbol[digits])))
      return std::stoll(symbol.substr(digits));
  }
  return std::nullopt;
}

const KernelInfo *findKernel(std::span<const KernelInfo *const> kernels, const std::string &source,
                             DType dtype,
                             const std::vector<std::pair<std::string, int64_t>> &config) {
  auto fits = [&](const KernelInfo *kernel) {
    return kernel->source == source && kernel->params[0].dtype == dtype &&
           std::all_of(config.begin(), config.end(), [&](const auto &field) {
             return configValue(*kernel, field.first) == field.second;
           });
  };
  auto found = std::find_if(kernels.begin(), kernels.end(), fits);
  return found == kernels.end() ? nullptr : *found;
}

} // namespace tile::test
