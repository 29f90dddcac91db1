//===- Ops.h - operations on tiles ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_OPS_H
#define TILE_DSL_OPS_H

#include "tile/dsl/Global.h"
#include "tile/dsl/Shared.h"

namespace tile::inline dsl {

/// What a cast to e4m3 or e5m2 makes of a value past the largest finite one (448 and 57344),
/// infinity included: that largest one, or what is not finite, NaN in e4m3 (which has no infinity)
/// and infinity in e5m2.
enum class overflow : uint8_t { saturate, nonfinite };

namespace detail {
enum class Unary : uint8_t { exp, exp2, log, log2, sqrt, rsqrt, rcp, tanh, sin, cos, abs };
enum class Reduction : uint8_t { max, min, sum, absmax, any, all };

Variable unary(Unary operation, Element element, const Variable &x, Loc loc);
Variable cast(Element from, Element to, const Variable &x, overflow mode, Loc loc);
Variable reduce(Reduction kind, const Variable &x, const Axis &axis, Loc loc);
Variable follow(const Variable &reference, const Variable &maximum, double lag, Loc loc);
/// The accumulator is 0 if absent.
Variable gemm(const Variable &a, const Variable &b, const Input *accumulator, Loc loc);
Variable groupedGemm(const Variable &a, const Variable &b, const Input *accumulator, Loc loc);
void copyIn(const Place &source, const Variable &target, double pad, Loc loc);
void copyOut(const Variable &source, const Place &target, Loc loc);
void copyShared(const Variable &source, const Variable &target, Loc loc);
Variable loadWindow(const Place &source, double pad, Loc loc);
Variable loadShared(const Variable &source, Loc loc);
void storeWindow(const Variable &value, const Place &target, Loc loc);
void storeShared(const Variable &value, const Variable &target, Loc loc);
Variable gather(Element element, const IndexedPlace &source, double pad, Loc loc);
void gatherCopy(Element element, const IndexedPlace &source, const Variable &target, double pad,
                Loc loc);
void scatter(const Variable &value, const IndexedPlace &target, Loc loc);
void storeElement(Element element, const Input &value, const Place &target);
Variable toIndex(const Variable &x, Loc loc);
} // namespace detail

// Elementwise functions, on every target within the errors stated: relative unless said otherwise,
// and for every f32 but where a range is given. Operands and results below 2^-126 in magnitude may
// count as 0. NaN gives NaN.
#define TILE_UNARY(NAME)                                                                           \
  inline Fragment<f32> NAME(const Fragment<f32> &x, Loc loc = Loc::current()) {                    \
    return Fragment<f32>(detail::unary(detail::Unary::NAME, detail::Element::f32, x, loc));        \
  }
/// Error 2^-22 + 2^-23 * |x|; 0 for -inf.
TILE_UNARY(exp)
/// Error 2^-22; 0 for -inf.
TILE_UNARY(exp2)
/// Error 2^-21.5, absolute from 0.5 to 2; -inf for 0, NaN below 0.
TILE_UNARY(log)
/// Error 2^-22, absolute from 0.5 to 2; -inf for 0, NaN below 0.
TILE_UNARY(log2)
/// Error 2^-22.9; NaN below 0.
TILE_UNARY(sqrt)
/// Error 2^-22.4; inf for 0, NaN below 0.
TILE_UNARY(rsqrt)
/// 1 / x, error 2^-23; inf for 0.
TILE_UNARY(rcp)
/// Error 2^-21; good enough for a soft cap, `cap * tanh(x / cap)`.
TILE_UNARY(tanh)
/// Error 2^-22, absolute, for |x| up to 2^20; meaningless beyond.
TILE_UNARY(sin)
/// Error 2^-22, absolute, for |x| up to 2^20; meaningless beyond.
TILE_UNARY(cos)
#undef TILE_UNARY
template <detail::Arithmetic T> Fragment<T> abs(const Fragment<T> &x, Loc loc = Loc::current()) {
  return Fragment<T>(detail::unary(detail::Unary::abs, detail::elementOf<T>, x, loc));
}

/// Converts the elements: to nearest even among floats, towards zero from float to integer; a mask
/// becomes 0 and 1. Casts to e4m3 and e5m2 saturate.
template <detail::ElementType To, detail::ElementType From>
Fragment<To> cast(const Fragment<From> &x, Loc loc = Loc::current()) {
  return Fragment<To>(
      detail::cast(detail::elementOf<From>, detail::elementOf<To>, x, overflow::saturate, loc));
}
/// `cast<e4m3>(x, overflow::nonfinite)` marks what does not fit instead of saturating.
template <detail::Float8 To, detail::ElementType From>
Fragment<To> cast(const Fragment<From> &x, overflow mode, Loc loc = Loc::current()) {
  return Fragment<To>(detail::cast(detail::elementOf<From>, detail::elementOf<To>, x, mode, loc));
}

/// An Index as a scalar: `cast<f32>(k.index(cols))` is a dimension's length as a float.
template <detail::ElementType To> Fragment<To> cast(const Index &x, Loc loc = Loc::current()) {
  return Fragment<To>(
      detail::cast(detail::Element::i64, detail::elementOf<To>, x, overflow::saturate, loc));
}

/// A scalar of the device as an Index: a scalar parameter, or a tile reduced to one number.
template <detail::IntegerElement T>
Index to_index(const Fragment<T> &scalar, Loc loc = Loc::current()) {
  return Index(detail::toIndex(scalar, loc));
}

// Reductions along one axis, which the result lacks. max, min and absmax pass over NaN.
#define TILE_REDUCTION(NAME, CONCEPT)                                                              \
  template <CONCEPT T>                                                                             \
  Fragment<T> reduce_##NAME(const Fragment<T> &x, const Axis &axis, Loc loc = Loc::current()) {    \
    return Fragment<T>(detail::reduce(detail::Reduction::NAME, x, axis, loc));                     \
  }
TILE_REDUCTION(max, detail::Arithmetic)
TILE_REDUCTION(min, detail::Arithmetic)
TILE_REDUCTION(sum, detail::Arithmetic)
TILE_REDUCTION(absmax, detail::Arithmetic)
TILE_REDUCTION(any, std::same_as<i1>)
TILE_REDUCTION(all, std::same_as<i1>)
#undef TILE_REDUCTION

/// What an online softmax subtracts from scores whose greatest is `maximum`: a number that is not
/// below `reference` and at most `lag` below `maximum`, element by element. Which one is not said,
/// and may differ from target to target: mostly `reference`, so that what was summed up with it
/// stays as it is, and exponentials need not wait for a maximum. -inf, where both are. `maximum` is
/// ignored where it is NaN.
inline Fragment<f32> follow(const Fragment<f32> &reference, const Fragment<f32> &maximum,
                            double lag, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::follow(reference, maximum, lag, loc));
}

/// The matrix product over the one axis that both operands have, in f32, plus the accumulator. The
/// result has the other two axes. `b` lies in shared memory, `a` there or in registers. Both have
/// one 16-bit float type, or are e4m3 or e5m2, one of each too; of those the contracted axis lies
/// last in shared memory, and a sum is off by up to 2^-11 of its terms' sizes.
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> gemm(const Shared<A> &a, const Shared<B> &b, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::gemm(a, b, nullptr, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> gemm(const Fragment<A> &a, const Shared<B> &b, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::gemm(a, b, nullptr, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> gemm(const Shared<A> &a, const Shared<B> &b, const Operand<f32> &accumulator,
                   Loc loc = Loc::current()) {
  return Fragment<f32>(detail::gemm(a, b, &accumulator, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> gemm(const Fragment<A> &a, const Shared<B> &b, const Operand<f32> &accumulator,
                   Loc loc = Loc::current()) {
  return Fragment<f32>(detail::gemm(a, b, &accumulator, loc));
}

/// Products of runs of rows with a matrix each, plus the accumulator: `a` has axes {m, d}, `b` {g,
/// n, d} or {g, d, n}, the result {m, n}. The rows of `a` are as many equal runs as `b` has
/// matrices, and run i is multiplied by matrix i. Otherwise as `gemm`; on the GPU a run is a
/// multiple of 64 rows.
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> grouped_gemm(const Shared<A> &a, const Shared<B> &b, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::groupedGemm(a, b, nullptr, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> grouped_gemm(const Fragment<A> &a, const Shared<B> &b, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::groupedGemm(a, b, nullptr, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> grouped_gemm(const Shared<A> &a, const Shared<B> &b, const Operand<f32> &accumulator,
                           Loc loc = Loc::current()) {
  return Fragment<f32>(detail::groupedGemm(a, b, &accumulator, loc));
}
template <detail::ElementType A, detail::ElementType B>
  requires detail::Multiplicands<A, B>
Fragment<f32> grouped_gemm(const Fragment<A> &a, const Shared<B> &b,
                           const Operand<f32> &accumulator, Loc loc = Loc::current()) {
  return Fragment<f32>(detail::groupedGemm(a, b, &accumulator, loc));
}

// Moving data. Both sides have the same axes; what is not there reads as `pad`.
template <detail::ElementType T>
void copy(const Slice<T> &source, const Shared<T> &target, double pad = 0.0,
          Loc loc = Loc::current()) {
  detail::copyIn(source.place, target, pad, loc);
}
template <detail::ElementType T>
void copy(const IndexedSlice<T> &source, const Shared<T> &target, double pad = 0.0,
          Loc loc = Loc::current()) {
  detail::gatherCopy(detail::elementOf<T>, source.place, target, pad, loc);
}
template <detail::ElementType T>
void copy(const Shared<T> &source, const Slice<T> &target, Loc loc = Loc::current()) {
  detail::copyOut(source, target.place, loc);
}
template <detail::ElementType T>
void copy(const Shared<T> &source, const Shared<T> &target, Loc loc = Loc::current()) {
  detail::copyShared(source, target, loc);
}
template <detail::ElementType T>
Fragment<T> load(const Slice<T> &source, double pad = 0.0, Loc loc = Loc::current()) {
  return Fragment<T>(detail::loadWindow(source.place, pad, loc));
}
template <detail::ElementType T>
Fragment<T> load(const Shared<T> &source, Loc loc = Loc::current()) {
  return Fragment<T>(detail::loadShared(source, loc));
}
template <detail::ElementType T>
Fragment<T> load(const IndexedSlice<T> &source, double pad = 0.0, Loc loc = Loc::current()) {
  return Fragment<T>(detail::gather(detail::elementOf<T>, source.place, pad, loc));
}
template <detail::ElementType T>
Fragment<T> load(const IndexedShared<T> &source, double pad = 0.0, Loc loc = Loc::current()) {
  return Fragment<T>(detail::gather(detail::elementOf<T>, source.place, pad, loc));
}
template <detail::ElementType T>
void store(const Fragment<T> &value, const Slice<T> &target, Loc loc = Loc::current()) {
  detail::storeWindow(value, target.place, loc);
}
template <detail::ElementType T>
void store(const Fragment<T> &value, const Shared<T> &target, Loc loc = Loc::current()) {
  detail::storeShared(value, target, loc);
}
template <detail::ElementType T>
void store(const Fragment<T> &value, const IndexedSlice<T> &target, Loc loc = Loc::current()) {
  detail::scatter(value, target.place, loc);
}
template <detail::ElementType T>
void store(const Fragment<T> &value, const IndexedShared<T> &target, Loc loc = Loc::current()) {
  detail::scatter(value, target.place, loc);
}
/// Writes one element, once per CTA.
template <detail::ElementType T>
void store(const std::type_identity_t<Operand<T>> &value, const ElementRef<T> &target) {
  detail::storeElement(detail::elementOf<T>, value, target.place);
}

} // namespace tile::inline dsl

#endif // TILE_DSL_OPS_H
