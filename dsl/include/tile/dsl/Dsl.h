//===- Dsl.h - everything a kernel's source includes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_DSL_H
#define TILE_DSL_DSL_H

#include "tile/dsl/Bits.h"
#include "tile/dsl/Kernel.h"
#include "tile/dsl/Registry.h"

#endif // TILE_DSL_DSL_H
