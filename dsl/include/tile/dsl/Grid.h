//===- Grid.h - which CTA this is, and when it starts -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_GRID_H
#define TILE_DSL_GRID_H

#include "tile/dsl/Global.h"

#include <tuple>
#include <utility>

namespace tile::inline dsl {

namespace detail {
/// The coordinates of the CTA, for a grid that has these extents.
std::vector<Variable> grid(Builder &builder, const std::vector<Dim> &extents, Loc loc);
/// Placeholders for them in a cost.
Dim gridCoordinate(size_t axis);
/// The coordinates where CTAs start in the order of falling costs.
std::vector<Variable> orderByCost(Builder &builder, const Dim &cost,
                                  const std::optional<Dim> &together, Loc loc);
Variable programId(Builder &builder, Loc loc);
/// Makes the kernel persistent: CTAs that go through the grid's numbers.
void persist(Builder &builder, std::optional<int> ctasPerSm, Loc loc);
/// The coordinates where the CTAs that start are those that a list names.
std::vector<Variable> orderByList(Builder &builder, const Variable &program, Loc loc);
} // namespace detail

/// The coordinates of this CTA in the grid: `auto [i, j] = k.grid(rows, columns);`
template <size_t N> class Grid {
public:
  Grid(detail::Builder &builder, const std::vector<detail::Variable> &ids) : builder(&builder) {
    for (size_t i = 0; i < N; ++i)
      indices[i] = Index(ids[i]);
  }

  /// Starts CTAs that have more to do first, so that the last ones to end are short. The cost is an
  /// expression of the grid's coordinates and of dimensions; it has to rise, or to fall, along one
  /// coordinate and not depend on the others:
  /// `auto [block, head] = k.grid(blocks, heads).cost([](Dim block, Dim) { return block; });`
  /// With `together`, that many combinations of the other coordinates run through the order before
  /// the next ones start: what they share then stays in the L2 cache.
  template <class Cost>
  Grid cost(const Cost &cost, std::optional<Dim> together = {}, Loc loc = Loc::current()) const {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      return Grid(*builder,
                  detail::orderByCost(*builder, cost(detail::gridCoordinate(I)...), together, loc));
    }(std::make_index_sequence<N>());
  }

  /// Starts the CTAs in the order of a list with the number of every CTA (the first coordinate
  /// varies fastest), for costs that only the device knows. The library's kernel `order_by_cost`
  /// makes it.
  Grid order(const Global<i32> &list, Loc loc = Loc::current()) const {
    Index program = list(Index(detail::programId(*builder, loc)), loc);
    return Grid(*builder, detail::orderByList(*builder, program, loc));
  }

  /// Starts as many CTAs as the device runs at once; each computes several combinations of
  /// coordinates, one after the other. The whole body of the kernel is done for each, as if it had
  /// a CTA of its own, and `k.program()` is its number. Where a CTA fills its SM, the copies for
  /// the next one run while this one is computed. A CTA that is done early takes more of them; with
  /// `cost` or `order` the first ones are those that have most to do. `ctas_per_sm` is what
  /// `k.ctas_per_sm` or the Config say, or 1.
  Grid persistent(std::optional<int> ctas_per_sm = {}, Loc loc = Loc::current()) const {
    detail::persist(*builder, ctas_per_sm, loc);
    return *this;
  }

  const Index &operator[](size_t i) const { return indices[i]; }
  template <size_t I> Index get() const { return indices[I]; }

private:
  detail::Builder *builder;
  Index indices[N];
};

} // namespace tile::inline dsl

template <size_t N> struct std::tuple_size<tile::Grid<N>> : std::integral_constant<size_t, N> {};
template <size_t I, size_t N> struct std::tuple_element<I, tile::Grid<N>> {
  using type = tile::Index;
};

#endif // TILE_DSL_GRID_H
