//===- TensorMaps.cpp - TMA descriptors of a launch's tensors -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TensorMaps.h"
#include "Driver.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace tile {

static_assert(sizeof(TensorMap) == sizeof(CUtensorMap));

namespace {
/// Strides are multiples of this, and below that.
constexpr uint64_t strideUnit = 16, strideEnd = uint64_t(1) << 40;
/// Kernels compute coordinates in 32 bits and may go a box past the end.
constexpr int64_t mostElements = 0x7fffffff - 256;
constexpr size_t keptMaps = 64;

CUtensorMapDataType dataType(DType dtype) {
  switch (dtype) {
  case DType::f32:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  case DType::f16:
    return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
  case DType::bf16:
    return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
  case DType::i16:
    return CU_TENSOR_MAP_DATA_TYPE_UINT16;
  case DType::i32:
    return CU_TENSOR_MAP_DATA_TYPE_INT32;
  case DType::i64:
    return CU_TENSOR_MAP_DATA_TYPE_INT64;
  default: // bytes; TMA does not compute with them
    return CU_TENSOR_MAP_DATA_TYPE_UINT8;
  }
}

CUtensorMapSwizzle swizzleMode(int bytes) {
  switch (bytes) {
  case 32:
    return CU_TENSOR_MAP_SWIZZLE_32B;
  case 64:
    return CU_TENSOR_MAP_SWIZZLE_64B;
  case 128:
    return CU_TENSOR_MAP_SWIZZLE_128B;
  default:
    return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
}

Status encodeMap(const TensorMapKey &key, const char *name, TensorMap &map) {
  Result<const Driver *> driver = readyDriver();
  if (!driver.ok())
    return driver.status();
  constexpr std::array<uint32_t, maxMapRank> everyElement = {1, 1, 1, 1, 1};
  alignas(128) CUtensorMap encoded;
  CUresult result = (*driver)->cuTensorMapEncodeTiled(
      &encoded, dataType(key.dtype), static_cast<uint32_t>(key.rank),
      reinterpret_cast<void *>(key.address), key.extents.data(),
      // The innermost dimension has no stride.
      key.strides.data() + 1, key.box.data(), everyElement.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
      swizzleMode(key.swizzle), CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    return (*driver)->check(
        result, ("argument '" + std::string(name) + "': cuTensorMapEncodeTiled").c_str());
  std::memcpy(&map, &encoded, sizeof(map));
  return {};
}

uint64_t hash(const TensorMapKey &key) {
  uint64_t value = key.address;
  auto add = [&](uint64_t next) { value = ((value ^ next) * 0x9e3779b97f4a7c15u) ^ (value >> 32); };
  for (int i = 0; i < key.rank; ++i) {
    add(key.extents[i]);
    add(key.strides[i]);
    add(key.box[i]);
  }
  return value;
}
} // namespace

Result<TensorMapKey> describeTensor(const MapInfo &map, const Tensor &tensor, const char *name) {
  TensorMapKey key = {.address = reinterpret_cast<uintptr_t>(tensor.data),
                      .dtype = tensor.dtype,
                      .rank = map.rank,
                      .extents = {},
                      .strides = {},
                      .box = {},
                      .swizzle = map.swizzle};
  auto where = [&](int axis) {
    return "argument '" + std::string(name) + "' dimension " + std::to_string(axis);
  };
  if (key.address % strideUnit != 0)
    return Status::error(
        "argument '" + std::string(name) +
        "': expected an address that is a multiple of 16 bytes, found one that is " +
        std::to_string(key.address % strideUnit) + " past");
  for (int i = 0; i < map.rank; ++i) {
    int axis = map.rank - 1 - i;
    int64_t extent = tensor.shape[axis];
    if (extent > mostElements)
      return Status::error(where(axis) + ": expected at most " + std::to_string(mostElements) +
                           " elements for TMA, found " + std::to_string(extent));
    key.extents[i] = static_cast<uint64_t>(extent);
    key.box[i] = static_cast<uint32_t>(map.box[axis]);
    key.strides[i] = extent == 1 ? strideUnit
                                 : static_cast<uint64_t>(tensor.strides[axis]) *
                                       static_cast<uint64_t>(byteSize(tensor.dtype));
    if (i > 0 && (key.strides[i] % strideUnit != 0 || key.strides[i] >= strideEnd))
      return Status::error(where(axis) +
                           ": expected a stride that is a multiple of 16 bytes and below 2^40 for "
                           "TMA, found " +
                           std::to_string(key.strides[i]) + " bytes");
  }
  return key;
}

Result<Tensor> TensorMaps::standIn(const Tensor &empty) {
  constexpr int64_t bytes = 256;
  Result<const Driver *> driver = readyDriver();
  if (!driver.ok())
    return driver.status();
  Result<CUcontext> context = currentContext(**driver);
  if (!context.ok())
    return context.status();
  auto found = std::find_if(zeros.begin(), zeros.end(),
                            [&](const Zeros &entry) { return entry.context == *context; });
  if (found == zeros.end()) {
    Result<Buffer> buffer = Buffer::allocate(Device::cuda, bytes);
    if (!buffer.ok())
      return buffer.status();
    if (Status status = buffer->fill(0, bytes); !status.ok())
      return status;
    zeros.push_back({*context, std::move(*buffer)});
    found = zeros.end() - 1;
  }
  Tensor tensor = empty;
  tensor.data = found->buffer.data();
  tensor.shape.fill(1);
  return tensor;
}

Status TensorMaps::find(const TensorMapKey &key, const char *name, TensorMap &map) {
  const uint64_t wanted = hash(key);
  for (size_t i = 0; i < hashes.size(); ++i)
    if (hashes[i] == wanted && kept[i].key == key) {
      map = kept[i].map;
      return {};
    }
  if (Status status = encodeMap(key, name, map); !status.ok())
    return status;
  if (kept.size() < keptMaps) {
    kept.push_back({key, map});
    hashes.push_back(wanted);
    return {};
  }
  kept[oldest] = {key, map};
  hashes[oldest] = wanted;
  oldest = (oldest + 1) % keptMaps;
  return {};
}

Status TensorMaps::encode(std::span<const Arg> args, std::vector<TensorMap> &maps) {
  maps.resize(info.maps.size());
  std::lock_guard lock(mutex);
  for (size_t i = 0; i < maps.size(); ++i) {
    const MapInfo &map = info.maps[i];
    const char *name = info.params[map.param].name;
    const Tensor &tensor = *args[map.param].tensor();
    Result<Tensor> other = tensor.empty() ? standIn(tensor) : Result<Tensor>(Tensor());
    if (!other.ok())
      return other.status();
    Result<TensorMapKey> key = describeTensor(map, tensor.empty() ? *other : tensor, name);
    if (!key.ok())
      return key.status();
    if (Status status = find(*key, name, maps[i]); !status.ok())
      return status;
  }
  return {};
}

} // namespace tile
