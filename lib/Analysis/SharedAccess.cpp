//===- SharedAccess.cpp - which bytes an operation reads and writes -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedAccess.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace tilec;

bool Access::overlaps(const Access &other) const {
  if (shared != other.shared)
    return false;
  return shared ? begin < other.end && other.begin < end : base == other.base;
}

tile::AllocSharedOp tilec::sharedAllocation(Value handle) {
  while (auto slice = handle.getDefiningOp<tile::SliceOp>())
    handle = slice.getSource();
  return handle.getDefiningOp<tile::AllocSharedOp>();
}

bool tilec::runsOnWgmma(tile::GemmOp gemm) {
  auto layout = dyn_cast_or_null<tile::FragAttr>(
      cast<RankedTensorType>(gemm.getAcc().getType()).getEncoding());
  return layout && !layout.getWarp().empty();
}

bool tilec::isAsyncCopy(Operation *op) {
  if (isa<tile::GatherCopyOp>(op))
    return true;
  auto copy = dyn_cast<tile::CopyOp>(op);
  return copy && isa<tile::WindowType>(copy.getSource().getType()) &&
         isa<tile::SharedType>(copy.getTarget().getType());
}

/// The kernel argument that a window or global handle belongs to.
static Value globalBase(Value handle) {
  while (auto window = handle.getDefiningOp<tile::WindowOp>())
    handle = window.getSource();
  return handle;
}

/// A slot of a channel: shared memory that is not an allocation of its own.
static bool isSlot(Value handle) {
  return isa<tile::SharedType>(handle.getType()) && !sharedAllocation(handle);
}

/// The bytes [first, second) of a tile between two elements: rows of whole slabs, wherever a
/// swizzle puts their pieces.
static std::pair<int64_t, int64_t> byteRange(const SharedLayout &layout, const Coord &first,
                                             const Coord &last) {
  auto rowOf = [&](const Coord &c) {
    int64_t row = 0;
    for (size_t axis = 0; axis + 1 < c.size(); ++axis)
      row = row * layout.shape[axis] + c[axis];
    return row;
  };
  int64_t width = layout.swizzle == 0 ? layout.rowBytes() : layout.swizzle;
  int64_t firstSlab = first.back() * layout.elementBytes / width * layout.slabBytes();
  int64_t lastSlab = last.back() * layout.elementBytes / width * layout.slabBytes();
  return {firstSlab + rowOf(first) * width, lastSlab + (rowOf(last) + 1) * width};
}

/// Cuts the bytes of an access down to those of a part of a tile, as far as where it starts is
/// known.
static void narrowToSlice(Access &access, Value handle) {
  auto slice = handle.getDefiningOp<tile::SliceOp>();
  if (!slice)
    return;
  access.partial = access.write;
  // From the first element to behind the last: slabs and skipped rows in between count, too.
  SharedLayout layout = slice.getSource().getType().getLayout();
  Coord first, last;
  for (auto [offset, extent] : llvm::zip(slice.getOffsets(), slice.getSizes())) {
    std::optional<int64_t> start = getConstantIntValue(offset);
    if (!start)
      return;
    first.push_back(*start);
    last.push_back(*start + extent - 1);
  }
  if (slice.getSource().getDefiningOp<tile::SliceOp>())
    return;
  auto [begin, end] = byteRange(layout, first, last);
  access.end = access.begin + end;
  access.begin += begin;
}

/// Writes only where an index, or a single one, says.
static bool writesPart(Operation *op) {
  return isa<tile::ScatterOp, tile::AtomicOp, tile::AtomicScalarOp, tile::StoreScalarOp>(op);
}

SmallVector<Access> tilec::accessesOf(Operation *op) {
  SmallVector<Access> accesses;
  auto effectOp = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effectOp || op->getNumRegions() != 0)
    return accesses;
  SmallVector<MemoryEffects::EffectInstance> effects;
  effectOp.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool write = isa<MemoryEffects::Write>(effect.getEffect());
    Value handle = effect.getValue();
    if (!handle || !(write || isa<MemoryEffects::Read>(effect.getEffect())) || isSlot(handle))
      continue;
    Access access;
    access.handle = handle;
    access.write = write;
    access.partial = write && writesPart(op);
    if (isAsyncCopy(op))
      access.kind = AccessKind::AsyncCopy;
    if (tile::AllocSharedOp alloc = sharedAllocation(handle)) {
      access.base = alloc.getResult();
      access.shared = true;
      access.begin = alloc.getOffset().value_or(0);
      access.end = access.begin + alloc.getType().getLayout().bytes();
      narrowToSlice(access, handle);
      auto gemm = dyn_cast<tile::GemmOp>(op);
      if (isa<pipe::MmaOp>(op) || (gemm && runsOnWgmma(gemm)))
        access.kind = AccessKind::Wgmma;
    } else {
      access.base = globalBase(handle);
    }
    accesses.push_back(access);
  }
  return accesses;
}
