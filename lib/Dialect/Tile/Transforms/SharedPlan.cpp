//===- SharedPlan.cpp - byte ranges in a CTA's shared memory --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SharedPlan.h"

#include "tilec/Analysis/SharedNames.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilec;

/// The pattern of a swizzle repeats after 1024 bytes of address.
static constexpr int64_t kSwizzledAlignment = 1024, kPlainAlignment = 128;

/// What warps hand to each other. While such tiles are few, each has bytes of its own: then no warp
/// waits with one until all have read another.
static constexpr int64_t kSmallBytes = 256, kSmallTiles = 8;

static int64_t alignmentOf(tile::SharedType tile) {
  return tile.getLayout().swizzle != 0 ? kSwizzledAlignment : kPlainAlignment;
}

SharedPlan::SharedPlan(tile::KernelOp kernel) : lifetime(kernel) {
  for (tile::AllocSharedOp alloc : lifetime.allocations()) {
    tile::SharedType type = alloc.getType();
    buffers.push_back({alloc, type, 0, type.getLayout().bytes(), alignmentOf(type)});
  }
  kernel.walk([&](pipe::ChannelOp channel) {
    tile::SharedType slot = channel.getType().getSlot();
    int64_t stages = channel.getType().getStages();
    buffers.push_back({channel, slot, stages, stages * slot.getLayout().bytes(),
                       std::max(alignmentOf(slot), kSwizzledAlignment)});
  });
}

SmallVector<unsigned> SharedPlan::largestFirst() const {
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });
  return order;
}

unsigned SharedPlan::numBarriers() const {
  unsigned count = 0;
  for (const SharedBuffer &buffer : buffers)
    count += 2 * buffer.stages;
  return count;
}

bool SharedPlan::keepsSmallApart() const {
  auto isSmall = [](const SharedBuffer &buffer) { return buffer.bytes <= kSmallBytes; };
  return numBarriers() == 0 && llvm::count_if(buffers, isSmall) <= kSmallTiles;
}

/// The lowest aligned offset at which `index` overlaps nothing that it may not. Channels live as
/// long as the kernel.
int64_t SharedPlan::lowestFree(unsigned index) const {
  unsigned tiles = lifetime.allocations().size();
  bool smallApart = buffers[index].bytes <= kSmallBytes && keepsSmallApart();
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (auto [other, buffer] : llvm::enumerate(buffers))
    if (buffer.begin >= 0 &&
        (index >= tiles || other >= tiles || lifetime.interfere(index, other) ||
         (smallApart && buffer.bytes <= kSmallBytes)))
      taken.push_back({buffer.begin, buffer.end()});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + buffers[index].bytes <= begin)
      break;
    offset = std::max(offset, static_cast<int64_t>(llvm::alignTo(end, buffers[index].alignment)));
  }
  return offset;
}

int64_t SharedPlan::place() {
  for (SharedBuffer &buffer : buffers)
    buffer.begin = -1;
  int64_t end = 0;
  for (unsigned index : largestFirst()) {
    buffers[index].begin = lowestFree(index);
    end = std::max(end, buffers[index].end());
  }
  if (numBarriers() > 0)
    end = llvm::alignTo(end, barrierBytes);
  barriers = end;
  return end + barrierBytes * numBarriers();
}

/// The most stages for every channel, below what the deepest has, with which the kernel fits.
static void noteStages(SharedPlan plan, InFlightDiagnostic &error, Location where) {
  int64_t most = 0;
  for (const SharedBuffer &buffer : plan.buffers)
    most = std::max(most, buffer.stages);
  for (int64_t stages = most - 1; stages > 0; --stages) {
    for (SharedBuffer &buffer : plan.buffers)
      if (buffer.stages > stages) {
        buffer.bytes = buffer.bytes / buffer.stages * stages;
        buffer.stages = stages;
      }
    if (plan.place() <= sharedLimit) {
      error.attachNote(where) << "with " << stages << " of " << most
                              << " stages the kernel would fit";
      return;
    }
  }
}

/// The greatest extent of axis `axis` of the buffer `largest` with which the kernel fits. What
/// other buffers have of the same axis shrinks along.
static void noteExtent(const SharedPlan &plan, InFlightDiagnostic &error, unsigned largest,
                       unsigned axis) {
  constexpr int64_t instructionRows = 16;
  const SharedBuffer &buffer = plan.buffers[largest];
  int64_t extent = buffer.tile.getShape()[axis];
  SmallVector<StringRef> names = axisNames(buffer.op->getLoc(), buffer.tile.getShape().size());
  for (int64_t trial = llvm::alignDown(extent - 1, instructionRows); trial > 0;
       trial -= instructionRows) {
    SharedPlan smaller = plan;
    for (auto [index, other] : llvm::enumerate(smaller.buffers)) {
      auto otherNames = axisNames(other.op->getLoc(), other.tile.getShape().size());
      bool shares = !names.empty() && llvm::is_contained(otherNames, names[axis]);
      if (index == largest || shares)
        other.bytes = other.bytes / extent * trial;
    }
    if (smaller.place() > sharedLimit)
      continue;
    std::string name = names.empty() ? "dimension " + std::to_string(axis) : names[axis].str();
    error.attachNote(buffer.op->getLoc()) << "with " << name << " of at most " << trial
                                          << " instead of " << extent << " the kernel would fit";
    return;
  }
}

void tilec::reportOverflow(tile::KernelOp kernel, SharedPlan plan, int64_t needed) {
  InFlightDiagnostic error = kernel.emitOpError()
                             << "needs " << needed << " bytes of shared memory, a block has "
                             << sharedLimit << "; make tiles smaller or allocate fewer at a time";
  SmallVector<unsigned> order = plan.largestFirst();
  for (unsigned index : order) {
    const SharedBuffer &buffer = plan.buffers[index];
    Diagnostic &note = error.attachNote(buffer.op->getLoc()) << buffer.bytes << " bytes: ";
    if (buffer.stages > 0)
      note << buffer.stages << " stages of ";
    note << describeTile(buffer.op->getLoc(), buffer.tile);
  }
  if (unsigned count = plan.numBarriers())
    error.attachNote(kernel.getLoc())
        << barrierBytes * count << " bytes: " << count << " mbarriers";
  const SharedBuffer &largest = plan.buffers[order.front()];
  noteStages(plan, error, largest.op->getLoc());
  for (unsigned axis = 0; axis < largest.tile.getShape().size(); ++axis)
    noteExtent(plan, error, order.front(), axis);
}
