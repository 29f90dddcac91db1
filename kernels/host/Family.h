//===- Family.h - the variants of one kernel, to choose from ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The library's operations are tables: which fields of a kernel's Config a call decides, and how. A
// Family finds the variants in the library, chooses one, and launches it.

#ifndef KERNELS_HOST_FAMILY_H
#define KERNELS_HOST_FAMILY_H

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

  /// Launches it; an error names the library's operation instead of the kernel.
  tile::Status launch(const char *operation, tile::Stream stream,
                      std::span<const tile::Arg> args) const;
  /// What launch() would say of the arguments, without launching.
  tile::Status check(const char *operation, tile::Stream stream,
                     std::span<const tile::Arg> args) const;
};

/// The library's variants of the kernel that its author calls `source`, in the library's order.
std::vector<Variant> variantsOf(std::string_view source);

/// How a number that a call brings along stands to a variant's own.
enum class Fit : uint8_t {
  equal,   ///< they are the same
  most,    ///< the variant takes numbers up to its own; the smallest that suffices is chosen
  nearest, ///< as `most`, and where none suffices the largest is chosen, which takes any number
};

/// What a call decides. At most one trait of a family has another fit than `equal`.
struct Trait {
  /// A field of the kernel's Config; if `ofType`, a parameter, whose element type is meant.
  const char *field;
  /// Name in messages, as the caller knows it.
  const char *label;
  Fit fit = Fit::equal;
  bool ofType = false;

  static Trait typeOf(const char *param) { return {param, param, Fit::equal, true}; }
};

inline constexpr size_t maxTraits = 4;

/// The number of a trait made by Trait::typeOf().
inline int64_t typeNumber(tile::DType dtype) { return static_cast<int64_t>(dtype); }

/// The variants of one kernel behind one operation of the library. Made once, at the operation's
/// first call, and never destroyed: at exit the driver may be gone first.
class Family {
public:
  /// `operation` is the name in messages, `source` the kernel's; at most maxTraits traits.
  Family(const char *operation, std::string_view source, std::vector<Trait> traits = {});

  /// The variant for `args`, the kernel's arguments in order, of which the first decides the
  /// element type, and for `wanted`, one number for each trait. Where two fit alike, the one that
  /// makes more of the arguments' alignment. Null if none fits.
  const Variant *choose(std::span<const int64_t> wanted, std::span<const tile::Arg> args) const;

  /// Chooses and launches. Errors: no variant fits, then the message lists what there is; or what
  /// the launcher says, also where all variants want an alignment that the arguments lack.
  tile::Status run(tile::Stream stream, std::initializer_list<int64_t> wanted,
                   std::initializer_list<tile::Arg> args) const;

  /// "argument 'x': expected [rows, cols], found ...", unless `tensor` has as many dimensions as
  /// `dims` has names.
  tile::Status checkRank(const char *name, const tile::Tensor &tensor,
                         std::initializer_list<const char *> dims) const;

  /// An error of this operation.
  tile::Status fail(const std::string &message) const;

private:
  /// A dimension that a variant wants a multiple of: dimension `axis` of parameter `param`.
  struct Fact {
    unsigned param;
    int axis;
    int64_t multipleOf;
  };
  /// What choosing looks at.
  struct Entry {
    tile::DType dtype;
    std::array<int64_t, maxTraits> numbers = {};
    std::vector<Fact> facts;
    uint64_t aligned = 0; ///< bit i: parameter i, in its address and strides
    bool prefers = false; ///< wants facts or alignment, and is faster for it
  };

  Entry describe(const Variant &variant) const;
  int find(std::span<const int64_t> wanted, std::span<const tile::Arg> args,
           bool anyAlignment) const;
  bool fits(const Entry &entry, tile::DType dtype, std::span<const int64_t> wanted) const;
  bool better(const Entry &entry, const Entry &than, std::span<const int64_t> wanted) const;
  std::string text(tile::DType dtype, std::span<const int64_t> numbers, bool wanted) const;
  tile::Status nothingFits(std::span<const int64_t> wanted, const tile::Arg &first) const;

  const char *operation;
  std::vector<Trait> traits;
  std::vector<Variant> variants;
  std::vector<Entry> entries; // of the variants, in their order
  int sized = -1;             // the trait whose fit is not `equal`
};

/// A message that starts the way by which isNoKernel() knows it: no variant fits.
tile::Status noKernel(const std::string &wanted, const std::string &present);
bool isNoKernel(const tile::Status &status);

/// Error unless `tensor` has as many dimensions as `dims` has names.
tile::Status checkRank(const char *name, const tile::Tensor &tensor,
                       std::initializer_list<const char *> dims);

/// Error unless `workspace` is a one-dimensional i8 tensor of at least `bytes` elements, one behind
/// the other from an address that is a multiple of 16 bytes. Nothing is needed where `bytes` is 0.
tile::Status checkWorkspace(const tile::Tensor &workspace, int64_t bytes);

} // namespace kernels

#endif // KERNELS_HOST_FAMILY_H
