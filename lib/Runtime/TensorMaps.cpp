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

Result<TensorMap> encodeMap(const TensorMapKey &key, const char *name) {
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
  Status status = (*driver)->check(
      result, ("argument '" + std::string(name) + "': cuTensorMapEncodeTiled").c_str());
  if (!status.ok())
    return status;
  TensorMap map;
  std::memcpy(&map, &encoded, sizeof(map));
  return map;
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

Result<TensorMap> TensorMaps::find(const TensorMapKey &key, const char *name) {
  for (const Entry &entry : recent)
    if (entry.key == key)
      return entry.map;
  Result<TensorMap> map = encodeMap(key, name);
  if (!map.ok())
    return map;
  if (recent.size() == keptMaps)
    recent.pop_back();
  recent.push_front({key, *map});
  return map;
}

Status TensorMaps::encode(std::span<const Arg> args, std::vector<TensorMap> &maps) {
  maps.clear();
  std::lock_guard lock(mutex);
  for (const MapInfo &map : info.maps) {
    const char *name = info.params[map.param].name;
    const Tensor &tensor = *args[map.param].tensor();
    Result<Tensor> described = tensor.empty() ? standIn(tensor) : Result<Tensor>(tensor);
    if (!described.ok())
      return described.status();
    Result<TensorMapKey> key = describeTensor(map, *described, name);
    if (!key.ok())
      return key.status();
    Result<TensorMap> encoded = find(*key, name);
    if (!encoded.ok())
      return encoded.status();
    maps.push_back(*encoded);
  }
  return {};
}

} // namespace tile
