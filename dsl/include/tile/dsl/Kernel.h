//===- Kernel.h - the kernel under construction -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_KERNEL_H
#define TILE_DSL_KERNEL_H

#include "tile/dsl/Loops.h"
#include "tile/dsl/Ops.h"

#include <array>

namespace tile::inline dsl {

namespace detail {
enum class Access : uint8_t { in, out, inout, workspace };

GlobalHandle addTensor(Builder &builder, Access access, Element element, const std::string &name,
                       const std::vector<Dim> &extents, Loc loc);
Variable addScalar(Builder &builder, Element element, const std::string &name, Loc loc);
void declarePositive(const Variable &scalar, Loc loc);
std::vector<Variable> grid(Builder &builder, const std::vector<Dim> &extents, Loc loc);
Variable group(Builder &builder, const Input &member, const Dim &members, const Dim &groups,
               Loc loc);
Variable allocShared(Builder &builder, Element element, const Axes &axes, Loc loc);
Variable constant(Builder &builder, Element element, const Axes &axes, double value, Loc loc);
Variable iota(Builder &builder, const Axis &axis, Loc loc);
Variable index(Builder &builder, const Input &value);
void setWarps(Builder &builder, int count, Loc loc);
} // namespace detail

/// A scalar parameter: the same value in every CTA.
template <detail::ElementType T> class Scalar : public Fragment<T> {
public:
  using Fragment<T>::Fragment;

  /// Promises a value greater than 0; the launcher checks it.
  Scalar &positive(Loc loc = Loc::current()) {
    detail::declarePositive(*this, loc);
    return *this;
  }
};

/// The kernel under construction: parameters, grid, memory, control flow. A kernel is a function
/// `template <class T> void name(Kernel &k, const Config &cfg)`; its calls, in order, are the
/// program of one CTA.
class Kernel {
public:
  explicit Kernel(detail::Builder &builder) : builder(builder) {}
  Kernel(const Kernel &) = delete;
  Kernel &operator=(const Kernel &) = delete;

  // Parameters, in the order of the launcher's arguments. The last dimension has stride 1.
  template <detail::ElementType T>
  Global<T> input(const std::string &name, const std::vector<Dim> &extents,
                  Loc loc = Loc::current()) {
    return tensor<T>(detail::Access::in, name, extents, loc);
  }
  template <detail::ElementType T>
  Global<T> output(const std::string &name, const std::vector<Dim> &extents,
                   Loc loc = Loc::current()) {
    return tensor<T>(detail::Access::out, name, extents, loc);
  }
  template <detail::ElementType T>
  Global<T> inout(const std::string &name, const std::vector<Dim> &extents,
                  Loc loc = Loc::current()) {
    return tensor<T>(detail::Access::inout, name, extents, loc);
  }
  /// Scratch memory that the caller provides; contents undefined at the start.
  template <detail::ElementType T>
  Global<T> workspace(const std::string &name, const std::vector<Dim> &extents,
                      Loc loc = Loc::current()) {
    return tensor<T>(detail::Access::workspace, name, extents, loc);
  }
  template <detail::ElementType T>
  Scalar<T> scalar(const std::string &name, Loc loc = Loc::current()) {
    return Scalar<T>(detail::addScalar(builder, detail::elementOf<T>, name, loc));
  }

  // The grid: one CTA for each combination; the first extent varies fastest. Called once; without
  // it there is one CTA. `auto [i, j] = k.grid(rows, columns);`
  std::array<Index, 1> grid(const Dim &x, Loc loc = Loc::current()) {
    auto ids = detail::grid(builder, {x}, loc);
    return {Index(ids[0])};
  }
  std::array<Index, 2> grid(const Dim &x, const Dim &y, Loc loc = Loc::current()) {
    auto ids = detail::grid(builder, {x, y}, loc);
    return {Index(ids[0]), Index(ids[1])};
  }
  std::array<Index, 3> grid(const Dim &x, const Dim &y, const Dim &z, Loc loc = Loc::current()) {
    auto ids = detail::grid(builder, {x, y, z}, loc);
    return {Index(ids[0]), Index(ids[1]), Index(ids[2])};
  }
  /// Which of `groups` equal groups of neighbours a member belongs to: member * groups / members.
  /// The key head of a query head is `group(head, heads, kv_heads)`. The launcher checks that
  /// `members` is a multiple of `groups`.
  Index group(const Index &member, const Dim &members, const Dim &groups,
              Loc loc = Loc::current()) {
    return Index(detail::group(builder, {member, loc}, members, groups, loc));
  }

  // Memory and values.
  template <detail::ElementType T>
  Shared<T> alloc_shared(const std::vector<Axis> &axes, Loc loc = Loc::current()) {
    return Shared<T>(detail::allocShared(builder, detail::elementOf<T>, axes, loc));
  }
  /// A tile full of `value`; with no axes, a scalar variable.
  template <detail::ElementType T>
  Fragment<T> fragment(const std::vector<Axis> &axes, double value, Loc loc = Loc::current()) {
    return Fragment<T>(detail::constant(builder, detail::elementOf<T>, axes, value, loc));
  }
  /// 0, 1, 2, ... along the axis.
  Fragment<i32> iota(const Axis &axis, Loc loc = Loc::current()) {
    return Fragment<i32>(detail::iota(builder, axis, loc));
  }
  /// An integer or a dimension as an Index, for instance to change it in a loop.
  Index index(const IndexOperand &value) { return Index(detail::index(builder, value)); }

  // Control flow. What the body assigns to variables declared before is seen after it.
  /// Runs the body for 0, 1, ..., count - 1, in order; a count below 1 runs nothing.
  void loop(const IndexOperand &count, const LoopBody &body, Loc loc = Loc::current()) {
    detail::loop(builder, count, nullptr, body, loc);
  }
  /// The same, with the copies of later iterations in flight during the current one.
  void pipelined(const IndexOperand &count, Pipeline pipeline, const LoopBody &body,
                 Loc loc = Loc::current()) {
    detail::loop(builder, count, &pipeline, body, loc);
  }
  /// Branches on the device. The condition is a scalar.
  void when(const Fragment<i1> &condition, const BranchBody &then, Loc loc = Loc::current()) {
    detail::when(condition, then, nullptr, loc);
  }
  void when(const Fragment<i1> &condition, const BranchBody &then, const BranchBody &otherwise,
            Loc loc = Loc::current()) {
    detail::when(condition, then, otherwise, loc);
  }

  /// Overrides how many warps run the kernel, 1 to 32. A Config field `warps` above 0 does the
  /// same.
  void warps(int count, Loc loc = Loc::current()) { detail::setWarps(builder, count, loc); }

private:
  friend class Scope;
  template <detail::ElementType T>
  Global<T> tensor(detail::Access access, const std::string &name, const std::vector<Dim> &extents,
                   Loc loc) {
    return Global<T>(detail::addTensor(builder, access, detail::elementOf<T>, name, extents, loc));
  }

  detail::Builder &builder;
};

} // namespace tile::inline dsl

#endif // TILE_DSL_KERNEL_H
