//===- Debug.h - printing and checking while a kernel runs ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_DEBUG_H
#define TILE_DSL_DEBUG_H

#include "tile/dsl/Fragment.h"

namespace tile::inline dsl::detail {

void print(Element element, const Variable &value, const std::string &label, Loc loc);
void check(const Variable &condition, const std::string &message, Loc loc);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_DEBUG_H
