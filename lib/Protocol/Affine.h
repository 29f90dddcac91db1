//===- Affine.h - counts as sums of symbols ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_AFFINE_H
#define TILEC_LIB_PROTOCOL_AFFINE_H

#include <cstdint>
#include <map>
#include <optional>

namespace tilec::protocol {

/// constant + sum of coefficient * symbol. Symbols are trip counts, guards (0 or 1) and loop
/// counters; none is negative.
struct Affine {
  int64_t constant = 0;
  std::map<unsigned, int64_t> terms; // no zero coefficients

  Affine(int64_t constant = 0) : constant(constant) {}
  static Affine symbol(unsigned number) {
    Affine result;
    result.terms[number] = 1;
    return result;
  }

  friend bool operator==(const Affine &, const Affine &) = default;
  Affine operator+(const Affine &other) const { return plus(other, 1); }
  Affine operator-(const Affine &other) const { return plus(other, -1); }
  Affine operator*(int64_t factor) const { return Affine().plus(*this, factor); }
  Affine plus(const Affine &other, int64_t factor) const {
    Affine result = *this;
    result.constant += factor * other.constant;
    for (auto [number, coefficient] : other.terms)
      if ((result.terms[number] += factor * coefficient) == 0)
        result.terms.erase(number);
    return result;
  }
  /// With `value` for the symbol.
  Affine with(unsigned number, const Affine &value) const {
    auto found = terms.find(number);
    if (found == terms.end())
      return *this;
    int64_t coefficient = found->second;
    Affine result = *this;
    result.terms.erase(number);
    return result.plus(value, coefficient);
  }
  std::optional<int64_t> asConstant() const {
    return terms.empty() ? std::optional(constant) : std::nullopt;
  }
  /// True only if it is positive whatever the symbols are.
  bool isPositive() const {
    for (auto [number, coefficient] : terms)
      if (coefficient < 0)
        return false;
    return constant > 0;
  }
};

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_AFFINE_H
