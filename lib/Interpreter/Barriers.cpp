//===- Barriers.cpp - named barriers, mbarriers, proxy fences -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An arrival gives what the warp knows to the barrier, a wait takes what the barrier was given.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Mbarrier.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec::interp;

//===----------------------------------------------------------------------===//
// Named barriers
//===----------------------------------------------------------------------===//

/// The value of all active lanes; nothing if they differ.
static std::optional<uint32_t> uniform(Warp &warp, uint32_t offset) {
  std::optional<uint32_t> result;
  const uint32_t *words = warp.words<uint32_t>(offset);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    if (result && *result != words[lane])
      return std::nullopt;
    result = words[lane];
  }
  return result;
}

/// Ends the wait of everybody at the barrier when the last one is there.
static void complete(Cta &cta, NamedBarrier &barrier) {
  if (barrier.arrived < barrier.expected)
    return;
  barrier.released = std::move(barrier.arriving);
  barrier.arriving = {};
  barrier.arrived = 0;
  ++barrier.generation;
  cta.progress();
}

static Outcome arrive(Warp &warp, const Instr &instr, uint32_t id, uint32_t threads) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "comes to a barrier although not all of its lanes are here");
  if (id >= maxNamedBarriers || threads % kLanes != 0 || threads == 0 ||
      threads > warp.cta.numWarps() * kLanes)
    return warp.fail(instr, "expected barrier 0 to 15 and whole warps of the CTA, found barrier " +
                                llvm::Twine(id) + " and " + llvm::Twine(threads) + " threads");
  NamedBarrier &barrier = warp.cta.named[id];
  if (barrier.arrived > 0 && barrier.expected != threads) {
    InFlightDiagnostic error = warp.cta.report(instr.op);
    error << "warp " << warp.index << " comes to barrier " << id << " for " << threads
          << " threads while others wait there for " << barrier.expected;
    error.attachNote(barrier.op->getLoc()) << "another comes from here";
    return Outcome::failed;
  }
  barrier.expected = threads;
  barrier.op = instr.op;
  barrier.arriving.join(warp.knows);
  barrier.arrived += kLanes;
  warp.tick();
  warp.waiting = {true, barrier.generation,
                  "at barrier " + llvm::utostr(id) + " for " + llvm::utostr(threads) + " threads"};
  complete(warp.cta, barrier);
  return Outcome::next;
}

static Outcome synchronise(Warp &warp, const Instr &instr, uint32_t id, uint32_t threads) {
  if (!warp.waiting.arrived)
    if (Outcome outcome = arrive(warp, instr, id, threads); outcome != Outcome::next)
      return outcome;
  NamedBarrier &barrier = warp.cta.named[id];
  if (barrier.generation == warp.waiting.generation)
    return Outcome::blocked;
  warp.waiting = {};
  warp.knows.join(barrier.released);
  warp.meetLanes();
  return Outcome::next;
}

static Outcome runBarrier(Warp &warp, const Instr &instr) {
  return synchronise(warp, instr, 0, warp.cta.numWarps() * kLanes);
}

static Outcome runNamedBarrier(Warp &warp, const Instr &instr) {
  auto id = uniform(warp, instr.a), threads = uniform(warp, instr.b);
  if (!id || !threads)
    return warp.fail(instr, "comes to different barriers");
  if (!instr.imm)
    return synchronise(warp, instr, *id, *threads);
  Outcome outcome = arrive(warp, instr, *id, *threads);
  warp.waiting = {};
  return outcome;
}

//===----------------------------------------------------------------------===//
// Fences
//===----------------------------------------------------------------------===//

static Outcome runWarpBarrier(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "meets although not all of its lanes are here");
  warp.meetLanes();
  return Outcome::next;
}

static Outcome runFenceProxy(Warp &warp, const Instr &) {
  warp.knows.fenced.join(warp.knows.seen);
  warp.tick();
  return Outcome::next;
}

static Outcome runFenceBarrierInit(Warp &warp, const Instr &) {
  for (auto &[address, barrier] : warp.cta.mbarriers)
    if (barrier.initTime <= warp.knows.seen[barrier.initWarp])
      barrier.initFenced = true;
  return Outcome::next;
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

void tilec::interp::completePhase(Cta &cta, Mbarrier &barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  barrier.released.join(barrier.arriving);
  ++barrier.phase;
  barrier.released.seen.raise(barrier.agent, barrier.phase);
  barrier.arriving = {};
  barrier.pending = barrier.count;
  cta.progress();
}

Mbarrier *tilec::interp::findMbarrier(Warp &warp, const Instr &instr, uint32_t address) {
  auto found = warp.cta.mbarriers.find(address);
  if (found == warp.cta.mbarriers.end()) {
    warp.fail(instr, "expected an mbarrier at byte " +
                         llvm::Twine(static_cast<int64_t>(address) - sharedBase) +
                         " of shared memory, which sm.barrier_init has not made");
    return nullptr;
  }
  Mbarrier &barrier = found->second;
  if (barrier.initTime > warp.knows.seen[barrier.initWarp]) {
    InFlightDiagnostic error = warp.cta.report(instr.op);
    error << "warp " << warp.index << " uses an mbarrier that warp " << barrier.initWarp
          << " makes, with nothing that orders the two";
    error.attachNote(barrier.init->getLoc()) << "it is made here";
    return nullptr;
  }
  return &barrier;
}

static Outcome runInit(Warp &warp, const Instr &instr) {
  const uint32_t *address = warp.words<uint32_t>(instr.a), *count = warp.words<uint32_t>(instr.b);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    if (!warp.cta.sharedBytes(address[lane], 8, 8))
      return warp.fail(instr, "expected 8 aligned bytes of shared memory, found byte " +
                                  llvm::Twine(static_cast<int64_t>(address[lane]) - sharedBase));
    uint32_t number = warp.cta.shadow.begin(warp.access(instr.op));
    int who = static_cast<int>(lane);
    if (auto conflict =
            warp.cta.shadow.write(number, who, address[lane] - sharedBase, 8, warp.observer(false)))
      return warp.fail(instr, who, "makes an mbarrier in", *conflict);
    if (warp.cta.mbarriers.count(address[lane]))
      return warp.fail(instr, "makes an mbarrier a second time");
    Mbarrier &barrier = warp.cta.mbarriers[address[lane]];
    barrier.count = barrier.pending = count[lane];
    barrier.agent = warp.cta.newAgent();
    barrier.initWarp = warp.index;
    barrier.initTime = warp.time;
    barrier.init = instr.op;
  }
  warp.tick();
  return Outcome::next;
}

/// `imm`: 1 if `b` are bytes to expect, 2 if it is a predicate.
static Outcome runArrive(Warp &warp, const Instr &instr) {
  const uint32_t *address = warp.words<uint32_t>(instr.a), *b = warp.words<uint32_t>(instr.b);
  uint32_t arriving = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    arriving |= uint32_t(warp.isActive(lane) && (instr.imm != 2 || b[lane] & 1)) << lane;
  Knowledge given = warp.handOver(arriving);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!(arriving >> lane & 1))
      continue;
    Mbarrier *barrier = findMbarrier(warp, instr, address[lane]);
    if (!barrier)
      return Outcome::failed;
    if (barrier->pending == 0)
      return warp.fail(instr, "arrives more often than the mbarrier's " +
                                  llvm::Twine(barrier->count) + " times in phase " +
                                  llvm::Twine(barrier->phase));
    if (instr.imm == 1)
      barrier->bytes += b[lane];
    barrier->arriving.join(given);
    --barrier->pending;
    completePhase(warp.cta, *barrier);
  }
  warp.tick();
  return Outcome::next;
}

static Outcome runTryWait(Warp &warp, const Instr &instr) {
  const uint32_t *address = warp.words<uint32_t>(instr.a), *parity = warp.words<uint32_t>(instr.b);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    Mbarrier *barrier = findMbarrier(warp, instr, address[lane]);
    if (!barrier)
      return Outcome::failed;
    if (barrier->phase % 2 == parity[lane] % 2) {
      warp.waiting.what = "for parity " + llvm::utostr(parity[lane]) + " of the mbarrier at byte " +
                          llvm::utostr(address[lane] - sharedBase) + " in phase " +
                          llvm::utostr(barrier->phase) + ", which lacks " +
                          llvm::utostr(barrier->pending) + " of " + llvm::utostr(barrier->count) +
                          " arrivals and " + std::to_string(barrier->bytes) + " bytes";
      return Outcome::blocked;
    }
  }
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (warp.isActive(lane))
      warp.knows.join(warp.cta.mbarriers[address[lane]].released);
  warp.waiting = {};
  if (warp.mask == allLanes)
    warp.meetLanes();
  return Outcome::next;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

bool tilec::interp::assembleBarrier(Assembler &assembler, Operation *op) {
  auto emit = [&](Instr::Handler run, int64_t imm = 0) {
    assembler.emit(op, run).imm = imm;
    return true;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](sm::BarrierOp) { return emit(runBarrier); })
      .Case([&](sm::NamedBarrierOp o) { return emit(runNamedBarrier, o.getArrive()); })
      .Case([&](sm::WarpBarrierOp) { return emit(runWarpBarrier); })
      .Case([&](sm::FenceProxyOp) { return emit(runFenceProxy); })
      .Case([&](sm::FenceBarrierInitOp) { return emit(runFenceBarrierInit); })
      .Case([&](sm::BarrierInitOp) { return emit(runInit); })
      .Case([&](sm::BarrierArriveOp o) { return emit(runArrive, o.getPredicate() ? 2 : 0); })
      .Case([&](sm::BarrierArriveExpectTxOp) { return emit(runArrive, 1); })
      .Case([&](sm::BarrierTryWaitOp) { return emit(runTryWait); })
      .Default(false);
}
