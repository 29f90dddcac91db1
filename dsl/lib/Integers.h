//===- Integers.h - shifts and quotients defined for all operands -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_LIB_INTEGERS_H
#define TILE_DSL_LIB_INTEGERS_H

#include "Builder.h"

namespace tile::inline dsl::detail {

/// The builder of the first operand that is a variable; an error if none has a value.
Builder &builderOf(std::initializer_list<const Input *> inputs);
/// The axes of all operands together.
Axes axesOf(Builder &b, std::initializer_list<const Input *> inputs);

// In `arith` a count of the width or more and a divisor of 0 give no value at all, and the
// dividend's lowest value by -1 ends the process on x86. Tests that a constant decides vanish.

mlir::Value shiftLeft(Builder &b, mlir::Value x, mlir::Value count, Loc loc);
mlir::Value shiftRight(Builder &b, bool isSigned, mlir::Value x, mlir::Value count, Loc loc);
mlir::Value quotient(Builder &b, bool isSigned, mlir::Value x, mlir::Value y, Loc loc);
mlir::Value remainder(Builder &b, bool isSigned, mlir::Value x, mlir::Value y, Loc loc);

} // namespace tile::inline dsl::detail

#endif // TILE_DSL_LIB_INTEGERS_H
