//===- Access.cpp - a fragment's registers against memory -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"
#include "Unaligned.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Below this number of accesses a second version of the code is not worth it.
static constexpr int64_t kSmallAccess = 2;
/// Vectors of fewer bytes are not worth a test of their own at the end of a row.
static constexpr int64_t kWideAccess = 8;
static constexpr int64_t kWordBytes = 4;

int64_t tilec::to_sm::vectorLength(const FragmentLayout &layout, int64_t axis, int64_t elementBytes,
                                   ArrayRef<int64_t> extents) {
  if (axis < 0)
    return 1;
  int64_t run = layout.contiguous(static_cast<int>(axis));
  int64_t length = 1;
  while (run % (2 * length) == 0 && extents[axis] % (2 * length) == 0 &&
         2 * length * elementBytes <= 16)
    length *= 2;
  return length;
}

int64_t tilec::to_sm::vectorLength(const FragmentLayout &layout, const SharedView &view) {
  const int64_t bytes = view.layout.elementBytes;
  int64_t length = vectorLength(layout, layout.rank - 1, bytes, view.extents);
  while (view.columnMultiple % (length * bytes) != 0)
    length /= 2;
  return length;
}

AccessPlan tilec::to_sm::planAccess(Emitter e, const Window &window, const WindowFacts &facts,
                                    ArrayRef<int64_t> extents, int64_t elementBytes, int64_t length,
                                    int64_t accesses, Value complete) {
  AccessPlan plan;
  plan.fastLength = length;
  bool aligned = facts.alignment % (length * elementBytes) == 0;
  plan.slowLength = aligned && facts.boundMultiple % length == 0 ? length : 1;
  plan.fast = e.both(isInside(e, window, extents), complete);
  if (!aligned)
    plan.fast = e.both(
        plan.fast, isAlignedTo(e, window, extents, facts.contiguousAxis, length * elementBytes));
  if (plan.fast && plan.slowLength == length && accesses <= kSmallAccess)
    plan.hasFast = false;
  plan.hasSlow = static_cast<bool>(plan.fast);
  return plan;
}

SmallVector<Value> tilec::to_sm::choose(Emitter e, Value condition,
                                        llvm::function_ref<SmallVector<Value>()> then,
                                        llvm::function_ref<SmallVector<Value>()> otherwise) {
  auto body = [](llvm::function_ref<SmallVector<Value>()> emit) {
    return [emit](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, emit()); };
  };
  auto branch = scf::IfOp::create(e.builder, e.loc, condition, body(then), body(otherwise));
  return llvm::to_vector_of<Value>(branch.getResults());
}

/// True in a thread that holds a vector of which the window has only a part; null if never.
static Value hasCutVector(Emitter e, const WindowTile &tile, const FragmentLayout &layout,
                          ArrayRef<ThreadCoord> coords, int64_t length) {
  const int64_t axis = tile.facts.contiguousAxis;
  Bounds bounds(e, tile.window, tile.extents, coords);
  llvm::SmallSetVector<int64_t, 8> offsets;
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; reg += length)
    offsets.insert(layout.regCoords(reg)[axis]);
  Value any;
  for (int64_t offset : offsets)
    if (Value cut = bounds.cuts(axis, offset, length))
      any = any ? e.bitOr(any, cut) : cut;
  return any;
}

SmallVector<Value>
tilec::to_sm::accessWindow(Emitter e, const WindowTile &tile, const FragmentLayout &layout,
                           ArrayRef<ThreadCoord> coords, const AccessPlan &plan,
                           llvm::function_ref<SmallVector<Value>(AccessWay)> access) {
  const int64_t length = plan.fastLength, bytes = length * tile.bytes;
  auto wide = [&] {
    if (tile.facts.alignment % bytes == 0)
      return access({length});
    Value aligned = isAlignedTo(e, tile.window, tile.extents, tile.facts.contiguousAxis, bytes);
    return choose(
        e, aligned, [&] { return access({length}); },
        [&] { return access({length, /*inside=*/false, /*split=*/true}); });
  };
  auto slow = [&] {
    if (plan.slowLength == length || length == 1 || bytes < kWideAccess)
      return access({plan.slowLength});
    Value cut = hasCutVector(e, tile, layout, coords, length);
    return cut ? choose(e, cut, [&] { return access({}); }, wide) : wide();
  };
  auto fast = [&] { return access({length, /*inside=*/true}); };
  if (!plan.hasSlow)
    return fast();
  return plan.hasFast ? choose(e, plan.fast, fast, slow) : slow();
}

namespace {
/// Registers first .. first + length - 1, and where the first lies.
struct Run {
  int64_t first;
  Value address;
};
} // namespace

/// The registers in runs of `length`, grouped by the predicate that they need.
static llvm::MapVector<Value, SmallVector<Run>>
groupRuns(TileMemory &memory, const FragmentLayout &layout, int64_t length) {
  llvm::MapVector<Value, SmallVector<Run>> groups;
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; reg += length) {
    Coord offset = layout.regCoords(reg);
    groups[memory.isThere(offset)].push_back({reg, memory.address(offset)});
  }
  return groups;
}

static Value fromStorage(Emitter e, Value value, Type element) {
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  Value zero = arith::ConstantOp::create(e.builder, e.loc, e.builder.getZeroAttr(value.getType()));
  return e.compare(arith::CmpIPredicate::ne, value, zero);
}

static Value toStorage(Emitter e, Value value, Type storage) {
  auto type = cast<VectorType>(value.getType());
  if (type.getElementType() == storage)
    return value;
  return arith::ExtUIOp::create(e.builder, e.loc, type.clone(storage), value);
}

VectorType tilec::to_sm::carriedType(VectorType type) {
  const int64_t bytes = storageBytes(type.getElementType()), total = bytes * type.getNumElements();
  if (type.getElementType().isInteger(1) || bytes >= kWordBytes || total % kWordBytes != 0)
    return type;
  return VectorType::get({total / kWordBytes}, IntegerType::get(type.getContext(), 32));
}

static Value toCarried(Emitter e, Value registers) {
  VectorType type = carriedType(cast<VectorType>(registers.getType()));
  return type == registers.getType()
             ? registers
             : vector::BitCastOp::create(e.builder, e.loc, type, registers).getResult();
}

Value tilec::to_sm::fromCarried(Emitter e, Value carried, VectorType type) {
  return type == carried.getType()
             ? carried
             : vector::BitCastOp::create(e.builder, e.loc, type, carried).getResult();
}

/// The parts one after the other; each of `elements`.
static Value join(Emitter e, ArrayRef<Value> parts, VectorType type) {
  SmallVector<Value> elements;
  for (Value part : parts)
    for (int64_t i = 0, end = cast<VectorType>(part.getType()).getNumElements(); i < end; ++i)
      elements.push_back(vector::ExtractOp::create(e.builder, e.loc, part, ArrayRef<int64_t>{i}));
  return vector::FromElementsOp::create(e.builder, e.loc, type, elements);
}

namespace {
/// Reads vectors of `loaded` in pieces: one, or those of an unaligned vector. Pieces are put
/// together behind the last load, because that waits for them.
struct VectorReader {
  TileMemory &memory;
  VectorType loaded;
  TypedAttr pad;

  VectorType stored() const {
    return VectorType::get(loaded.getShape(), storageType(loaded.getElementType()));
  }
  Value constant(Attribute value) const {
    return arith::ConstantOp::create(memory.e.builder, memory.e.loc, cast<TypedAttr>(value));
  }
  Value finish(Value vector) const {
    return toCarried(memory.e, fromStorage(memory.e, vector, loaded.getElementType()));
  }
  UnalignedVector unaligned(Value address) const { return {memory.e, stored(), address}; }

  SmallVector<Value> load(Value address) const {
    if (memory.isSplit())
      return unaligned(address).loadPieces();
    return {finish(memory.load(stored(), address))};
  }
  SmallVector<Value> padding(Value address) const {
    if (!memory.isSplit())
      return {toCarried(memory.e, constant(DenseElementsAttr::get(loaded, {Attribute(pad)})))};
    TypedAttr inMemory = pad;
    if (auto integer = dyn_cast<IntegerAttr>(pad))
      inMemory = IntegerAttr::get(stored().getElementType(), integer.getValue().getZExtValue());
    return unaligned(address).padPieces(inMemory);
  }
  Value join(Value address, ArrayRef<Value> pieces) const {
    return memory.isSplit() ? finish(unaligned(address).join(pieces)) : pieces.front();
  }
};
} // namespace

Value tilec::to_sm::loadCarried(TileMemory &memory, const FragmentLayout &layout, VectorType type,
                                int64_t length, TypedAttr pad) {
  Emitter e = memory.e;
  VectorReader reader{memory, VectorType::get({length}, type.getElementType()), pad};
  auto groups = groupRuns(memory, layout, length);
  SmallVector<SmallVector<Value>> pieces;
  for (auto &[there, runs] : groups) {
    auto each = [&runs](llvm::function_ref<SmallVector<Value>(Value)> read) {
      SmallVector<Value> values;
      for (const Run &run : runs)
        llvm::append_range(values, read(run.address));
      return values;
    };
    auto load = [&] { return each([&](Value address) { return reader.load(address); }); };
    auto padding = [&] { return each([&](Value address) { return reader.padding(address); }); };
    pieces.push_back(there ? choose(e, there, load, padding) : load());
  }
  SmallVector<Value> parts(type.getNumElements() / length);
  for (auto [group, values] : llvm::zip(groups, pieces)) {
    size_t count = values.size() / group.second.size();
    for (auto [index, run] : llvm::enumerate(group.second))
      parts[run.first / length] =
          reader.join(run.address, ArrayRef(values).slice(index * count, count));
  }
  if (carriedType(reader.loaded) != reader.loaded)
    return join(e, parts, carriedType(type));
  return toCarried(e, join(e, parts, type));
}

Value tilec::to_sm::loadRegisters(TileMemory &memory, const FragmentLayout &layout, VectorType type,
                                  int64_t length, TypedAttr pad) {
  return fromCarried(memory.e, loadCarried(memory, layout, type, length, pad), type);
}

void tilec::to_sm::storeRegisters(TileMemory &memory, const FragmentLayout &layout, Value value,
                                  int64_t length) {
  OpBuilder &builder = memory.e.builder;
  Location loc = memory.e.loc;
  Type element = cast<VectorType>(value.getType()).getElementType();
  value = toStorage(memory.e, value, storageType(element));
  // Bytes in whole words: LLVM would take vectors of them apart.
  int64_t perWord = storageBytes(element) == 1 && !memory.isSplit() && length % kWordBytes == 0 &&
                            !element.isInteger(1)
                        ? kWordBytes
                        : 1;
  if (perWord != 1)
    value = toCarried(memory.e, value);
  auto storeAll = [&](ArrayRef<Run> runs) {
    for (const Run &run : runs) {
      Value part = slice(memory.e, value, run.first / perWord, length / perWord);
      if (memory.isSplit())
        UnalignedVector(memory.e, cast<VectorType>(part.getType()), run.address).store(part);
      else
        memory.store(part, run.address);
    }
  };
  for (auto &[there, runs] : groupRuns(memory, layout, length)) {
    if (!there) {
      storeAll(runs);
      continue;
    }
    scf::IfOp::create(builder, loc, there, [&](OpBuilder &, Location) {
      storeAll(runs);
      scf::YieldOp::create(builder, loc);
    });
  }
}
