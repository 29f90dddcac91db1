//===- WarpOps.cpp - who a thread is, exchange within a warp --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Values.h"
#include "tilec/Dialect/SM/IR/SM.h"

using namespace mlir;
using namespace tilec::interp;

/// `warp scale * warp + lane scale * lane + imm`, the scales in `a` and `b`.
static Outcome runIndex(Warp &warp, const Instr &instr) {
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    dst[lane] = instr.a * warp.index + instr.b * lane + static_cast<uint32_t>(instr.imm);
  return Outcome::next;
}

static Outcome runCtaId(Warp &warp, const Instr &instr) {
  int64_t value = instr.imm ? warp.cta.launch.grid : warp.cta.index;
  std::fill_n(warp.words<uint32_t>(instr.dst), kLanes, static_cast<uint32_t>(value));
  return Outcome::next;
}

/// The lane that `lane` reads; itself past the ends.
static uint32_t sourceLane(sm::ShuffleMode mode, uint32_t lane, uint32_t operand) {
  operand %= kLanes;
  switch (mode) {
  case sm::ShuffleMode::Xor:
    return lane ^ operand;
  case sm::ShuffleMode::Idx:
    return operand;
  case sm::ShuffleMode::Up:
    return lane >= operand ? lane - operand : lane;
  case sm::ShuffleMode::Down:
    return lane + operand < kLanes ? lane + operand : lane;
  }
  llvm_unreachable("all modes are listed");
}

/// `imm` is the mode, `target` the bytes of a word.
static Outcome runShuffle(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "exchanges values although not all of its lanes are here");
  const uint32_t *operand = warp.words<uint32_t>(instr.b);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint32_t from = sourceLane(static_cast<sm::ShuffleMode>(instr.imm), lane, operand[lane]);
    for (uint32_t element = 0; element < instr.count; ++element)
      writeWord(warp, instr.dst, instr.target, element * kLanes + lane,
                readWord(warp, instr.a, instr.target, element * kLanes + from));
  }
  return Outcome::next;
}

static Outcome runVote(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "votes although not all of its lanes are here");
  const uint32_t *predicate = warp.words<uint32_t>(instr.a);
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    count += predicate[lane] & 1;
  bool any = static_cast<sm::VoteMode>(instr.imm) == sm::VoteMode::Any;
  std::fill_n(warp.words<uint32_t>(instr.dst), kLanes, any ? count > 0 : count == kLanes);
  return Outcome::next;
}

static Outcome runElect(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "elects although not all of its lanes are here");
  uint32_t *dst = warp.words<uint32_t>(instr.dst);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    dst[lane] = lane == warp.cta.electedLane;
  return Outcome::next;
}

static Outcome runSetRegisters(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "changes its registers although not all of its lanes are here");
  return Outcome::next;
}

static bool emitIndex(Assembler &assembler, Operation *op, uint32_t warpScale, uint32_t laneScale,
                      int64_t constant) {
  Instr &instr = assembler.emit(op, runIndex);
  instr.a = warpScale;
  instr.b = laneScale;
  instr.imm = constant;
  return true;
}

static bool emitShuffle(Assembler &assembler, sm::ShuffleOp op) {
  Instr &instr = assembler.emit(op, runShuffle);
  instr.imm = static_cast<int64_t>(op.getMode());
  instr.target = assembler.place(op.getValue()).wordBytes();
  return true;
}

bool tilec::interp::assembleWarp(Assembler &assembler, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](sm::ThreadIdOp) { return emitIndex(assembler, op, kLanes, 1, 0); })
      .Case([&](sm::WarpIdOp) { return emitIndex(assembler, op, 1, 0, 0); })
      .Case([&](sm::LaneIdOp) { return emitIndex(assembler, op, 0, 1, 0); })
      .Case([&](sm::SharedBaseOp) { return emitIndex(assembler, op, 0, 0, sharedBase); })
      .Case<sm::CtaIdOp, sm::NumCtasOp>([&](auto) {
        assembler.emit(op, runCtaId).imm = isa<sm::NumCtasOp>(op);
        return true;
      })
      .Case([&](sm::ShuffleOp o) { return emitShuffle(assembler, o); })
      .Case([&](sm::VoteOp o) {
        assembler.emit(op, runVote).imm = static_cast<int64_t>(o.getMode());
        return true;
      })
      .Case([&](sm::ElectOp) { return assembler.emit(op, runElect), true; })
      .Case([&](sm::SetRegistersOp) { return assembler.emit(op, runSetRegisters), true; })
      .Default(false);
}
