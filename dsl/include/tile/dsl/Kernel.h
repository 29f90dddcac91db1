//===- Kernel.h - the kernel under construction -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_KERNEL_H
#define TILE_DSL_KERNEL_H

#include "tile/dsl/Atomics.h"
#include "tile/dsl/Debug.h"
#include "tile/dsl/Grid.h"
#include "tile/dsl/Loops.h"
#include "tile/dsl/Ops.h"
#include "tile/dsl/Reshape.h"
#include "tile/dsl/Scans.h"

namespace tile::inline dsl {

namespace detail {
enum class Access : uint8_t { in, out, inout, workspace };

GlobalHandle addTensor(Builder &builder, Access access, Element element, const std::string &name,
                       const std::vector<Dim> &extents, Loc loc);
Variable addScalar(Builder &builder, Element element, const std::string &name, Loc loc);
void declarePositive(const Variable &scalar, Loc loc);
Variable group(Builder &builder, const Input &member, const Dim &members, const Dim &groups,
               Loc loc);
Variable allocShared(Builder &builder, Element element, const Axes &axes, Loc loc);
Variable constant(Builder &builder, Element element, const Axes &axes, double value, Loc loc);
Variable iota(Builder &builder, const Axis &axis, Loc loc);
Variable index(Builder &builder, const Input &value);
void setWarps(Builder &builder, int count, Loc loc);
void setCtasPerSm(Builder &builder, int count, Loc loc);
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
  // `cost` and `order` say which CTAs start first, `persistent` that each computes several: see
  // Grid.h.
  Grid<1> grid(const Dim &x, Loc loc = Loc::current()) {
    return {builder, detail::grid(builder, {x}, loc)};
  }
  Grid<2> grid(const Dim &x, const Dim &y, Loc loc = Loc::current()) {
    return {builder, detail::grid(builder, {x, y}, loc)};
  }
  Grid<3> grid(const Dim &x, const Dim &y, const Dim &z, Loc loc = Loc::current()) {
    return {builder, detail::grid(builder, {x, y, z}, loc)};
  }
  /// The number under which this CTA started, 0, 1, ...; `grid` takes it apart.
  Index program(Loc loc = Loc::current()) { return Index(detail::programId(builder, loc)); }
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
  /// Repeats the body as long as the condition, a scalar computed anew before each iteration,
  /// holds.
  void loop_while(const LoopCondition &condition, const BranchBody &body,
                  Loc loc = Loc::current()) {
    detail::whileLoop(builder, condition, body, loc);
  }
  /// A persistent kernel instead of a grid: as many CTAs as the device runs at once, at most
  /// `most`, deal the work items 0, 1, ..., count - 1 out among themselves, in any order: no item
  /// may read what another one writes. The count may come from memory.
  void tiles(const Dim &most, const IndexOperand &count, const LoopBody &body, Tiles options = {},
             Loc loc = Loc::current()) {
    detail::tiles(builder, most, count, options, body, loc);
  }
  /// The same over the first `count` entries of a list, which the body gets.
  template <detail::IntegerElement T>
    requires(std::same_as<T, i32> || std::same_as<T, i64>)
  void tiles(const Global<T> &list, const IndexOperand &count, const LoopBody &body,
             Tiles options = {}, Loc loc = Loc::current()) {
    detail::tiles(
        builder, list.extent(0), count, options, [&](Index item) { body(list(item, loc)); }, loc);
  }
  /// Branches on the device. The condition is a scalar.
  void when(const Fragment<i1> &condition, const BranchBody &then, Loc loc = Loc::current()) {
    detail::when(condition, then, nullptr, loc);
  }
  void when(const Fragment<i1> &condition, const BranchBody &then, const BranchBody &otherwise,
            Loc loc = Loc::current()) {
    detail::when(condition, then, otherwise, loc);
  }

  /// Orders the CTA's accesses to global memory before it and after it, as others see them: release
  /// before the store of a flag, acquire behind reading one.
  void fence(MemoryOrder order, MemoryScope scope = MemoryScope::gpu, Loc loc = Loc::current()) {
    detail::fence(builder, order, scope, loc);
  }

  // Debugging. A kernel that has one of these takes the simple path.
  /// Prints each element once per CTA, a line each: `label[2, 3] = 0.5 (CTA 7)`.
  template <detail::ElementType T>
  void print(const Fragment<T> &value, const std::string &label, Loc loc = Loc::current()) {
    detail::print(detail::elementOf<T>, value, label, loc);
  }
  void print(const Index &value, const std::string &label, Loc loc = Loc::current()) {
    detail::print(detail::Element::i64, value, label, loc);
  }
  /// Ends the kernel with an error unless the condition holds, in the whole tile if it is one. On
  /// the host the launch returns the message; on the GPU it is printed, and the next
  /// synchronisation returns the driver's error.
  void check(const Fragment<i1> &condition, const std::string &message, Loc loc = Loc::current()) {
    detail::check(condition, message, loc);
  }

  /// Overrides how many warps run the kernel, 1 to 32. A Config field `warps` above 0 does the
  /// same.
  void warps(int count, Loc loc = Loc::current()) { detail::setWarps(builder, count, loc); }
  /// Asks that `count` CTAs, 1 to 32, run on one SM at once: each gets that share of its registers,
  /// and its threads and shared memory have to fit as often. More CTAs keep more loads in flight
  /// where memory is the limit. A Config field `ctas_per_sm` above 0 does the same.
  void ctas_per_sm(int count, Loc loc = Loc::current()) {
    detail::setCtasPerSm(builder, count, loc);
  }

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
