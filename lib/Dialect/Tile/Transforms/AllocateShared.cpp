//===- AllocateShared.cpp - byte ranges of shared tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedLifetime.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-allocate-shared"

using namespace mlir;

namespace tilec {
#define GEN_PASS_DEF_ALLOCATESHAREDPASS
#include "tilec/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tilec

using namespace tilec;

namespace {
/// What one CTA of compute capability 9.0 can have.
constexpr int64_t sharedLimit = 232448;
/// The pattern of a swizzle repeats after 1024 bytes of address.
constexpr int64_t swizzledAlignment = 1024, plainAlignment = 128;

/// The bytes of one allocation.
struct Placement {
  int64_t begin = -1, bytes = 0, alignment = plainAlignment;
  int64_t end() const { return begin + bytes; }
};

struct AllocateShared : tilec::impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override;
  void reportOverflow(ArrayRef<tile::AllocSharedOp> allocs, ArrayRef<Placement> placements,
                      ArrayRef<unsigned> largestFirst, int64_t needed);
};
} // namespace

static Placement unplaced(tile::AllocSharedOp alloc) {
  SharedLayout layout = alloc.getType().getLayout();
  return {-1, layout.bytes(), layout.swizzle != 0 ? swizzledAlignment : plainAlignment};
}

/// The lowest aligned offset at which `index` overlaps nothing that it may not.
static int64_t lowestFree(unsigned index, const SharedLifetime &lifetime,
                          ArrayRef<Placement> placements) {
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (auto [other, placement] : llvm::enumerate(placements))
    if (placement.begin >= 0 && lifetime.interfere(index, other))
      taken.push_back({placement.begin, placement.end()});
  llvm::sort(taken);
  int64_t offset = 0;
  for (auto [begin, end] : taken) {
    if (offset + placements[index].bytes <= begin)
      break;
    offset =
        std::max(offset, static_cast<int64_t>(llvm::alignTo(end, placements[index].alignment)));
  }
  return offset;
}

void AllocateShared::runOnOperation() {
  SharedLifetime lifetime(getOperation());
  ArrayRef<tile::AllocSharedOp> allocs = lifetime.allocations();
  SmallVector<Placement> placements = llvm::map_to_vector(allocs, unplaced);
  SmallVector<unsigned> largestFirst = llvm::to_vector(llvm::seq<unsigned>(0, allocs.size()));
  llvm::sort(largestFirst, [&](unsigned a, unsigned b) {
    return std::pair(-placements[a].bytes, a) < std::pair(-placements[b].bytes, b);
  });

  int64_t needed = 0, sum = 0;
  for (unsigned index : largestFirst) {
    placements[index].begin = lowestFree(index, lifetime, placements);
    needed = std::max(needed, placements[index].end());
    sum += placements[index].bytes;
  }
  if (needed > sharedLimit) {
    reportOverflow(allocs, placements, largestFirst, needed);
    return signalPassFailure();
  }
  Builder builder(&getContext());
  for (auto [index, alloc] : llvm::enumerate(allocs))
    tile::AllocSharedOp(alloc).setOffset(placements[index].begin);
  getOperation()->setAttr(tile::TileDialect::sharedBytesAttrName,
                          builder.getI64IntegerAttr(needed));
  sharedBytes += needed;
  reusedBytes += std::max<int64_t>(sum - needed, 0);
}

/// How many rows of the largest tile fit beside the others, if any: the author's way out.
static int64_t rowsThatFit(tile::AllocSharedOp largest, int64_t bytes, int64_t others) {
  int64_t rows = largest.getType().getShape().front();
  constexpr int64_t rowsOfInstruction = 16;
  return (sharedLimit - others) / (bytes / rows) / rowsOfInstruction * rowsOfInstruction;
}

void AllocateShared::reportOverflow(ArrayRef<tile::AllocSharedOp> allocs,
                                    ArrayRef<Placement> placements, ArrayRef<unsigned> largestFirst,
                                    int64_t needed) {
  InFlightDiagnostic error = getOperation().emitOpError()
                             << "needs " << needed << " bytes of shared memory, a block has "
                             << sharedLimit << "; make tiles smaller or allocate fewer at a time";
  for (unsigned index : largestFirst) {
    tile::AllocSharedOp alloc = allocs[index];
    error.attachNote(alloc.getLoc()) << placements[index].bytes << " bytes at "
                                     << placements[index].begin << ": " << alloc.getType();
  }
  tile::AllocSharedOp largest = allocs[largestFirst.front()];
  int64_t bytes = placements[largestFirst.front()].bytes;
  if (int64_t rows = rowsThatFit(largest, bytes, needed - bytes); rows > 0)
    error.attachNote(largest.getLoc())
        << "with at most " << rows << " of " << largest.getType().getShape().front()
        << " rows in the largest tile the kernel would fit";
}
