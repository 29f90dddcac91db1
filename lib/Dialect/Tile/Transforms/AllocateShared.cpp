//===- AllocateShared.cpp - byte ranges of shared tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedLifetime.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Dialect/Tile/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"

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

/// Of an mbarrier; a channel has two per stage.
constexpr int64_t barrierBytes = 8;

/// A shared tile or the slots of a channel, and its bytes.
struct Buffer {
  Operation *op;
  int64_t bytes, alignment, begin = -1;
  int64_t end() const { return begin + bytes; }
};

struct AllocateShared : tilec::impl::AllocateSharedPassBase<AllocateShared> {
  void runOnOperation() override;

  SmallVector<Buffer> collect(const SharedLifetime &lifetime);
  void reportOverflow(ArrayRef<Buffer> buffers, ArrayRef<unsigned> largestFirst, int64_t needed);
};
} // namespace

static int64_t alignmentOf(tile::SharedType tile) {
  return tile.getLayout().swizzle != 0 ? swizzledAlignment : plainAlignment;
}

/// The tiles, by their number in `lifetime`, then the channels.
SmallVector<Buffer> AllocateShared::collect(const SharedLifetime &lifetime) {
  SmallVector<Buffer> buffers;
  for (tile::AllocSharedOp alloc : lifetime.allocations())
    buffers.push_back({alloc, alloc.getType().getLayout().bytes(), alignmentOf(alloc.getType())});
  getOperation().walk([&](pipe::ChannelOp channel) {
    pipe::ChannelType type = channel.getType();
    buffers.push_back({channel, type.getStages() * type.getSlot().getLayout().bytes(),
                       std::max(alignmentOf(type.getSlot()), swizzledAlignment)});
  });
  return buffers;
}

/// The lowest aligned offset at which `index` overlaps nothing that it may not. Channels live as
/// long as the kernel.
static int64_t lowestFree(unsigned index, const SharedLifetime &lifetime,
                          ArrayRef<Buffer> buffers) {
  unsigned tiles = lifetime.allocations().size();
  SmallVector<std::pair<int64_t, int64_t>> taken;
  for (auto [other, buffer] : llvm::enumerate(buffers))
    if (buffer.begin >= 0 && (index >= tiles || other >= tiles || lifetime.interfere(index, other)))
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

/// Gives each channel's barriers their bytes behind all buffers, from `end` on; returns the new
/// end.
static int64_t placeBarriers(ArrayRef<Buffer> buffers, int64_t end) {
  for (const Buffer &buffer : buffers)
    if (auto channel = dyn_cast<pipe::ChannelOp>(buffer.op)) {
      end = llvm::alignTo(end, barrierBytes);
      channel.setBarriers(end);
      end += 2 * barrierBytes * channel.getType().getStages();
    }
  return end;
}

void AllocateShared::runOnOperation() {
  SharedLifetime lifetime(getOperation());
  SmallVector<Buffer> buffers = collect(lifetime);
  SmallVector<unsigned> largestFirst = llvm::to_vector(llvm::seq<unsigned>(0, buffers.size()));
  llvm::sort(largestFirst, [&](unsigned a, unsigned b) {
    return std::pair(-buffers[a].bytes, a) < std::pair(-buffers[b].bytes, b);
  });

  int64_t needed = 0, sum = 0;
  for (unsigned index : largestFirst) {
    buffers[index].begin = lowestFree(index, lifetime, buffers);
    needed = std::max(needed, buffers[index].end());
    sum += buffers[index].bytes;
  }
  reusedBytes += std::max<int64_t>(sum - needed, 0);
  needed = placeBarriers(buffers, needed);
  if (needed > sharedLimit) {
    reportOverflow(buffers, largestFirst, needed);
    return signalPassFailure();
  }
  for (const Buffer &buffer : buffers)
    TypeSwitch<Operation *>(buffer.op).Case<tile::AllocSharedOp, pipe::ChannelOp>(
        [&](auto op) { op.setOffset(buffer.begin); });
  getOperation()->setAttr(tile::TileDialect::sharedBytesAttrName,
                          Builder(&getContext()).getI64IntegerAttr(needed));
  sharedBytes += needed;
}

/// What would fit beside `others` bytes instead of the largest buffer, if anything: fewer rows of a
/// tile, fewer stages of a channel.
static std::optional<std::string> whatFits(const Buffer &largest, int64_t others) {
  int64_t left = sharedLimit - others;
  if (auto channel = dyn_cast<pipe::ChannelOp>(largest.op)) {
    int64_t stages = channel.getType().getStages();
    int64_t fit = left / (largest.bytes / stages);
    if (fit <= 0)
      return std::nullopt;
    return llvm::formatv("with {0} of {1} stages the kernel would fit", fit, stages).str();
  }
  constexpr int64_t rowsOfInstruction = 16;
  int64_t rows = cast<tile::AllocSharedOp>(largest.op).getType().getShape().front();
  int64_t fit = left / (largest.bytes / rows) / rowsOfInstruction * rowsOfInstruction;
  if (fit <= 0)
    return std::nullopt;
  return llvm::formatv("with at most {0} of {1} rows in the largest tile the kernel would fit", fit,
                       rows)
      .str();
}

void AllocateShared::reportOverflow(ArrayRef<Buffer> buffers, ArrayRef<unsigned> largestFirst,
                                    int64_t needed) {
  InFlightDiagnostic error = getOperation().emitOpError()
                             << "needs " << needed << " bytes of shared memory, a block has "
                             << sharedLimit << "; make tiles smaller or allocate fewer at a time";
  for (unsigned index : largestFirst) {
    const Buffer &buffer = buffers[index];
    error.attachNote(buffer.op->getLoc()) << buffer.bytes << " bytes at " << buffer.begin << ": "
                                          << buffer.op->getResult(0).getType();
  }
  const Buffer &largest = buffers[largestFirst.front()];
  if (std::optional<std::string> fits = whatFits(largest, needed - largest.bytes))
    error.attachNote(largest.op->getLoc()) << *fits;
}
