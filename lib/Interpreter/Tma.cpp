//===- Tma.cpp - tiled and bulk copies ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A load writes shared memory and counts its bytes down at its mbarrier some time after it was
// issued, in any order with others. A store reads shared memory when it is issued.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Mbarrier.h"
#include "Memory.h"
#include "tilec/Dialect/SM/IR/SM.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::interp;

static constexpr uint32_t chunkBytes = 16, tmaAlignment = 128;

namespace {
/// One row of a box: consecutive in global memory, `bytes` from `shared` on before the swizzle.
struct BoxRow {
  uint32_t shared, bytes;
  char *global;                     // null where the row lies outside
  uint32_t firstInside, pastInside; // bytes of the row that the tensor has
};
} // namespace

/// Where byte `offset` of a box at `start` lies: the swizzle turns 16-byte chunks by bits of the
/// address.
static uint32_t swizzled(const TensorMap &map, uint32_t address) {
  if (map.swizzle == 0)
    return address;
  uint32_t turn = address >> 7 & static_cast<uint32_t>(map.swizzle / chunkBytes - 1);
  return address ^ turn << 4;
}

/// Calls `body` for the rows of the box at `coordinates` (outermost first).
static void forEachRow(const TensorMap &map, ArrayRef<int64_t> coordinates, uint32_t shared,
                       llvm::function_ref<void(const BoxRow &)> body) {
  size_t rank = map.box.size();
  int64_t rows = 1;
  for (int64_t extent : ArrayRef(map.box).drop_back())
    rows *= extent;
  int64_t width = map.box.back(), first = coordinates.back();
  auto inside = [&](int64_t column) {
    return static_cast<uint32_t>(std::clamp<int64_t>(column - first, 0, width) * map.elementBytes);
  };
  auto bytes = static_cast<uint32_t>(width * map.elementBytes);
  for (int64_t row = 0; row < rows; ++row) {
    int64_t rest = row, offset = first;
    bool there = true;
    for (size_t axis = rank - 1; axis-- > 0; rest /= map.box[axis]) {
      int64_t at = coordinates[axis] + rest % map.box[axis];
      there = there && at >= 0 && at < map.extents[axis];
      offset += at * map.strides[axis];
    }
    char *global = there ? map.data + offset * map.elementBytes : nullptr;
    body({shared + static_cast<uint32_t>(row) * bytes, bytes, global, inside(0),
          inside(map.extents.back())});
  }
}

/// The chunks of a row in shared memory, at most 16 bytes each: offset in the row, address, bytes.
static void forEachChunk(const TensorMap &map, const BoxRow &row,
                         llvm::function_ref<void(uint32_t, uint32_t, uint32_t)> body) {
  for (uint32_t at = 0; at < row.bytes;) {
    uint32_t count = std::min(row.bytes - at, chunkBytes - (row.shared + at) % chunkBytes);
    body(at, swizzled(map, row.shared + at), count);
    at += count;
  }
}

namespace {
/// Operands of a tiled copy, from the one lane that issues it.
struct TiledCopy {
  const TensorMap *map = nullptr;
  SmallVector<int64_t> coordinates; // outermost first
  uint32_t shared = 0, barrier = 0;
};
} // namespace

/// The only active lane; -1 after a report.
static int issuingLane(Warp &warp, const Instr &instr) {
  if (llvm::isPowerOf2_32(warp.mask))
    return llvm::countr_zero(warp.mask);
  warp.fail(instr, "starts a bulk copy in " + llvm::Twine(llvm::popcount(warp.mask)) +
                       " threads; one thread issues it");
  return -1;
}

/// Lists: map, shared address, then for a load the mbarrier, then the coordinates, innermost first.
/// On an H200, innermost coordinates that are no multiple of 16 bytes, and negative coordinates of
/// stores, are illegal instructions.
static std::optional<TiledCopy> readOperands(Warp &warp, const Instr &instr, bool isLoad) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  int lane = issuingLane(warp, instr);
  if (lane < 0)
    return std::nullopt;
  auto word = [&](size_t index) { return warp.words<uint32_t>(list[index].offset)[lane]; };
  TiledCopy copy;
  copy.map = &warp.cta.launch.maps[word(0)];
  copy.shared = word(1);
  copy.barrier = isLoad ? word(2) : 0;
  for (size_t i = list.size(); i-- > (isLoad ? 3u : 2u);)
    copy.coordinates.push_back(static_cast<int32_t>(word(i)));
  auto bytes = static_cast<uint32_t>(copy.map->boxBytes());
  uint32_t alignment =
      copy.map->swizzle ? static_cast<uint32_t>(copy.map->swizzle) * 8 : tmaAlignment;
  if (copy.coordinates.size() != copy.map->box.size()) {
    warp.fail(instr, "gives " + llvm::Twine(copy.coordinates.size()) +
                         " coordinates to a tensor map of rank " +
                         llvm::Twine(copy.map->box.size()));
    return std::nullopt;
  }
  if (copy.coordinates.back() * copy.map->elementBytes % chunkBytes != 0) {
    warp.fail(instr, "expected an innermost coordinate that is a multiple of 16 bytes, found "
                     "element " +
                         llvm::Twine(copy.coordinates.back()));
    return std::nullopt;
  }
  if (!isLoad && llvm::any_of(copy.coordinates, [](int64_t at) { return at < 0; })) {
    warp.fail(instr, "stores from a negative coordinate on");
    return std::nullopt;
  }
  if (!warp.cta.sharedBytes(copy.shared, bytes, alignment)) {
    failShared(warp, instr, copy.shared, bytes, alignment);
    return std::nullopt;
  }
  return copy;
}

/// Marks bytes as written by the copies of an mbarrier's current phase. False after a report.
static bool markWritten(Warp &warp, const Instr &instr, uint32_t access, uint32_t address,
                        uint32_t count) {
  auto conflict =
      warp.cta.shadow.write(access, -1, address - sharedBase, count, warp.observer(/*async=*/true));
  if (conflict)
    warp.fail(instr, -1, "starts a copy to", *conflict);
  return !conflict;
}

/// The mbarrier of a load, whose initialisation the async proxy must see.
static Mbarrier *barrierOfLoad(Warp &warp, const Instr &instr, uint32_t address) {
  Mbarrier *barrier = findMbarrier(warp, instr, address);
  if (barrier && !barrier->initFenced) {
    warp.fail(instr, "starts a copy that counts at an mbarrier made without "
                     "sm.fence_barrier_init");
    return nullptr;
  }
  return barrier;
}

static Access copyAccess(Warp &warp, const Instr &instr, const Mbarrier &barrier) {
  return {barrier.agent, barrier.phase + 1, warp.index, /*async=*/true, instr.op};
}

/// Lets `work` write shared memory later, then counts its bytes.
static void finishLater(Warp &warp, const Instr &instr, Mbarrier &barrier, int64_t bytes,
                        std::function<void()> work) {
  Cta &cta = warp.cta;
  cta.later(instr.op, [&cta, &barrier, bytes, work = std::move(work)] {
    work();
    barrier.bytes -= bytes;
    cta.progress();
    completePhase(cta, barrier);
  });
}

static Outcome runLoad(Warp &warp, const Instr &instr) {
  std::optional<TiledCopy> copy = readOperands(warp, instr, /*isLoad=*/true);
  Mbarrier *barrier = copy ? barrierOfLoad(warp, instr, copy->barrier) : nullptr;
  if (!barrier)
    return Outcome::failed;
  uint32_t access = warp.cta.shadow.begin(copyAccess(warp, instr, *barrier));
  bool ordered = true;
  const TensorMap &map = *copy->map;
  forEachRow(map, copy->coordinates, copy->shared, [&](const BoxRow &row) {
    forEachChunk(map, row, [&](uint32_t, uint32_t address, uint32_t count) {
      ordered = ordered && markWritten(warp, instr, access, address, count);
    });
  });
  if (!ordered)
    return Outcome::failed;
  finishLater(warp, instr, *barrier, map.boxBytes(), [&cta = warp.cta, copy = *copy] {
    forEachRow(*copy.map, copy.coordinates, copy.shared, [&](const BoxRow &row) {
      forEachChunk(*copy.map, row, [&](uint32_t at, uint32_t address, uint32_t count) {
        uint8_t *target = cta.shared.data() + (address - sharedBase);
        for (uint32_t i = 0; i < count; ++i, ++at) {
          bool there = row.global && at >= row.firstInside && at < row.pastInside;
          target[i] = there ? static_cast<uint8_t>(row.global[at]) : 0;
        }
      });
    });
  });
  return Outcome::next;
}

static Outcome runStore(Warp &warp, const Instr &instr) {
  std::optional<TiledCopy> copy = readOperands(warp, instr, /*isLoad=*/false);
  if (!copy)
    return Outcome::failed;
  uint32_t access = warp.cta.shadow.begin(
      {warp.cta.storeAgent(warp.index), warp.stores.open(), warp.index, /*async=*/true, instr.op});
  const TensorMap &map = *copy->map;
  bool good = true;
  auto store = [&](const BoxRow &row, uint32_t at, uint32_t address, uint32_t count) {
    auto conflict = warp.cta.shadow.read(access, -1, address - sharedBase, count,
                                         warp.observer(/*async=*/true));
    if (conflict) {
      good = false;
      warp.fail(instr, -1, "starts a copy from", *conflict);
      return;
    }
    const uint8_t *source = warp.cta.shared.data() + (address - sharedBase);
    for (uint32_t i = 0; i < count; ++i, ++at)
      if (row.global && at >= row.firstInside && at < row.pastInside)
        row.global[at] = static_cast<char>(source[i]);
  };
  forEachRow(map, copy->coordinates, copy->shared, [&](const BoxRow &row) {
    forEachChunk(map, row, [&](uint32_t at, uint32_t address, uint32_t count) {
      if (good)
        store(row, at, address, count);
    });
  });
  warp.lastStore = instr.op;
  warp.openStores = true;
  return good ? Outcome::next : Outcome::failed;
}

/// Lists: target, source, bytes, mbarrier.
static Outcome runBulkLoad(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  int lane = issuingLane(warp, instr);
  if (lane < 0)
    return Outcome::failed;
  auto word = [&](size_t index) { return warp.words<uint32_t>(list[index].offset)[lane]; };
  uint32_t target = word(0), bytes = word(2);
  uint64_t source = warp.words<uint64_t>(list[1].offset)[lane];
  if (bytes % chunkBytes != 0 || source % chunkBytes != 0)
    return warp.fail(instr, "expected bytes and a source that are multiples of 16, found " +
                                llvm::Twine(bytes) + " bytes");
  if (!warp.cta.sharedBytes(target, bytes, chunkBytes))
    return failShared(warp, instr, target, bytes, chunkBytes);
  const char *global = warp.cta.globalBytes(warp, source, bytes, false);
  if (!global)
    return failGlobal(warp, instr, source, bytes, false);
  Mbarrier *barrier = barrierOfLoad(warp, instr, word(3));
  if (!barrier)
    return Outcome::failed;
  uint32_t access = warp.cta.shadow.begin(copyAccess(warp, instr, *barrier));
  if (!markWritten(warp, instr, access, target, bytes))
    return Outcome::failed;
  finishLater(warp, instr, *barrier, bytes, [&cta = warp.cta, target, global, bytes] {
    std::memcpy(cta.shared.data() + (target - sharedBase), global, bytes);
  });
  return Outcome::next;
}

static Outcome runCommit(Warp &warp, const Instr &) {
  ++warp.stores.closed;
  warp.openStores = false;
  return Outcome::next;
}

/// Stores have read their source when their group is finished, whether the wait is for the reading
/// or for the writing.
static Outcome runWait(Warp &warp, const Instr &instr) {
  warp.knows.seen.raise(warp.cta.storeAgent(warp.index), warp.stores.finished(instr.imm));
  if (instr.imm == 0 && !warp.openStores)
    warp.lastStore = nullptr;
  return Outcome::next;
}

static Outcome runNothing(Warp &, const Instr &) { return Outcome::next; }

static bool emitList(Assembler &assembler, Operation *op, Instr::Handler run, ValueRange values) {
  uint32_t list = assembler.addList(values);
  assembler.emitAt(op, run).target = list;
  return true;
}

bool tilec::interp::assembleTma(Assembler &assembler, Operation *op) {
  if (auto load = dyn_cast<sm::TmaLoadOp>(op)) {
    SmallVector<Value> values{load.getMap(), load.getTarget(), load.getBarrier()};
    llvm::append_range(values, load.getCoordinates());
    return emitList(assembler, op, runLoad, values);
  }
  if (auto store = dyn_cast<sm::TmaStoreOp>(op)) {
    SmallVector<Value> values{store.getMap(), store.getSource()};
    llvm::append_range(values, store.getCoordinates());
    return emitList(assembler, op, runStore, values);
  }
  if (auto load = dyn_cast<sm::BulkLoadOp>(op))
    return emitList(assembler, op, runBulkLoad,
                    {load.getTarget(), load.getSource(), load.getBytes(), load.getBarrier()});
  if (isa<sm::TmaCommitOp>(op))
    return assembler.emitAt(op, runCommit), true;
  if (auto wait = dyn_cast<sm::TmaWaitOp>(op)) {
    assembler.emitAt(op, runWait).imm = static_cast<int64_t>(wait.getPending());
    return true;
  }
  if (isa<sm::TmaPrefetchOp>(op))
    return assembler.emitAt(op, runNothing), true;
  return false;
}
