//===- ItemCounters.h - which launch draws from which counter -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_ITEMCOUNTERS_H
#define TILE_RUNTIME_ITEMCOUNTERS_H

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace tile {

struct Driver;

/// The counters of one loaded image. A launch leaves its counter at 0, as it found it, so a counter
/// serves any number of launches that do not overlap: those of one stream. Nobody knows beside
/// which others a launch in a graph will run, so each gets a counter of its own. A counter is never
/// taken back. Calls from several threads are safe.
class ItemCounters {
public:
  /// The image's array of counters, each 32 bits.
  static constexpr const char *symbol = "tile_item_counters";

  ItemCounters(uint64_t address, size_t bytes) : address(address), count(bytes / counterBytes) {}

  /// Address of the counter for a launch on this CUDA stream; 0 if none is left, or if the driver
  /// does not say which stream it is.
  uint64_t of(const Driver &driver, void *stream);

private:
  static constexpr size_t counterBytes = 4;

  uint64_t takeNext();

  const uint64_t address;
  const size_t count;
  std::mutex mutex;
  size_t taken = 0;
  /// By the stream's id: the handle of a destroyed stream may come again while its work still runs.
  std::unordered_map<uint64_t, uint64_t> ofStream;
};

} // namespace tile

#endif // TILE_RUNTIME_ITEMCOUNTERS_H
