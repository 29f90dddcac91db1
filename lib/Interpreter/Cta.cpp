//===- Cta.cpp - the order in which warps run -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Cta.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::interp;

/// Instructions that a warp runs before another may have its turn.
static constexpr uint32_t longestTurn = 400;

Warp::Warp(Cta &cta, uint32_t index)
    : cta(cta), index(index), group(index / 4), registers(cta.program.registerBytes),
      flight(cta.program.numValues), written(cta.program.numValues) {
  tick();
}

Knowledge Warp::handOver(uint32_t lanes) const {
  Knowledge result = knows;
  bool alone = llvm::isPowerOf2_32(lanes) && (actors & ~lanes) == 0;
  if (lanes == allLanes || alone)
    return result;
  for (uint32_t agent : {index, cta.copyAgent(index)}) {
    result.seen.lower(agent, lanesSeen[agent]);
    result.fenced.lower(agent, lanesSeen[agent]);
  }
  return result;
}

static std::string hex(uint64_t value) { return "0x" + llvm::utohexstr(value, /*LowerCase=*/true); }

static std::string describe(const Cta &cta, const Access &access, uint32_t lanes) {
  std::string who = "warp " + llvm::utostr(access.warp);
  if (!access.async && llvm::isPowerOf2_32(lanes))
    who = "thread " + llvm::utostr(32 * access.warp + llvm::countr_zero(lanes));
  return access.async ? "the async proxy for " + who : who;
}

Outcome Warp::fail(const Instr &instr, const llvm::Twine &message) {
  cta.report(instr.op) << "warp " << index << " " << message;
  return Outcome::failed;
}

Outcome Warp::fail(const Instr &instr, int lane, llvm::StringRef does, const Conflict &conflict,
                   const GlobalBuffer *buffer) {
  std::string who = lane < 0 ? "warp " + llvm::utostr(index)
                             : "thread " + llvm::utostr(32 * index + static_cast<uint32_t>(lane));
  InFlightDiagnostic error = cta.report(instr.op);
  error << who << " " << does << " byte " << conflict.byte << " of "
        << (buffer ? "tensor '" + buffer->name + "'" : "shared memory");
  if (conflict.kind == Conflict::Kind::uninitialised) {
    error << ", which nobody has written";
    return Outcome::failed;
  }
  error << " and " << describe(cta, conflict.earlier, conflict.lanes)
        << (conflict.earlierIsWrite ? " writes" : " reads") << " it, ";
  if (conflict.kind == Conflict::Kind::unfenced)
    error << "with no sm.fence_proxy in between: the async proxy may miss the write";
  else
    error << "with nothing that orders the two";
  error.attachNote(conflict.earlier.op->getLoc()) << "the other access is here";
  return Outcome::failed;
}

Cta::Cta(const Program &program, const SMLaunch &launch, int64_t index)
    : program(program), launch(launch), index(index), shared(program.sharedBytes),
      shadow(program.sharedBytes),
      random(launch.seed * 0x9e3779b97f4a7c15u + static_cast<uint64_t>(index)),
      electedLane(launch.seed == 0 ? 0 : static_cast<uint32_t>(random() % kLanes)),
      nextAgent(3 * program.numWarps + (program.numWarps + 3) / 4) {
  for (uint32_t warp = 0; warp < program.numWarps; ++warp) {
    warps.push_back(std::make_unique<Warp>(*this, warp));
    live.push_back(warps.back().get());
  }
  // Read before written: a number that is noticed.
  for (uint8_t &byte : shared)
    byte = 0xff;
  uint32_t word = 0, map = 0;
  for (auto [place, isMap] : llvm::zip(program.arguments, program.isMap)) {
    uint64_t value = isMap ? map++ : launch.words[word++];
    for (auto &warp : warps)
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        if (place.wordBytes() == 8)
          warp->words<uint64_t>(place.offset)[lane] = value;
        else
          warp->words<uint32_t>(place.offset)[lane] =
              static_cast<uint32_t>(value & ((uint64_t(1) << bitWidth(place.kind)) - 1));
  }
}

uint8_t *Cta::sharedBytes(uint32_t address, uint32_t count, uint32_t alignment) {
  uint32_t offset = address - sharedBase;
  if (address < sharedBase || offset > shared.size() || count > shared.size() - offset ||
      address % alignment != 0)
    return nullptr;
  return shared.data() + offset;
}

char *Cta::globalBytes(Warp &warp, uint64_t address, uint64_t count, bool write) {
  auto holds = [&](const GlobalBuffer &buffer) {
    auto start = reinterpret_cast<uint64_t>(buffer.data);
    auto size = static_cast<uint64_t>(buffer.bytes);
    return address >= start && count <= size && address - start <= size - count;
  };
  if (!warp.recent || !holds(*warp.recent)) {
    auto found = llvm::find_if(launch.buffers, holds);
    warp.recent = found == launch.buffers.end() ? nullptr : &*found;
  }
  if (!warp.recent || (write && !warp.recent->writable))
    return nullptr;
  return reinterpret_cast<char *>(address);
}

Shadow &Cta::shadowOf(const GlobalBuffer &buffer) {
  auto found = globalShadows.find(&buffer);
  if (found == globalShadows.end())
    found = globalShadows.try_emplace(&buffer, static_cast<uint64_t>(buffer.bytes)).first;
  return found->second;
}

std::string Cta::describeGlobal(uint64_t address, uint64_t count, bool write) const {
  const GlobalBuffer *nearest = nullptr;
  uint64_t least = ~uint64_t(0);
  for (const GlobalBuffer &buffer : launch.buffers) {
    auto start = reinterpret_cast<uint64_t>(buffer.data);
    uint64_t end = start + static_cast<uint64_t>(buffer.bytes), past = address + count;
    if (address >= start && past <= end && write)
      return "tensor '" + buffer.name + "', which is an input";
    uint64_t distance = address < start ? start - address : past - std::min(past, end);
    if (distance < least) {
      least = distance;
      nearest = &buffer;
    }
  }
  if (!nearest)
    return hex(address) + ", but there are no tensors";
  auto offset = static_cast<int64_t>(address - reinterpret_cast<uint64_t>(nearest->data));
  return "byte " + std::to_string(offset) + " of tensor '" + nearest->name + "', which has " +
         std::to_string(nearest->bytes) + " bytes";
}

InFlightDiagnostic Cta::report(Operation *op) {
  faulty = true;
  InFlightDiagnostic error = emitError(op->getLoc());
  error << op->getName() << " in CTA " << index << ": ";
  return error;
}

/// Runs a warp until it blocks, ends, or its turn is over. False: it could do nothing.
bool Cta::step(Warp &warp, uint32_t most) {
  bool moved = false;
  for (uint32_t i = 0; i < most; ++i) {
    const Instr &instr = program.code[warp.pc];
    uint64_t before = happened;
    ++warp.steps;
    switch (instr.run(warp, instr)) {
    case Outcome::next:
      ++warp.pc;
      moved = true;
      break;
    case Outcome::jump:
      moved = true;
      break;
    case Outcome::blocked:
      return moved || happened != before;
    case Outcome::failed:
      faulty = true;
      return true;
    case Outcome::ended:
      warp.ended = true;
      return true;
    }
  }
  return true;
}

void Cta::reportDeadlock() {
  const Warp *first = nullptr;
  for (auto &warp : warps)
    if (!warp->ended && !first)
      first = warp.get();
  InFlightDiagnostic error = report(program.code[first->pc].op);
  error << "deadlock, no warp can go on";
  for (auto &warp : warps) {
    if (warp->ended)
      continue;
    Operation *op = program.code[warp->pc].op;
    error.attachNote(op->getLoc()) << "warp " << warp->index << " waits " << warp->waiting.what;
  }
  unsigned ended = llvm::count_if(warps, [](auto &warp) { return warp->ended; });
  if (ended)
    error.attachNote(program.code.back().op->getLoc()) << ended << " warps have ended";
}

void Cta::runAsync() {
  size_t chosen = random() % async.size();
  std::swap(async[chosen], async.back());
  Work work = std::move(async.back());
  async.pop_back();
  work.run();
  idle = 0;
}

void Cta::turn() {
  if (!async.empty() && (idle > live.size() || random() % 8 == 0))
    return runAsync();
  // Once each in turn when nothing moves, so that a deadlock is certain.
  size_t chosen = idle == 0 ? random() % live.size() : idle % live.size();
  Warp &warp = *live[chosen];
  uint64_t before = warp.steps;
  idle = step(warp, 1 + random() % longestTurn) ? 0 : idle + 1;
  steps += warp.steps - before;
  if (warp.ended)
    live.erase(live.begin() + static_cast<ptrdiff_t>(chosen));
  if (idle > 2 * live.size() && async.empty() && !faulty && !live.empty())
    reportDeadlock();
  if (steps > launch.maxSteps && !faulty)
    report(program.code[warp.pc].op) << "the CTA has not ended after " << steps << " instructions";
}

LogicalResult Cta::end() {
  if (!async.empty() && !faulty)
    report(async.front().op) << "the CTA ends while this copy is in flight";
  return failure(faulty);
}
