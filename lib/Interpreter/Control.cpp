//===- Control.cpp - branches and loops with lanes that differ ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A region runs for the lanes that enter it, both sides of a branch one after the other, a loop
// until its last lane has left.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Cta.h"

using namespace mlir;
using namespace tilec::interp;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static void copyLanes(Warp &warp, const Place &from, const Place &to) {
  warp.flight[to.id] = warp.flight[from.id];
  warp.written[to.id] = warp.written[from.id];
  uint32_t bytes = from.wordBytes();
  const uint8_t *source = warp.words<uint8_t>(from.offset);
  uint8_t *target = warp.words<uint8_t>(to.offset);
  if (warp.mask == allLanes) {
    std::memcpy(target, source, size_t(bytes) * from.count * kLanes);
    return;
  }
  for (uint32_t element = 0; element < from.count; ++element)
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (warp.isActive(lane)) {
        size_t at = size_t(bytes) * (element * kLanes + lane);
        std::memcpy(target + at, source + at, bytes);
      }
}

Outcome tilec::interp::runCopies(Warp &warp, const Instr &instr) {
  for (const Copy &copy : warp.cta.program.copies[instr.target])
    copyLanes(warp, copy.from, copy.to);
  return Outcome::next;
}

/// `dst` is the value; written now, or, if `target` is a list, when the latest of the list was.
Outcome tilec::interp::runStamp(Warp &warp, const Instr &instr) {
  uint64_t time = warp.steps;
  if (instr.target != ~0u) {
    time = 0;
    for (const Place &source : warp.cta.program.lists[instr.target])
      time = std::max(time, warp.written[source.id]);
  }
  warp.written[instr.dst] = time;
  return Outcome::next;
}

Outcome tilec::interp::runCheckLanded(Warp &warp, const Instr &instr) {
  if (warp.flight[instr.target] == 0)
    return Outcome::next;
  return warp.fail(instr, "reads an accumulator that no sm.wgmma_wait has handed back yet");
}

Outcome tilec::interp::runEnd(Warp &warp, const Instr &) {
  if (!warp.lastStore)
    return Outcome::ended;
  warp.cta.report(warp.lastStore) << "warp " << warp.index
                                  << " ends with no sm.tma_wait for its bulk stores, which may "
                                     "still read shared memory";
  return Outcome::failed;
}

static uint32_t trueLanes(Warp &warp, uint32_t offset) {
  uint32_t result = 0;
  const uint32_t *condition = warp.words<uint32_t>(offset);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    result |= (condition[lane] & 1) << lane;
  return result;
}

static Outcome runIf(Warp &warp, const Instr &instr) {
  uint32_t taken = trueLanes(warp, instr.a);
  warp.masks.push_back(warp.mask);
  warp.masks.push_back(warp.mask & ~taken);
  warp.mask &= taken;
  if (warp.mask != 0)
    return Outcome::next;
  warp.pc = instr.target;
  return Outcome::jump;
}

static Outcome runElse(Warp &warp, const Instr &instr) {
  warp.mask = warp.masks.back();
  if (warp.mask != 0)
    return Outcome::next;
  warp.pc = instr.target;
  return Outcome::jump;
}

static Outcome runEndIf(Warp &warp, const Instr &) {
  warp.masks.pop_back();
  warp.mask = warp.masks.pop_back_val();
  return Outcome::next;
}

static Outcome runEnterLoop(Warp &warp, const Instr &) {
  warp.masks.push_back(warp.mask);
  return Outcome::next;
}

static Outcome runJump(Warp &warp, const Instr &instr) {
  warp.pc = instr.target;
  return Outcome::jump;
}

/// Goes on with the lanes of `active`, or leaves the loop.
static Outcome goOnWith(Warp &warp, const Instr &instr, uint32_t active) {
  warp.mask &= active;
  if (warp.mask != 0)
    return Outcome::next;
  warp.mask = warp.masks.pop_back_val();
  warp.pc = instr.target;
  return Outcome::jump;
}

template <class T> static Outcome runForTest(Warp &warp, const Instr &instr) {
  const T *position = warp.words<T>(instr.a), *end = warp.words<T>(instr.b);
  uint32_t active = 0;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    active |= uint32_t(position[lane] < end[lane]) << lane;
  return goOnWith(warp, instr, active);
}

template <class T> static Outcome runForStep(Warp &warp, const Instr &instr) {
  T *position = warp.words<T>(instr.a);
  const T *step = warp.words<T>(instr.b);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    position[lane] += step[lane];
  warp.pc = instr.target;
  return Outcome::jump;
}

static Outcome runWhileTest(Warp &warp, const Instr &instr) {
  return goOnWith(warp, instr, trueLanes(warp, instr.a));
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static SmallVector<Value> list(ValueRange values) { return llvm::to_vector(values); }

static LogicalResult assembleIf(Assembler &assembler, scf::IfOp op) {
  uint32_t begin = assembler.here();
  assembler.emitAt(op, runIf).a = assembler.place(op.getCondition()).offset;
  auto side = [&](Region &region) -> LogicalResult {
    if (region.empty())
      return success();
    if (failed(assembler.assembleBlock(region.front())))
      return failure();
    assembler.emitCopies(op, list(region.front().getTerminator()->getOperands()),
                         list(op.getResults()));
    return success();
  };
  if (failed(side(op.getThenRegion())))
    return failure();
  uint32_t middle = assembler.here();
  assembler.emitAt(op, runElse);
  if (failed(side(op.getElseRegion())))
    return failure();
  uint32_t end = assembler.here();
  assembler.emitAt(op, runEndIf);
  assembler.program.code[begin].target = middle;
  assembler.program.code[middle].target = end;
  return success();
}

/// Handlers of a loop by the type of its induction variable and its comparison.
static std::pair<Instr::Handler, Instr::Handler> loopHandlers(scf::ForOp op, Kind kind) {
  if (kind == Kind::I64)
    return {op.getUnsignedCmp() ? runForTest<uint64_t> : runForTest<int64_t>, runForStep<uint64_t>};
  return {op.getUnsignedCmp() ? runForTest<uint32_t> : runForTest<int32_t>, runForStep<uint32_t>};
}

static LogicalResult assembleFor(Assembler &assembler, scf::ForOp op) {
  Place position = assembler.place(op.getInductionVar());
  if (position.kind != Kind::I64 && position.kind != Kind::I32)
    return op.emitError("expected a loop over i32 or i64");
  auto [test, step] = loopHandlers(op, position.kind);
  SmallVector<Value> from{op.getLowerBound()}, to{op.getInductionVar()};
  llvm::append_range(from, op.getInitArgs());
  llvm::append_range(to, op.getRegionIterArgs());
  assembler.emitCopies(op, from, to);
  assembler.emitAt(op, runEnterLoop);
  uint32_t begin = assembler.here();
  Instr &compare = assembler.emitAt(op, test);
  compare.a = position.offset;
  compare.b = assembler.place(op.getUpperBound()).offset;
  if (failed(assembler.assembleBlock(*op.getBody())))
    return failure();
  assembler.emitCopies(op, list(op.getYieldedValues()), list(op.getRegionIterArgs()));
  Instr &advance = assembler.emitAt(op, step);
  advance.a = position.offset;
  advance.b = assembler.place(op.getStep()).offset;
  advance.target = begin;
  assembler.program.code[begin].target = assembler.here();
  assembler.emitCopies(op, list(op.getRegionIterArgs()), list(op.getResults()));
  return success();
}

static LogicalResult assembleWhile(Assembler &assembler, scf::WhileOp op) {
  assembler.emitCopies(op, list(op.getInits()), list(op.getBeforeArguments()));
  assembler.emitAt(op, runEnterLoop);
  uint32_t begin = assembler.here();
  if (failed(assembler.assembleBlock(*op.getBeforeBody())))
    return failure();
  scf::ConditionOp condition = op.getConditionOp();
  // The results are those of the last time that a lane gets here.
  assembler.emitCopies(op, list(condition.getArgs()), list(op.getResults()));
  assembler.emitCopies(op, list(condition.getArgs()), list(op.getAfterArguments()));
  uint32_t test = assembler.here();
  assembler.emitAt(op, runWhileTest).a = assembler.place(condition.getCondition()).offset;
  if (failed(assembler.assembleBlock(*op.getAfterBody())))
    return failure();
  assembler.emitCopies(op, list(op.getYieldOp().getOperands()), list(op.getBeforeArguments()));
  assembler.emitAt(op, runJump).target = begin;
  assembler.program.code[test].target = assembler.here();
  return success();
}

std::optional<LogicalResult> tilec::interp::assembleControl(Assembler &assembler, Operation *op) {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return assembleIf(assembler, branch);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return assembleFor(assembler, loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return assembleWhile(assembler, loop);
  if (isa<scf::YieldOp, scf::ConditionOp, func::ReturnOp>(op))
    return success(); // their copies belong to the parent
  return std::nullopt;
}
