//===- Atomics.h - atomic operations and fences -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_DSL_ATOMICS_H
#define TILE_DSL_ATOMICS_H

#include "tile/dsl/Shared.h"

namespace tile::inline dsl {

/// What an atomic operation or a fence orders: `acquire`, that the CTA's later accesses come after
/// it, `release`, that its earlier ones come before.
enum class MemoryOrder : uint8_t { relaxed, acquire, release, acq_rel };
/// Among whom. Shared memory is the CTA's alone.
enum class MemoryScope : uint8_t { cta, gpu, system };

/// The last argument of an atomic operation: `{.order = MemoryOrder::acq_rel}`.
struct Atomic {
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryScope scope = MemoryScope::gpu;
};

namespace detail {
enum class AtomicKind : uint8_t { add, max, min, bitAnd, bitOr, exchange, compareExchange };

template <class T>
concept AtomicInteger = std::same_as<T, i32> || std::same_as<T, i64>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, f32>;

/// A rectangle of a tensor or a shared tile, an element of either, or what an index tile picks.
struct AtomicTarget {
  std::variant<Place, IndexedPlace, Variable> memory;
  bool isElement = false;
};

/// The element type of what can be updated.
template <class M> struct Updated {};
template <ElementType T> struct Updated<Slice<T>> {
  using type = T;
  static AtomicTarget target(const Slice<T> &memory) { return {memory.place}; }
};
template <ElementType T> struct Updated<Shared<T>> {
  using type = T;
  static AtomicTarget target(const Shared<T> &memory) { return {static_cast<Variable>(memory)}; }
};
template <ElementType T> struct Updated<IndexedSlice<T>> {
  using type = T;
  static AtomicTarget target(const IndexedSlice<T> &memory) { return {memory.place}; }
};
template <ElementType T> struct Updated<IndexedShared<T>> {
  using type = T;
  static AtomicTarget target(const IndexedShared<T> &memory) { return {memory.place}; }
};
template <ElementType T> struct Updated<ElementRef<T>> {
  using type = T;
  static AtomicTarget target(const ElementRef<T> &memory) { return {memory.place, true}; }
};
template <ElementType T> struct Updated<SharedElementRef<T>> {
  using type = T;
  static AtomicTarget target(const SharedElementRef<T> &memory) { return {memory.place, true}; }
};
template <class M> using UpdatedElement = typename Updated<M>::type;

/// `compare` is null but for an exchange that compares.
struct AtomicRequest {
  AtomicKind kind;
  Element element;
  const Input &value;
  const Input *compare;
  Atomic options;
  bool wantsOld;
};

/// The old value if it is wanted.
Variable atomic(const AtomicTarget &target, const AtomicRequest &request, Loc loc);
void fence(Builder &builder, MemoryOrder order, MemoryScope scope, Loc loc);
} // namespace detail

// Each element of the target is combined with that of the value, atomically and once. A target is
// what a store may have: a rectangle of a tensor, a shared tile, positions at an index tile
// (`bins(digit).where(live)`, where equal indices combine), or one element (`counter.at({row})`),
// which is updated once per CTA. What is not there is left out; its old value is 0. f32 has add,
// max, min and exchange; a NaN leaves a maximum or minimum as it is.
//
// The forms that ask for the old value write it to a variable: as a result, it could stand in an
// expression whose order of evaluation C++ leaves open.
#define TILE_ATOMIC(NAME, KIND, CONCEPT)                                                           \
  template <class M>                                                                               \
    requires CONCEPT<detail::UpdatedElement<M>>                                                    \
  void atomic_##NAME(const M &target,                                                              \
                     const std::type_identity_t<Operand<detail::UpdatedElement<M>>> &value,        \
                     Atomic options = {}, Loc loc = Loc::current()) {                              \
    detail::atomic(detail::Updated<M>::target(target),                                             \
                   {detail::AtomicKind::KIND, detail::elementOf<detail::UpdatedElement<M>>, value, \
                    nullptr, options, false},                                                      \
                   loc);                                                                           \
  }                                                                                                \
  template <class M>                                                                               \
    requires CONCEPT<detail::UpdatedElement<M>>                                                    \
  void atomic_fetch_##NAME(Fragment<detail::UpdatedElement<M>> &old, const M &target,              \
                           const std::type_identity_t<Operand<detail::UpdatedElement<M>>> &value,  \
                           Atomic options = {}, Loc loc = Loc::current()) {                        \
    old = Fragment<detail::UpdatedElement<M>>(                                                     \
        detail::atomic(detail::Updated<M>::target(target),                                         \
                       {detail::AtomicKind::KIND, detail::elementOf<detail::UpdatedElement<M>>,    \
                        value, nullptr, options, true},                                            \
                       loc));                                                                      \
  }
TILE_ATOMIC(add, add, detail::AtomicNumber)
TILE_ATOMIC(max, max, detail::AtomicNumber)
TILE_ATOMIC(min, min, detail::AtomicNumber)
TILE_ATOMIC(and, bitAnd, detail::AtomicInteger)
TILE_ATOMIC(or, bitOr, detail::AtomicInteger)
TILE_ATOMIC(exchange, exchange, detail::AtomicNumber)
#undef TILE_ATOMIC

/// Writes `value` where memory holds `expected`; `old` is what it held.
template <class M>
  requires detail::AtomicInteger<detail::UpdatedElement<M>>
void atomic_compare_exchange(
    Fragment<detail::UpdatedElement<M>> &old, const M &target,
    const std::type_identity_t<Operand<detail::UpdatedElement<M>>> &expected,
    const std::type_identity_t<Operand<detail::UpdatedElement<M>>> &value, Atomic options = {},
    Loc loc = Loc::current()) {
  const detail::Input &compare = expected;
  old = Fragment<detail::UpdatedElement<M>>(
      detail::atomic(detail::Updated<M>::target(target),
                     {detail::AtomicKind::compareExchange,
                      detail::elementOf<detail::UpdatedElement<M>>, value, &compare, options, true},
                     loc));
}

} // namespace tile::inline dsl

#endif // TILE_DSL_ATOMICS_H
