//===- Atomics.cpp - atomic operations and fences -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/dsl/Atomics.h"
#include "Elements.h"
#include "Indexed.h"

namespace tile::inline dsl::detail {

static mlir::tile::AtomicKind kindOf(AtomicKind kind) {
  static constexpr mlir::tile::AtomicKind kinds[] = {
      mlir::tile::AtomicKind::Add, mlir::tile::AtomicKind::Max, mlir::tile::AtomicKind::Min,
      mlir::tile::AtomicKind::And, mlir::tile::AtomicKind::Or,  mlir::tile::AtomicKind::Exch,
      mlir::tile::AtomicKind::Cas};
  return kinds[static_cast<unsigned>(kind)];
}

static mlir::tile::MemoryOrder orderOf(MemoryOrder order) {
  return static_cast<mlir::tile::MemoryOrder>(order);
}
static mlir::tile::MemoryScope scopeOf(MemoryScope scope) {
  return static_cast<mlir::tile::MemoryScope>(scope);
}

/// An update reads and writes.
static void checkUpdate(const Place &place, Loc loc) {
  checkAccess(place, /*writes=*/true, loc);
  checkAccess(place, /*writes=*/false, loc);
}

static Variable emitElement(Builder &b, mlir::Value memory,
                            const llvm::SmallVector<mlir::Value> &indices,
                            const AtomicRequest &request, Loc loc) {
  for (const Input *input : {&request.value, request.compare})
    if (const Variable *variable = input ? input->variable() : nullptr;
        variable && !variable->axes().empty())
      fail(loc, "an atomic operation on one element takes a scalar, but the value has axes " +
                    text(variable->axes()) + "; reduce it first, or give the target those axes");
  mlir::Type type = b.type(request.element);
  mlir::Value value = b.spread(request.value, request.element, {});
  mlir::Value compare =
      request.compare ? b.spread(*request.compare, request.element, {}) : mlir::Value();
  auto op = mlir::tile::AtomicScalarOp::create(
      b, b.location(loc), request.wantsOld ? type : mlir::Type(), kindOf(request.kind), value,
      memory, indices, compare, orderOf(request.options.order), scopeOf(request.options.scope));
  return request.wantsOld ? b.make(op.getOld()) : Variable();
}

namespace {
/// The memory of an operation on a tile.
struct Memory {
  Builder &builder;
  mlir::Value handle;
  Axes axes; // of the tile
  mlir::Value index, mask;
  std::optional<int64_t> axis;
};
} // namespace

static Memory windowOf(const Place &place, Loc loc) {
  Builder &b = *place.tensor.builder;
  checkUpdate(place, loc);
  Axes axes = b.sorted(placeAxes(place), loc);
  return {b, emitWindow(place, axes, "atomic operation", loc), axes, {}, {}, {}};
}

static Memory indexedOf(const IndexedPlace &place, Loc loc) {
  IndexedTile tile = resolveIndexed(place, loc);
  Builder &b = tile.builder;
  if (auto *tensor = std::get_if<GlobalHandle>(&place.memory))
    checkUpdate({*tensor, {}, place.loc}, loc);
  mlir::Value handle =
      emitIndexedMemory(place, tile, tile.axes, /*writes=*/true, "atomic operation", loc);
  return {b, handle, tile.axes, b.get(tile.index, loc), tile.mask, tile.position(tile.axes)};
}

static Memory sharedOf(const Variable &tile, Loc loc) {
  if (!tile.builder())
    fail(loc, "this variable has no value yet");
  Builder &b = *tile.builder();
  Axes axes = b.sorted(tile.axes(), loc);
  if (!sameOrder(axes, tile.axes()))
    fail(loc, "atomic operation on a shared tile " + text(tile.axes()) +
                  ", whose axes are declared in the order " + text(axes) +
                  "; allocate it in that order");
  return {b, b.get(tile, loc), axes, {}, {}, {}};
}

static mlir::Value tileOf(const Memory &memory, const Input &input, Element element, Loc loc) {
  if (const Variable *variable = input.variable())
    for (const Axis &axis : variable->axes())
      if (llvm::none_of(memory.axes, [&](const Axis &a) { return a.name() == axis.name(); }))
        fail(loc, "an atomic operation on a target with axes " + text(memory.axes) +
                      ", but the value has axes " + text(variable->axes()) + "; reduce axis '" +
                      axis.name() + "' first");
  return memory.builder.spread(input, element, memory.axes);
}

static Variable emitTile(const Memory &memory, const AtomicRequest &request, Loc loc) {
  Builder &b = memory.builder;
  mlir::Value value = tileOf(memory, request.value, request.element, loc), compare;
  if (request.compare)
    compare = tileOf(memory, *request.compare, request.element, loc);
  auto op = mlir::tile::AtomicOp::create(
      b, b.location(loc), request.wantsOld ? value.getType() : mlir::Type(), kindOf(request.kind),
      value, memory.handle, memory.index, memory.mask, compare,
      memory.axis ? b.getI64IntegerAttr(*memory.axis) : mlir::IntegerAttr(),
      orderOf(request.options.order), scopeOf(request.options.scope));
  return request.wantsOld ? b.make(op.getOld(), memory.axes) : Variable();
}

Variable atomic(const AtomicTarget &target, const AtomicRequest &request, Loc loc) {
  if (auto *place = std::get_if<Place>(&target.memory)) {
    if (!target.isElement)
      return emitTile(windowOf(*place, loc), request, loc);
    checkUpdate(*place, loc);
    Builder &b = *place->tensor.builder;
    return emitElement(b, parameterOf(*place).argument, indicesOf(*place), request, loc);
  }
  if (auto *place = std::get_if<IndexedPlace>(&target.memory)) {
    if (!target.isElement)
      return emitTile(indexedOf(*place, loc), request, loc);
    SharedElement element = resolveElement(*place);
    return emitElement(element.builder, element.tile, element.indices, request, loc);
  }
  return emitTile(sharedOf(std::get<Variable>(target.memory), loc), request, loc);
}

void fence(Builder &b, MemoryOrder order, MemoryScope scope, Loc loc) {
  if (order == MemoryOrder::relaxed)
    fail(loc, "a relaxed fence orders nothing; use acquire, release or acq_rel");
  mlir::tile::FenceOp::create(b, b.location(loc), orderOf(order), scopeOf(scope));
}

} // namespace tile::inline dsl::detail
