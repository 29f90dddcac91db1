//===- Arguments.h - a kernel's arguments from the command line -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILE_RUN_ARGUMENTS_H
#define TILE_RUN_ARGUMENTS_H

#include "Compare.h"
#include "Options.h"

#include "tilec/Target/KernelDesc.h"

#include <map>
#include <vector>

namespace tilerun {

/// A tensor or a scalar of the kernel, on this machine.
struct Argument {
  const tilec::ParamDesc *param;
  /// Of a tensor: its shape, and for `in` and `inout` its content.
  HostArray array;
  /// Of a scalar.
  std::optional<tile::Arg> scalar;

  bool isTensor() const { return param->kind == tile::ParamInfo::Kind::tensor; }
  bool isRead() const {
    return param->access == tile::Access::in || param->access == tile::Access::inout;
  }
};

/// What the command line and its files say, complete: every parameter, every dimension.
struct Arguments {
  std::vector<Argument> params;
  /// In the order of the kernel's `dims`.
  std::vector<int64_t> dims;
};

/// Reads the files, takes the dimensions from their shapes and from --dim, evaluates all extents
/// and draws random content. Errors are the user's: an unknown name, a missing one, a dimension
/// with two values.
tile::Result<Arguments> makeArguments(const tilec::KernelDesc &kernel, const Options &options,
                                      int64_t smCount);

} // namespace tilerun

#endif // TILE_RUN_ARGUMENTS_H
