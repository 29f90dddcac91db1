//===- Registers.cpp - how many registers each role gets ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/PipeToSM.h"

#include <algorithm>

using namespace tilec;

static constexpr int64_t kRegistersOfSM = 65536, kGroupThreads = 128;
/// Registers are handed out in eights; a thread addresses 255 of them.
static constexpr int64_t kGranule = 8, kMostPerThread = 255;
/// Enough for addresses and barriers of a producer, also of one that finds its work items; the most
/// that three warpgroups are given, and that threads that copy rows need, or a producer that keeps
/// the addresses of several loops for each item.
static constexpr int64_t kProducer = 24, kItemProducer = 32, kMostProducer = 56,
                         kMostConsumer = 240;

static int64_t wholeGranules(int64_t registers) { return registers / kGranule * kGranule; }

RoleRegisters tilec::roleRegisters(int64_t consumerGroups, int64_t ctasPerSM, ProducerWork work) {
  int64_t groups = consumerGroups + 1;
  int64_t entry = wholeGranules(kRegistersOfSM / (ctasPerSM * groups * kGroupThreads));
  int64_t total = entry * groups;
  RoleRegisters result;
  bool needsMost = work.threadsCopy || (work.hasItems && work.loops > 1);
  int64_t least = needsMost ? kMostProducer : work.hasItems ? kItemProducer : kProducer;
  result.consumer = std::min(kMostConsumer, wholeGranules((total - least) / consumerGroups));
  result.producer =
      std::min(kMostProducer, wholeGranules(total - consumerGroups * result.consumer));
  result.entry = std::min(kMostPerThread, entry);
  return result;
}
