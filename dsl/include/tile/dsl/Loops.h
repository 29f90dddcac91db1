//===- Loops.h - loops, branches and scopes ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LOOPS_H
#define TILE_DSL_LOOPS_H

#include "tile/dsl/Fragment.h"

#include <functional>

namespace tile::inline dsl {

/// How many iterations' copies of a pipelined loop may be in flight.
struct Pipeline {
  int stages = 2;
};

using LoopBody = std::function<void(Index)>;
using BranchBody = std::function<void()>;
using LoopCondition = std::function<Fragment<i1>()>;

/// How work items are dealt out to the CTAs of a persistent kernel.
struct Tiles {
  /// How many CTAs share one SM. Several small ones keep more loads in flight.
  int ctas_per_sm = 1;
};

namespace detail {
void loop(Builder &builder, const Input &count, const Pipeline *pipeline, const LoopBody &body,
          Loc loc);
void whileLoop(Builder &builder, const LoopCondition &condition, const BranchBody &body, Loc loc);
void tiles(Builder &builder, const Dim &most, const Input &count, const Tiles &tiles,
           const LoopBody &body, Loc loc);
void when(const Variable &condition, const BranchBody &then, const BranchBody &otherwise, Loc loc);
} // namespace detail

class Kernel;

/// Opened by a helper function with the caller's location, which it takes as its own last parameter
/// `Loc loc = Loc::current()`: until the scope ends, every operation's location is the helper's
/// line called at the caller's, and a diagnostic shows both.
class Scope {
public:
  Scope(Kernel &kernel, Loc caller);
  Scope(const detail::Variable &anyValue, Loc caller);
  ~Scope();
  Scope(const Scope &) = delete;
  Scope &operator=(const Scope &) = delete;

private:
  detail::Builder &builder;
  int exceptions; // in flight when the scope was opened
};

} // namespace tile::inline dsl

#endif // TILE_DSL_LOOPS_H
