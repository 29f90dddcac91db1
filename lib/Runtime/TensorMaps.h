//===- TensorMaps.h - TMA descriptors of a launch's tensors ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_RUNTIME_TENSORMAPS_H
#define TILE_RUNTIME_TENSORMAPS_H

#include "tile/KernelInfo.h"

#include <cstddef>
#include <mutex>
#include <vector>

namespace tile {

/// A CUtensorMap. CUDA 13 declares it with this alignment.
struct alignas(128) TensorMap {
  std::byte bytes[128];
};

/// What cuTensorMapEncodeTiled is told of a tensor, innermost dimension first.
struct TensorMapKey {
  uint64_t address;
  DType dtype;
  int rank;
  std::array<uint64_t, maxMapRank> extents;
  /// Bytes from one element to the next; of the innermost dimension unused.
  std::array<uint64_t, maxMapRank> strides;
  std::array<uint32_t, maxMapRank> box;
  int swizzle;

  bool operator==(const TensorMapKey &) const = default;
};

/// The key of `map` for `tensor`. Dimensions of extent 1 get a stride that TMA accepts, whatever
/// the tensor's says, since nothing is multiplied by it. `name` is the argument's, for errors.
Result<TensorMapKey> describeTensor(const MapInfo &map, const Tensor &tensor, const char *name);

/// The tensor maps of one kernel. Encoding takes a microsecond, so the last ones are kept.
class TensorMaps {
public:
  explicit TensorMaps(const KernelInfo &info) : info(info) {}

  /// One map per entry of `info.maps`, for checked arguments. An empty tensor is described as one
  /// element of value 0 in memory of our own: every load gives 0.
  Status encode(std::span<const Arg> args, std::vector<TensorMap> &maps);

private:
  struct Entry {
    TensorMapKey key;
    TensorMap map;
  };
  /// Memory that stands in for empty tensors, one per CUcontext.
  struct Zeros {
    void *context;
    Buffer buffer;
  };

  Result<Tensor> standIn(const Tensor &empty);
  Status find(const TensorMapKey &key, const char *name, TensorMap &map);

  const KernelInfo &info;
  std::mutex mutex;
  /// In a circle: a new one takes the place of the oldest.
  std::vector<Entry> kept;
  size_t oldest = 0;
  /// Of `kept`, close together: every launch looks through them.
  std::vector<uint64_t> hashes;
  std::vector<Zeros> zeros;
};

} // namespace tile

#endif // TILE_RUNTIME_TENSORMAPS_H
