//===- SharedAccess.cpp - which bytes an operation reads and writes -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedAccess.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

using namespace mlir;
using namespace tilec;

bool Access::overlaps(const Access &other) const {
  if (shared != other.shared)
    return false;
  return shared ? begin < other.end && other.begin < end : base == other.base;
}

tile::AllocSharedOp tilec::sharedAllocation(Value handle) {
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
