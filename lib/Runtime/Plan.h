//===- Plan.h - a kernel's tables, parsed ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_PLAN_H
#define TILE_RUNTIME_PLAN_H

#include "tile/Expr.h"
#include "tile/KernelInfo.h"

#include <vector>

namespace tile {

/// What a launch needs of the tables, prepared once: parsed expressions, and for each dimension
/// where its value comes from.
struct Plan {
  explicit Plan(const KernelInfo &info);

  /// The first extent of some tensor that is the dimension's plain name. Negative: an argument.
  struct Source {
    int param = -1;
    int axis = -1;
  };
  struct Fact {
    unsigned dim;
    int64_t multipleOf;
  };

  struct Group {
    Expr members, groups;
  };

  const KernelInfo &info;
  /// A fault of the tables; every launch returns it.
  Status failure;
  /// Per parameter, per dimension; empty for scalars.
  std::vector<std::vector<Expr>> extents;
  std::vector<Expr> grid;
  std::vector<Expr> derived;
  std::vector<Source> sources;
  std::vector<unsigned> dimArguments;
  std::vector<Fact> facts;
  std::vector<Group> groups;
  bool usesSmCount = false;

private:
  Status build();
  Status addAll(const char *what, std::span<const char *const> texts,
                std::span<const std::string_view> names, std::vector<Expr> &parsed);
  Status addParam(const ParamInfo &param, int index, std::span<const std::string_view> names);
  Status addFact(const FactInfo &fact, std::span<const std::string_view> names);
  Status addGroup(const GroupInfo &group, std::span<const std::string_view> names);
};

/// Checks number, kind, element type, rank and device of the arguments, then reads the dimensions
/// off them.
Status bindDims(const Plan &plan, std::span<const Arg> args, Device device,
                std::vector<int64_t> &dims);

/// Checks everything that depends on the dimensions' values: extents, strides, addresses, facts,
/// scalars, overlap.
Status checkArguments(const Plan &plan, std::span<const Arg> args, std::span<const int64_t> dims,
                      int64_t smCount);

/// Number of thread blocks. An error where it is 0 although an output has elements, which nothing
/// would then write, or where no launch can be that large.
Result<int64_t> evaluateGrid(const Plan &plan, std::span<const Arg> args,
                             std::span<const int64_t> dims, int64_t smCount);

/// The two views have an element in common, or share bytes of one. May say so wrongly only for
/// interleaved views of different shape; never denies it wrongly.
bool mayOverlap(const Tensor &first, const Tensor &second);

/// First byte and past-the-end byte of a view with non-negative strides and no empty extent.
/// Nothing if the distance does not fit 63 bits.
std::optional<std::pair<uintptr_t, uintptr_t>> byteRange(const Tensor &tensor);

} // namespace tile

#endif // TILE_RUNTIME_PLAN_H
