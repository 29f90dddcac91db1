//===- Numbers.h - element types of registers and memory --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_NUMBERS_H
#define TILEC_LIB_INTERPRETER_NUMBERS_H

#include "mlir/IR/Types.h"

#include <bit>
#include <cstdint>
#include <optional>

namespace tilec::interp {

enum class Kind : uint8_t { I1, I8, I16, I32, I64, E4M3, E5M2, F16, BF16, F32 };

/// The kind of a scalar type; `index` is i64. Nothing for types that have no model.
std::optional<Kind> kindOf(mlir::Type type);

/// Bytes of an element in memory.
constexpr uint32_t storedBytes(Kind kind) {
  switch (kind) {
  case Kind::I1:
  case Kind::I8:
  case Kind::E4M3:
  case Kind::E5M2:
    return 1;
  case Kind::I16:
  case Kind::F16:
  case Kind::BF16:
    return 2;
  case Kind::I32:
  case Kind::F32:
    return 4;
  case Kind::I64:
    return 8;
  }
  return 0;
}

/// Bytes of an element in a register: its bits, zero-extended to four bytes.
constexpr uint32_t wordBytes(Kind kind) { return kind == Kind::I64 ? 8 : 4; }

constexpr uint32_t bitWidth(Kind kind) { return kind == Kind::I1 ? 1 : 8 * storedBytes(kind); }

constexpr bool isFloat(Kind kind) { return kind >= Kind::E4M3; }

inline float bf16ToFloat(uint32_t bits) { return std::bit_cast<float>(bits << 16); }

/// The number with these bits; exact.
float toFloat(Kind kind, uint32_t bits);

/// Rounds to nearest, ties to even. Past the largest finite value: that value if `saturate`,
/// otherwise infinity (NaN where the format has none).
uint32_t fromFloat(Kind kind, float value, bool saturate = false);

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_NUMBERS_H
