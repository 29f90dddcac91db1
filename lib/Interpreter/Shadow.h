//===- Shadow.h - who accessed each byte of memory --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Happens-before at the granularity of bytes and lanes. Per byte: the last write, and the reads
// since then. An access is ordered after an earlier one if its agent's clock covers that one's
// time. Agents are warps and what runs beside them: each warp's cp.async groups and bulk stores,
// each warpgroup's matrix products, each mbarrier's copies. Those finish in order within one agent,
// so a wait raises the waiter's clock for the agent.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_SHADOW_H
#define TILEC_LIB_INTERPRETER_SHADOW_H

#include "Clock.h"

#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <optional>
#include <vector>

namespace mlir {
class Operation;
}

namespace tilec::interp {

constexpr uint32_t allLanes = ~0u;

/// One execution of an instruction that accesses memory.
struct Access {
  uint32_t agent = 0, time = 0;
  uint32_t warp = 0;
  bool async = false; // by the async proxy
  mlir::Operation *op = nullptr;
  bool atomic = false; // needs no order with other atomic accesses
};

/// Whose knowledge an access has to be ordered by.
struct Observer {
  const Knowledge *knows;
  /// What lies before now for every lane of the warp.
  const Clock *lanesSeen;
  uint32_t warp;
  bool async;
};

struct Conflict {
  enum class Kind { uninitialised, unordered, unfenced } kind;
  uint64_t byte;  // offset in shared memory or in the buffer
  Access earlier; // not for uninitialised
  bool earlierIsWrite = false;
  uint32_t lanes = allLanes; // of the earlier access
};

class Shadow {
public:
  explicit Shadow(uint64_t bytes) : pages((bytes + pageBytes - 1) / pageBytes) {
    sets.emplace_back();
  }

  /// Starts an access, which is then applied to byte ranges.
  uint32_t begin(const Access &access);
  /// `lane`: a lane's number, or -1 for an access of the whole warp or of an async agent.
  std::optional<Conflict> read(uint32_t access, int lane, uint64_t first, uint64_t count,
                               const Observer &observer);
  std::optional<Conflict> write(uint32_t access, int lane, uint64_t first, uint64_t count,
                                const Observer &observer);
  /// A read and a write in one, of an access that is marked as atomic. `initialised`: memory that
  /// nobody has written holds something.
  std::optional<Conflict> update(uint32_t access, int lane, uint64_t first, uint64_t count,
                                 const Observer &observer, bool initialised);

private:
  struct Byte {
    uint32_t write = 0; // 0: never; otherwise 32 * access + lane
    uint32_t reads = 0; // a set; with the atomic accesses, which are writes too
  };
  struct Reader {
    uint32_t access, lanes;
  };
  using Readers = llvm::SmallVector<Reader, 2>;

  bool isOrdered(const Access &earlier, uint32_t lanes, bool isWrite, int lane,
                 const Observer &observer) const;
  std::optional<Conflict> checkWrite(const Byte &byte, uint64_t at, int lane,
                                     const Observer &observer) const;
  /// Of the set, those that are atomic, or those that are not, or all.
  enum class Which { all, atomic, plain };
  std::optional<Conflict> checkReads(const Byte &byte, uint64_t at, int lane,
                                     const Observer &observer, Which which) const;
  uint32_t addReader(uint32_t set, uint32_t access, int lane, const Observer &observer);
  void collect();

  /// Pages are made when they are accessed first.
  static constexpr uint64_t pageBytes = 4096;
  Byte &byte(uint64_t at) {
    std::unique_ptr<Byte[]> &page = pages[at / pageBytes];
    if (!page)
      page = std::make_unique<Byte[]>(pageBytes);
    return page[at % pageBytes];
  }

  std::vector<std::unique_ptr<Byte[]>> pages;
  std::vector<Access> accesses{1};
  std::vector<Readers> sets; // 0 is empty
  /// Of the current access: (set, lane) to the set with it.
  llvm::DenseMap<std::pair<uint32_t, int>, uint32_t> added;
};

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_SHADOW_H
