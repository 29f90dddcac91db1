//===- Cta.h - warps, shared memory, barriers of one CTA --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_CTA_H
#define TILEC_LIB_INTERPRETER_CTA_H

#include "Program.h"
#include "Shadow.h"
#include "tilec/Interpreter/Interpreter.h"

#include <functional>
#include <map>
#include <random>

namespace tilec::interp {

class Cta;

/// Address that `sm.shared_base` gives: not 0, so that a forgotten base is found.
constexpr uint32_t sharedBase = 1024;
constexpr uint32_t maxNamedBarriers = 16;

/// What a warp waits for; the handler of the blocked instruction looks.
struct Waiting {
  bool arrived = false;
  uint64_t generation = 0;
  std::string what; // for the message of a deadlock
};

/// Groups of asynchronous work that a warp has closed, in order.
struct Groups {
  uint32_t closed = 0;
  uint32_t open() const { return closed + 1; }
  uint32_t finished(int64_t pending) const {
    return closed > pending ? closed - static_cast<uint32_t>(pending) : 0;
  }
};

/// The same of copies by threads, which mbarriers may track too: batches end where a group or an
/// arrival does.
struct CopyGroups {
  uint32_t batch = 1;
  llvm::SmallVector<uint32_t> closed; // the last batch of each group
  void close() { closed.push_back(batch++); }
  uint32_t finished(int64_t pending) const {
    auto count = static_cast<int64_t>(closed.size());
    return count > pending ? closed[count - 1 - pending] : 0;
  }
};

class Warp {
public:
  Warp(Cta &cta, uint32_t index);

  template <class T> T *words(uint32_t offset) {
    return reinterpret_cast<T *>(registers.data() + offset);
  }
  bool isActive(uint32_t lane) const { return mask >> lane & 1; }
  /// What the warp does from now on is later than what it has done.
  void tick() { knows.seen.raise(index, ++time); }
  /// All lanes have met: what one did lies before what any other does.
  void meetLanes() {
    lanesSeen = knows.seen;
    actors = 0;
    tick();
  }
  /// What some lanes can hand on: of the warp's own accesses, if these are not all lanes, only
  /// those from before the lanes last met; all of them if since then just this one lane made any.
  Knowledge handOver(uint32_t lanes) const;
  Observer observer(bool async) const { return {&knows, &lanesSeen, index, async}; }
  /// An access by the warp itself.
  Access access(mlir::Operation *op) {
    actors |= mask;
    return {index, time, index, false, op};
  }

  /// Reports a fault at the instruction's operation.
  Outcome fail(const Instr &instr, const llvm::Twine &message);
  /// `buffer`: null for shared memory.
  Outcome fail(const Instr &instr, int lane, llvm::StringRef does, const Conflict &conflict,
               const GlobalBuffer *buffer = nullptr);

  Cta &cta;
  uint32_t index, group; // group: warpgroup
  std::vector<uint8_t> registers;
  uint32_t pc = 0, mask = allLanes;
  llvm::SmallVector<uint32_t> masks; // of the enclosing regions
  uint64_t steps = 0;
  bool ended = false;
  Waiting waiting;

  Knowledge knows;
  Clock lanesSeen;
  uint32_t actors = 0; // lanes that have accessed memory since all last met
  uint32_t time = 0;

  CopyGroups copies;
  Groups products, stores;
  /// A bulk store that no wait has covered yet; whether one is in no group yet.
  mlir::Operation *lastStore = nullptr;
  bool openStores = false;
  /// Per value: the group of products that it is an accumulator of, 0 if readable; and the step at
  /// which its registers were written by other than matrix instructions.
  std::vector<uint32_t> flight;
  std::vector<uint64_t> written;
  uint64_t fenced = 0, waited = 0; // steps of the last wgmma_fence and wgmma_wait
  /// The last buffer that the warp accessed.
  const GlobalBuffer *recent = nullptr;
};

struct NamedBarrier {
  uint32_t expected = 0, arrived = 0; // threads
  uint64_t generation = 0;
  Knowledge arriving, released;
  mlir::Operation *op = nullptr;
};

struct Mbarrier {
  uint32_t count = 0, pending = 0;
  int64_t bytes = 0;  // announced and not yet there
  uint32_t phase = 0; // completed phases
  uint32_t agent = 0;
  Knowledge arriving, released;
  uint32_t initWarp = 0, initTime = 0;
  bool initFenced = false;
  mlir::Operation *init = nullptr;
};

class Cta {
public:
  Cta(const Program &program, const SMLaunch &launch, int64_t index);

  /// All warps have ended, or there was a fault.
  bool isDone() const { return live.empty() || faulty; }
  /// A warp, or an asynchronous copy, goes on for a while.
  void turn();
  /// Behind the last turn; fails if there was a fault.
  llvm::LogicalResult end();

  uint32_t numWarps() const { return program.numWarps; }
  uint32_t copyAgent(uint32_t warp) const { return numWarps() + warp; }
  uint32_t storeAgent(uint32_t warp) const { return 2 * numWarps() + warp; }
  uint32_t productAgent(uint32_t group) const { return 3 * numWarps() + group; }
  uint32_t newAgent() { return nextAgent++; }

  /// The bytes at a shared address; null if they are not all inside, or not aligned.
  uint8_t *sharedBytes(uint32_t address, uint32_t count, uint32_t alignment);
  /// The bytes at a global address; null if no buffer has them all, or (for a write) may be
  /// written.
  char *globalBytes(Warp &warp, uint64_t address, uint64_t count, bool write);
  /// The accesses of this CTA to a buffer that it may write.
  Shadow &shadowOf(const GlobalBuffer &buffer);
  /// "tensor 'q' of 4096 bytes by 16 bytes past its end": where an address lies.
  std::string describeGlobal(uint64_t address, uint64_t count, bool write) const;

  /// Runs later, between the steps of warps; `op` started it.
  void later(mlir::Operation *op, std::function<void()> work) {
    async.push_back({op, std::move(work)});
  }
  /// Something has happened that a blocked warp may wait for.
  void progress() { ++happened; }
  mlir::InFlightDiagnostic report(mlir::Operation *op);

  const Program &program;
  const SMLaunch &launch;
  const int64_t index;
  std::vector<uint8_t> shared;
  Shadow shadow;
  std::vector<std::unique_ptr<Warp>> warps;
  NamedBarrier named[maxNamedBarriers];
  std::map<uint32_t, Mbarrier> mbarriers; // by address
  std::mt19937_64 random;
  uint32_t electedLane;

private:
  bool step(Warp &warp, uint32_t most);
  void runAsync();
  void reportDeadlock();

  struct Work {
    mlir::Operation *op;
    std::function<void()> run;
  };
  std::vector<Work> async;
  std::map<const GlobalBuffer *, Shadow> globalShadows;
  std::vector<Warp *> live;
  size_t idle = 0;    // turns in a row in which nothing happened
  uint64_t steps = 0; // instructions of all warps
  uint64_t happened = 0;
  uint32_t nextAgent;
  bool faulty = false;
};

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_CTA_H
