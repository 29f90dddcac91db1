//===- Shared.h - tiles in shared memory ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_SHARED_H
#define TILE_DSL_SHARED_H

#include "tile/dsl/Value.h"

namespace tile::inline dsl {

/// A tile of T in the CTA's shared memory, its axes in memory order. Undefined until written;
/// allocated in a loop, it lives for one iteration.
template <detail::ElementType T> class Shared : public detail::Variable {
public:
  explicit Shared(detail::Variable variable) : Variable(std::move(variable)) {}
};

} // namespace tile::inline dsl

#endif // TILE_DSL_SHARED_H
