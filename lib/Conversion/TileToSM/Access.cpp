//===- Access.cpp - a fragment's registers against memory -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Access.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Below this number of accesses a second version of the code is not worth it.
static constexpr int64_t kSmallAccess = 2;

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

AccessPlan tilec::to_sm::planAccess(Emitter e, const Window &window, const WindowFacts &facts,
                                    ArrayRef<int64_t> extents, int64_t elementBytes, int64_t length,
                                    int64_t accesses) {
  AccessPlan plan;
  plan.fastLength = length;
  bool aligned = facts.alignment % (length * elementBytes) == 0;
  plan.slowLength = aligned && facts.boundMultiple % length == 0 ? length : 1;
  plan.fast = isInside(e, window, extents);
  if (!aligned)
    plan.fast =
        e.both(plan.fast, isAlignedTo(e, window, facts.contiguousAxis, length * elementBytes));
  if (plan.fast && plan.slowLength == length && accesses <= kSmallAccess)
    plan.hasFast = false;
  plan.hasSlow = static_cast<bool>(plan.fast);
  return plan;
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

Value tilec::to_sm::loadRegisters(TileMemory &memory, const FragmentLayout &layout, VectorType type,
                                  int64_t length, TypedAttr pad) {
  OpBuilder &builder = memory.e.builder;
  Location loc = memory.e.loc;
  auto part = VectorType::get({length}, storageType(type.getElementType()));
  auto loaded = VectorType::get({length}, type.getElementType());
  auto loadAll = [&](ArrayRef<Run> runs) {
    SmallVector<Value> values;
    for (const Run &run : runs)
      values.push_back(memory.load(part, run.address));
    for (Value &value : values)
      value = fromStorage(memory.e, value, type.getElementType());
    return values;
  };
  SmallVector<Value> parts(type.getNumElements() / length);
  for (auto &[there, runs] : groupRuns(memory, layout, length)) {
    SmallVector<Value> values;
    if (!there) {
      values = loadAll(runs);
    } else {
      auto branch = scf::IfOp::create(
          builder, loc, there,
          [&](OpBuilder &, Location) { scf::YieldOp::create(builder, loc, loadAll(runs)); },
          [&](OpBuilder &, Location) {
            Value padding = arith::ConstantOp::create(
                builder, loc, DenseElementsAttr::get(loaded, {Attribute(pad)}));
            scf::YieldOp::create(builder, loc, SmallVector<Value>(runs.size(), padding));
          });
      llvm::append_range(values, branch.getResults());
    }
    for (auto [run, value] : llvm::zip(runs, values))
      parts[run.first / length] = value;
  }
  SmallVector<Value> elements;
  for (Value vector : parts)
    for (int64_t i = 0; i < length; ++i)
      elements.push_back(vector::ExtractOp::create(builder, loc, vector, ArrayRef<int64_t>{i}));
  return vector::FromElementsOp::create(builder, loc, type, elements);
}

void tilec::to_sm::storeRegisters(TileMemory &memory, const FragmentLayout &layout, Value value,
                                  int64_t length) {
  OpBuilder &builder = memory.e.builder;
  Location loc = memory.e.loc;
  Type element = cast<VectorType>(value.getType()).getElementType();
  value = toStorage(memory.e, value, storageType(element));
  auto storeAll = [&](ArrayRef<Run> runs) {
    for (const Run &run : runs)
      memory.store(slice(memory.e, value, run.first, length), run.address);
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
