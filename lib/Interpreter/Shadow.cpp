//===- Shadow.cpp - happens-before of bytes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Shadow.h"

using namespace tilec::interp;

/// Sets of readers after which those that no byte refers to are dropped.
static constexpr size_t maxSets = 1 << 20;

static uint32_t lanesOf(int lane) { return lane < 0 ? allLanes : 1u << lane; }

uint32_t Shadow::begin(const Access &access) {
  if (sets.size() > maxSets)
    collect();
  added.clear();
  accesses.push_back(access);
  return static_cast<uint32_t>(accesses.size() - 1);
}

void Shadow::collect() {
  std::vector<uint32_t> renamed(sets.size(), 0);
  std::vector<Readers> kept(1);
  for (std::unique_ptr<Byte[]> &page : pages)
    for (uint64_t at = 0; page && at < pageBytes; ++at) {
      uint32_t &reads = page[at].reads;
      if (reads == 0)
        continue;
      if (renamed[reads] == 0) {
        renamed[reads] = static_cast<uint32_t>(kept.size());
        kept.push_back(std::move(sets[reads]));
      }
      reads = renamed[reads];
    }
  sets = std::move(kept);
}

bool Shadow::isOrdered(const Access &earlier, uint32_t lanes, bool isWrite, int lane,
                       const Observer &observer) const {
  const Knowledge &knows = *observer.knows;
  if (earlier.async)
    return earlier.time <= knows.seen[earlier.agent];
  if (observer.async)
    return earlier.time <= (isWrite ? knows.fenced : knows.seen)[earlier.agent];
  if (earlier.warp == observer.warp && lanes != lanesOf(lane))
    return earlier.time <= (*observer.lanesSeen)[earlier.agent];
  return earlier.time <= knows.seen[earlier.agent];
}

std::optional<Conflict> Shadow::checkWrite(const Byte &byte, uint64_t at, int lane,
                                           const Observer &observer) const {
  if (byte.write == 0)
    return std::nullopt;
  const Access &earlier = accesses[byte.write / 32];
  uint32_t lanes = 1u << byte.write % 32;
  if (isOrdered(earlier, lanes, true, lane, observer))
    return std::nullopt;
  bool seen =
      observer.async && !earlier.async && earlier.time <= observer.knows->seen[earlier.agent];
  return Conflict{seen ? Conflict::Kind::unfenced : Conflict::Kind::unordered, at, earlier, true,
                  lanes};
}

std::optional<Conflict> Shadow::checkReads(const Byte &byte, uint64_t at, int lane,
                                           const Observer &observer, Which which) const {
  for (const Reader &reader : sets[byte.reads])
    if (which != Which::all && accesses[reader.access].atomic != (which == Which::atomic))
      continue;
    else if (!isOrdered(accesses[reader.access], reader.lanes, false, lane, observer))
      return Conflict{Conflict::Kind::unordered, at, accesses[reader.access], false, reader.lanes};
  return std::nullopt;
}

/// A later read of an agent stands for its earlier ones: who knows of it knows of them. Reads of
/// other lanes stay until the warp's lanes have met.
uint32_t Shadow::addReader(uint32_t set, uint32_t access, int lane, const Observer &observer) {
  auto [entry, isNew] = added.try_emplace({set, lane}, 0);
  if (!isNew)
    return entry->second;
  const Access &current = accesses[access];
  uint32_t lanes = lanesOf(lane);
  Readers readers;
  for (const Reader &reader : sets[set]) {
    const Access &earlier = accesses[reader.access];
    if (reader.access == access) {
      lanes |= reader.lanes;
      continue;
    }
    bool covered = current.async || (reader.lanes & ~lanesOf(lane)) == 0 ||
                   earlier.time <= (*observer.lanesSeen)[earlier.agent];
    if (earlier.agent != current.agent || earlier.time > current.time || !covered ||
        earlier.atomic != current.atomic)
      readers.push_back(reader);
  }
  readers.push_back({access, lanes});
  sets.push_back(std::move(readers));
  return entry->second = static_cast<uint32_t>(sets.size() - 1);
}

std::optional<Conflict> Shadow::read(uint32_t access, int lane, uint64_t first, uint64_t count,
                                     const Observer &observer) {
  Byte last{~0u, ~0u};
  uint32_t reads = 0;
  for (uint64_t at = first; at < first + count; ++at) {
    Byte &byte = this->byte(at);
    if (byte.write == 0)
      return Conflict{Conflict::Kind::uninitialised, at, {}};
    if (byte.write != last.write || byte.reads != last.reads) {
      if (auto conflict = checkWrite(byte, at, lane, observer))
        return conflict;
      // The last write of several without an order stands for one of them only.
      if (accesses[byte.write / 32].atomic)
        if (auto conflict = checkReads(byte, at, lane, observer, Which::atomic))
          return conflict;
      last = byte;
      reads = addReader(byte.reads, access, lane, observer);
    }
    byte.reads = reads;
  }
  return std::nullopt;
}

std::optional<Conflict> Shadow::update(uint32_t access, int lane, uint64_t first, uint64_t count,
                                       const Observer &observer, bool initialised) {
  for (uint64_t at = first; at < first + count; ++at) {
    Byte &byte = this->byte(at);
    if (byte.write == 0 && !initialised)
      return Conflict{Conflict::Kind::uninitialised, at, {}};
    if (!accesses[byte.write / 32].atomic)
      if (auto conflict = checkWrite(byte, at, lane, observer))
        return conflict;
    if (auto conflict = checkReads(byte, at, lane, observer, Which::plain))
      return conflict;
    byte = {32 * access + static_cast<uint32_t>(std::max(lane, 0)),
            addReader(byte.reads, access, lane, observer)};
  }
  return std::nullopt;
}

std::optional<Conflict> Shadow::write(uint32_t access, int lane, uint64_t first, uint64_t count,
                                      const Observer &observer) {
  Byte last{~0u, ~0u};
  for (uint64_t at = first; at < first + count; ++at) {
    Byte &byte = this->byte(at);
    if (byte.write != last.write || byte.reads != last.reads) {
      if (auto conflict = checkWrite(byte, at, lane, observer))
        return conflict;
      if (auto conflict = checkReads(byte, at, lane, observer, Which::all))
        return conflict;
      last = byte;
    }
    byte = {32 * access + static_cast<uint32_t>(std::max(lane, 0)), 0};
  }
  return std::nullopt;
}
