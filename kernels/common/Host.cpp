//===- Host.cpp - chooses the kernel for matmul, softmax, copy and axpy -----===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Matrix.h"

#include "../Family.h"

using namespace tile;
using kernels::Variant;

namespace {
/// Never destroyed: at exit the driver may be gone first.
std::vector<Variant> &family(const char *source) {
  return *new std::vector<Variant>(kernels::variantsOf(source));
}

Status wrongType(const char *operation, const Tensor &tensor, const char *argument,
                 const std::vector<Variant> &variants) {
  return Status::error(
      std::string(operation) + ": " +
      kernels::noKernel("argument '" + std::string(argument) + "' of " + name(tensor.dtype),
                        "kernels for " + kernels::dtypeNames(variants))
          .message());
}

/// The first variant for the element type of `x`.
Result<const Variant *> byType(const char *operation, const std::vector<Variant> &variants,
                               const Tensor &x) {
  for (const Variant &variant : variants)
    if (variant.dtype() == x.dtype)
      return &variant;
  return wrongType(operation, x, "x", variants);
}

struct GemmEntry {
  const Variant *variant;
  DType dtype;
  bool transposeB, aligned;
};

const std::vector<Variant> &gemmVariants() {
  static const std::vector<Variant> &variants = family("gemm");
  return variants;
}

/// Those that want alignment first.
const std::vector<GemmEntry> &gemmEntries() {
  static const std::vector<GemmEntry> &list = *[] {
    auto *made = new std::vector<GemmEntry>;
    for (bool aligned : {true, false})
      for (const Variant &variant : gemmVariants())
        if ((variant.config("aligned") != 0) == aligned)
          made->push_back({&variant, variant.dtype(), variant.config("transpose_b") != 0, aligned});
    return made;
  }();
  return list;
}
} // namespace

Status tile::matmul(Stream stream, const Tensor &a, const Tensor &b, const Tensor &c,
                    const MatmulOptions &options) {
  Status status = kernels::checkRank("a", a, {"m", "k"});
  if (status.ok())
    status = options.transposeB ? kernels::checkRank("b", b, {"n", "k"})
                                : kernels::checkRank("b", b, {"k", "n"});
  if (status.ok())
    status = kernels::checkRank("c", c, {"m", "n"});
  if (!status.ok())
    return Status::error("matmul: " + status.message());
  for (const GemmEntry &entry : gemmEntries())
    if (entry.dtype == a.dtype && entry.transposeB == options.transposeB &&
        (!entry.aligned || kernels::alignmentFits(*entry.variant, {&a, &b, &c}))) {
      const Arg args[] = {a, b, c};
      return entry.variant->launcher.launch(stream, args);
    }
  return wrongType("matmul", a, "a", gemmVariants());
}

Status tile::softmax(Stream stream, const Tensor &x, const Tensor &y) {
  static const std::vector<Variant> &variants = family("softmax");
  if (Status status = kernels::checkRank("x", x, {"rows", "cols"}); !status.ok())
    return Status::error("softmax: " + status.message());
  const Variant *chosen = kernels::variantForRow(variants, x.dtype, x.shape[1]);
  if (!chosen)
    return wrongType("softmax", x, "x", variants);
  const Arg args[] = {x, y};
  return chosen->launcher.launch(stream, args);
}

Status tile::copy(Stream stream, const Tensor &x, const Tensor &y) {
  static const std::vector<Variant> &variants = family("copy");
  Result<const Variant *> variant = byType("copy", variants, x);
  if (!variant.ok())
    return variant.status();
  const Arg args[] = {x, y};
  return (*variant)->launcher.launch(stream, args);
}

Status tile::axpy(Stream stream, float a, const Tensor &x, const Tensor &y) {
  static const std::vector<Variant> &variants = family("axpy");
  Result<const Variant *> variant = byType("axpy", variants, x);
  if (!variant.ok())
    return variant.status();
  const Arg args[] = {x, y, Arg::real(DType::f32, a)};
  return (*variant)->launcher.launch(stream, args);
}
