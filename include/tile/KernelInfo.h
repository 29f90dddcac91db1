//===- KernelInfo.h - what a compiled kernel says about itself ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Plain static tables, filled in by the launcher headers that tilec generates. `Launcher` checks a
// call against them, so every kernel gets every check and no kernel carries checking code.

#ifndef TILE_KERNELINFO_H
#define TILE_KERNELINFO_H

#include "tile/Runtime.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

#include <array>
#include <atomic>
#include <memory>
#include <span>

namespace tile {

enum class Access : uint8_t { in, out, inout, workspace };

/// "in", "out", "inout" or "workspace".
const char *name(Access access);
std::optional<Access> parseAccess(std::string_view text);

struct ParamInfo {
  enum class Kind : uint8_t { tensor, scalar };

  const char *name;
  Kind kind;
  DType dtype;
  /// Of a tensor.
  Access access = Access::in;
  /// Of a tensor: one expression (tile/Expr.h) per dimension.
  std::span<const char *const> extents = {};
  /// Of a tensor: base address and all strides but the last are multiples of 16 bytes.
  bool aligned = false;
  /// Of a scalar: greater than 0.
  bool positive = false;
};

struct FactInfo {
  const char *dim;
  int64_t multipleOf;
};

/// `members` is a multiple of `groups`, or 0. Both are expressions (tile/Expr.h).
struct GroupInfo {
  const char *members;
  const char *groups;
};

/// Dimensions of a tensor that a tensor map describes, at most.
inline constexpr int maxMapRank = 5;

/// How TMA loads boxes of a tensor; the launcher encodes it from the argument and passes it behind
/// everything else.
struct MapInfo {
  /// Number of the tensor among the parameters.
  int param;
  int rank;
  /// Elements of a box, per dimension of the tensor.
  std::array<int, maxMapRank> box;
  /// Bytes: 0, 32, 64 or 128.
  int swizzle = 0;
};

/// Where a kernel on the host says that a check of its author failed: the first message, and the
/// thread block that it comes from.
struct HostReport {
  std::atomic<const char *> message = nullptr;
  int64_t block = 0;
};

/// Runs the thread blocks [begin, end) of the grid. `params` are pointers to the parameters, as on
/// the GPU; behind the dimensions the number of thread blocks and the address of a HostReport.
using HostFunction = void (*)(void **params, int64_t begin, int64_t end);

struct KernelInfo {
  /// Symbol of the kernel in its image.
  const char *symbol;
  /// Name in messages: the author's function.
  const char *source;
  /// Dimensions known at launch. One that no extent names alone is an argument after the
  /// parameters.
  std::span<const char *const> dims = {};
  std::span<const FactInfo> facts = {};
  std::span<const GroupInfo> groups = {};
  std::span<const ParamInfo> params = {};
  /// The number of thread blocks is the product of these.
  std::span<const char *const> grid = {};
  /// What the compiler has the launcher compute, as expressions (tile/Expr.h); on the GPU the
  /// values follow the dimensions.
  std::span<const char *const> derived = {};
  /// On the GPU the address of a counter in device memory follows, which thread blocks draw work
  /// items from, or 0, where they take items in fixed turns.
  bool counter = false;
  int numWarps = 4;
  /// Warps behind these that only move data.
  int producerWarps = 0;
  /// Dynamic shared memory of one thread block.
  int64_t sharedBytes = 0;
  /// On the GPU only.
  std::span<const MapInfo> maps = {};
  /// The cubin for sm_90a, or null if the kernel was not built for the GPU.
  const void *image = nullptr;
  /// Null if the kernel was not built for the host.
  HostFunction host = nullptr;
};

/// One argument of a launch: a tensor, which must outlive the call, or a scalar.
class Arg {
public:
  Arg(const Tensor &tensor) : tensorView(&tensor), type(tensor.dtype) {}
  static Arg real(DType dtype, double value);
  static Arg integer(DType dtype, int64_t value);

  const Tensor *tensor() const { return tensorView; }
  DType dtype() const { return type; }
  /// The scalar's bytes, at the low end.
  uint64_t bits() const { return scalarBits; }

private:
  Arg(DType dtype, uint64_t bits) : type(dtype), scalarBits(bits) {}

  const Tensor *tensorView = nullptr;
  DType type;
  uint64_t scalarBits = 0;
};

/// A kernel ready to be called. Expressions are parsed here, the image is loaded at the first
/// launch in a context. Calls from several threads are safe. `info` must outlive the launcher.
class Launcher {
public:
  explicit Launcher(const KernelInfo &info);
  ~Launcher();
  Launcher(Launcher &&) noexcept;

  /// Checks every argument, then runs the kernel: on the GPU it is queued on `stream`, on the host
  /// it has ended when this returns. `args` are the parameters in order, then one i64 for each
  /// dimension that no extent names alone. A grid of 0 is success.
  Status launch(Stream stream, std::span<const Arg> args) const;
  /// What launch() would say of the arguments, without running anything.
  Status check(Stream stream, std::span<const Arg> args) const;

  /// Dimensions that a caller must pass, as indices into `KernelInfo::dims`.
  std::span<const unsigned> dimArguments() const;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace tile

#endif // TILE_KERNELINFO_H
