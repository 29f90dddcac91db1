//===- AsyncCopy.cpp - cp.async and its groups ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Mbarrier.h"
#include "Memory.h"
#include "tilec/Dialect/SM/IR/SM.h"

using namespace mlir;
using namespace tilec::interp;

/// Lists hold target, source and source bytes; `imm` are the bytes. The copy is done at once: that
/// nobody sees it before the wait is what the shadow checks.
static Outcome runCpAsync(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const uint32_t *target = warp.words<uint32_t>(list[0].offset);
  const uint64_t *source = warp.words<uint64_t>(list[1].offset);
  const uint32_t *sourceBytes = warp.words<uint32_t>(list[2].offset);
  auto bytes = static_cast<uint32_t>(instr.imm);
  Access access = warp.access(instr.op);
  access.agent = warp.cta.copyAgent(warp.index);
  access.time = warp.copies.batch;
  uint32_t number = warp.cta.shadow.begin(access);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    uint8_t *shared = warp.cta.sharedBytes(target[lane], bytes, bytes);
    if (!shared)
      return failShared(warp, instr, target[lane], bytes, bytes);
    uint32_t count = sourceBytes[lane];
    if (count > bytes)
      return warp.fail(instr, "copies " + llvm::Twine(count) + " of at most " + llvm::Twine(bytes) +
                                  " bytes");
    const char *global = nullptr;
    if (count > 0 && !(global = warp.cta.globalBytes(warp, source[lane], count, false)))
      return failGlobal(warp, instr, source[lane], count, false);
    if (count > 0 && source[lane] % bytes != 0)
      return warp.fail(instr,
                       "expected a source that is a multiple of " + llvm::Twine(bytes) + " bytes");
    int who = static_cast<int>(lane);
    if (auto conflict = warp.cta.shadow.write(number, who, target[lane] - sharedBase, bytes,
                                              warp.observer(/*async=*/false)))
      return warp.fail(instr, who, "copies to", *conflict);
    if (count > 0)
      std::memcpy(shared, global, count);
    std::memset(shared + count, 0, bytes - count);
  }
  return Outcome::next;
}

static Outcome runCommit(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "closes a group of copies although not all of its lanes are here");
  warp.copies.close();
  return Outcome::next;
}

static Outcome runWait(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "waits for copies although not all of its lanes are here");
  warp.knows.seen.raise(warp.cta.copyAgent(warp.index), warp.copies.finished(instr.imm));
  return Outcome::next;
}

/// Later, the lanes' arrivals, with what is known of this warp's copies and nothing else.
static Outcome runCopyArrive(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "lets an mbarrier track copies although not all of its lanes are here");
  const uint32_t *address = warp.words<uint32_t>(instr.a);
  llvm::SmallVector<Mbarrier *> barriers;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    barriers.push_back(findMbarrier(warp, instr, address[lane]));
    if (!barriers.back())
      return Outcome::failed;
  }
  uint32_t agent = warp.cta.copyAgent(warp.index), last = warp.copies.batch++;
  warp.cta.later(instr.op, [&cta = warp.cta, op = instr.op, agent, last, barriers] {
    for (Mbarrier *barrier : barriers) {
      if (barrier->pending == 0) {
        cta.report(op) << "arrives more often than the mbarrier's " << barrier->count
                       << " times in phase " << barrier->phase;
        return;
      }
      barrier->arriving.seen.raise(agent, last);
      --barrier->pending;
      completePhase(cta, *barrier);
    }
  });
  warp.tick();
  return Outcome::next;
}

bool tilec::interp::assembleAsyncCopy(Assembler &assembler, Operation *op) {
  if (auto copy = dyn_cast<sm::CpAsyncOp>(op)) {
    Instr &instr = assembler.emitAt(op, runCpAsync);
    instr.target = assembler.addList({copy.getTarget(), copy.getSource(), copy.getSourceBytes()});
    instr.imm = static_cast<int64_t>(copy.getBytes());
    return true;
  }
  if (isa<sm::CpAsyncArriveOp>(op))
    return assembler.emit(op, runCopyArrive), true;
  if (isa<sm::CpAsyncCommitOp>(op))
    return assembler.emitAt(op, runCommit), true;
  if (auto wait = dyn_cast<sm::CpAsyncWaitOp>(op)) {
    assembler.emitAt(op, runWait).imm = static_cast<int64_t>(wait.getPending());
    return true;
  }
  return false;
}
