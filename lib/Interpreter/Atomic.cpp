//===- Atomic.cpp - atomic operations and memory fences -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// CTAs may run on several threads of the host, so global memory is changed atomically here, too. A
// fence orders accesses of different CTAs, whose races are not watched.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Memory.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include <atomic>

using namespace mlir;
using namespace tilec;
using namespace tilec::interp;

static constexpr uint32_t noPlace = ~0u;

/// What an operation leaves in memory.
template <class T> static T combine(sm::AtomicKind kind, T old, T value, T compare) {
  switch (kind) {
  case sm::AtomicKind::Add:
    return old + value;
  case sm::AtomicKind::Exch:
    return value;
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    using Signed = std::make_signed_t<T>;
    auto a = static_cast<Signed>(old), b = static_cast<Signed>(value);
    switch (kind) {
    case sm::AtomicKind::Max:
      return static_cast<T>(std::max(a, b));
    case sm::AtomicKind::Min:
      return static_cast<T>(std::min(a, b));
    case sm::AtomicKind::UMax:
      return std::max(old, value);
    case sm::AtomicKind::UMin:
      return std::min(old, value);
    case sm::AtomicKind::And:
      return old & value;
    case sm::AtomicKind::Or:
      return old | value;
    case sm::AtomicKind::Cas:
      return old == compare ? value : old;
    case sm::AtomicKind::Inc:
      return old >= value ? 0 : old + 1;
    default:
      break;
    }
  }
  llvm_unreachable("the verifier leaves add and exch to f32");
}

/// `lane`'s element of a value.
template <class T> static T &element(Warp &warp, const Place &place, uint32_t lane) {
  return warp.words<T>(place.offset)[lane];
}

/// Lists hold the places of the value, the address and what it is compared with; `imm` is the kind.
template <class T>
static void updateLane(Warp &warp, const Instr &instr, uint32_t lane, void *bytes) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  auto kind = static_cast<sm::AtomicKind>(instr.imm);
  T value = element<T>(warp, list[0], lane);
  T compare = list.size() > 2 ? element<T>(warp, list[2], lane) : T();
  std::atomic_ref<T> memory(*reinterpret_cast<T *>(bytes));
  T old = memory.load();
  while (!memory.compare_exchange_weak(old, combine(kind, old, value, compare)))
    ;
  if (instr.dst != noPlace)
    warp.words<T>(instr.dst)[lane] = old;
}

static void updateLane(Warp &warp, const Instr &instr, uint32_t lane, void *bytes) {
  Kind kind = warp.cta.program.lists[instr.target][0].kind;
  if (kind == Kind::F32)
    updateLane<float>(warp, instr, lane, bytes);
  else if (kind == Kind::I64)
    updateLane<uint64_t>(warp, instr, lane, bytes);
  else
    updateLane<uint32_t>(warp, instr, lane, bytes);
}

static Access atomicAccess(Warp &warp, const Instr &instr) {
  Access access = warp.access(instr.op);
  access.atomic = true;
  return access;
}

static Outcome runShared(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const uint32_t count = storedBytes(list[0].kind);
  Shadow &shadow = warp.cta.shadow;
  uint32_t access = shadow.begin(atomicAccess(warp, instr));
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    uint32_t address = element<uint32_t>(warp, list[1], lane);
    uint8_t *bytes = warp.cta.sharedBytes(address, count, count);
    if (!bytes)
      return failShared(warp, instr, address, count, count);
    int who = static_cast<int>(lane);
    if (auto conflict = shadow.update(access, who, address - sharedBase, count,
                                      warp.observer(/*async=*/false), /*initialised=*/false))
      return warp.fail(instr, who, "updates", *conflict);
    updateLane(warp, instr, lane, bytes);
  }
  return Outcome::next;
}

/// The conflict with another access of this CTA, if any. What nobody has written is what the launch
/// brought.
static std::optional<Conflict> watch(Warp &warp, const Instr &instr, uint32_t lane,
                                     const GlobalBuffer &buffer, uint64_t address, uint64_t count) {
  Shadow &shadow = warp.cta.shadowOf(buffer);
  uint32_t access = shadow.begin(atomicAccess(warp, instr));
  uint64_t first = address - reinterpret_cast<uint64_t>(buffer.data);
  return shadow.update(access, static_cast<int>(lane), first, count, warp.observer(/*async=*/false),
                       /*initialised=*/true);
}

static Outcome runGlobal(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const uint64_t count = storedBytes(list[0].kind);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    uint64_t address = element<uint64_t>(warp, list[1], lane);
    char *bytes = warp.cta.globalBytes(warp, address, count, /*write=*/true);
    if (!bytes)
      return failGlobal(warp, instr, address, count, /*write=*/true);
    if (address % count != 0)
      return warp.fail(instr, "expected an address that is a multiple of " + llvm::Twine(count) +
                                  ", found byte " + llvm::Twine(address % count) + " of one");
    const GlobalBuffer &buffer = *warp.recent;
    if (auto conflict = watch(warp, instr, lane, buffer, address, count))
      return warp.fail(instr, static_cast<int>(lane), "updates", *conflict, &buffer);
    updateLane(warp, instr, lane, bytes);
  }
  return Outcome::next;
}

static Outcome runFence(Warp &, const Instr &) { return Outcome::next; }

template <class Op> static bool emitAtomic(Assembler &assembler, Op op, Instr::Handler run) {
  SmallVector<Value> operands{op.getValue(), op.getAddress()};
  if (op.getCompare())
    operands.push_back(op.getCompare());
  uint32_t list = assembler.addList(operands);
  uint32_t old = op.getOld() ? assembler.place(op.getOld()).offset : noPlace;
  Instr &instr = assembler.emitAt(op, run);
  instr.target = list;
  instr.dst = old;
  instr.imm = static_cast<int64_t>(op.getKind());
  return true;
}

bool tilec::interp::assembleAtomic(Assembler &assembler, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](sm::AtomicSharedOp o) { return emitAtomic(assembler, o, runShared); })
      .Case([&](sm::AtomicGlobalOp o) { return emitAtomic(assembler, o, runGlobal); })
      .Case([&](sm::FenceOp) { return assembler.emitAt(op, runFence), true; })
      .Default(false);
}
