//===- Family.h - the variants of one kernel, to choose from ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_FAMILY_H
#define KERNELS_FAMILY_H

#include "tile/KernelInfo.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernels {

/// One compiled kernel, what it was compiled for, and its launcher.
struct Variant {
  const tile::KernelInfo &info;
  tile::Launcher launcher;

  explicit Variant(const tile::KernelInfo &info) : info(info), launcher(info) {}

  /// The element type of the first parameter.
  tile::DType dtype() const { return info.params.front().dtype; }
  /// A field of the kernel's Config, read off its symbol; `otherwise` if it has no such field.
  int64_t config(std::string_view field, int64_t otherwise = 0) const;
  /// A tensor parameter's extent if that is a number; 0 otherwise.
  int64_t extent(std::string_view param, int axis) const;
};

/// The library's variants of the kernel that its author calls `source`, in the library's order.
std::vector<Variant> variantsOf(std::string_view source);

/// Of the variants for `dtype`, which each read rows of up to `block_cols` elements once: the one with
/// the shortest block that holds a row of `cols`, or with the longest block if none does. Null if
/// there is none for `dtype`.
const Variant *variantForRow(const std::vector<Variant> &variants, tile::DType dtype, int64_t cols);

/// A message that starts the way by which isNoKernel() knows it: no variant fits.
tile::Status noKernel(const std::string &wanted, const std::string &present);
bool isNoKernel(const tile::Status &status);

/// Error unless `tensor` has as many dimensions as `dims` has names.
tile::Status checkRank(const char *name, const tile::Tensor &tensor,
                       std::initializer_list<const char *> dims);

/// Every parameter whose address the variant wants in multiples of 16 bytes, or reads through TMA,
/// has it and its strides so, and the variant's facts hold. `args` are the parameters in order.
bool alignmentFits(const Variant &variant, std::initializer_list<const tile::Tensor *> args);

/// The element types of the variants, each once: "bf16, f16".
std::string dtypeNames(const std::vector<Variant> &variants);

} // namespace kernels

#endif // KERNELS_FAMILY_H
