//===- Reader.cpp - from DLPack tensors to calls of the C++ interface -------===//
// SPDX-License-Identifier: Apache-2.0

#include "Reader.h"

#include "host/Family.h"

using namespace tile;

namespace kernels {

namespace {
/// The message of this thread's last failure.
std::string &lastError() {
  thread_local std::string message;
  return message;
}

tile_status fail(tile_status code, std::string message) {
  lastError() = std::move(message);
  return code;
}

std::optional<DType> elementType(DLDataType type) {
  struct Known {
    unsigned code, bits;
    DType dtype;
  };
  static constexpr Known table[] = {
      {kDLFloat, 32, DType::f32},       {kDLFloat, 16, DType::f16},
      {kDLBfloat, 16, DType::bf16},     {kDLFloat8_e4m3fn, 8, DType::e4m3},
      {kDLFloat8_e5m2, 8, DType::e5m2}, {kDLBool, 8, DType::i1},
      {kDLInt, 8, DType::i8},           {kDLInt, 16, DType::i16},
      {kDLInt, 32, DType::i32},         {kDLInt, 64, DType::i64}};
  if (type.lanes == 1)
    for (const Known &known : table)
      if (known.code == type.code && known.bits == type.bits)
        return known.dtype;
  return std::nullopt;
}
} // namespace

tile_status finish(const Status &status) {
  if (status.ok()) {
    lastError().clear();
    return TILE_OK;
  }
  return fail(isNoKernel(status) ? TILE_NO_KERNEL : TILE_LAUNCH_FAILED, status.message());
}

tile_status Reader::report() const { return fail(TILE_BAD_ARGUMENT, fault); }

void Reader::refuse(const char *name, const std::string &why) {
  if (fault.empty())
    fault = std::string(operation) + ": argument '" + name + "': " + why;
}

bool Reader::checkSize(const uint64_t *size, size_t least) {
  if (size && *size >= least)
    return true;
  fault = std::string(operation) + ": expected arguments with a struct_size of at least " +
          std::to_string(least) + ", found " + (size ? std::to_string(*size) : "null");
  return false;
}

tile_status Reader::store(const char *name, const Result<int64_t> &value, int64_t *where) {
  if (!where)
    refuse(name, "expected an address, found null");
  if (failed())
    return report();
  if (value.ok())
    *where = *value;
  return finish(value.status());
}

bool Reader::setDevice(const char *name, DLDevice device) {
  bool host = device.device_type == kDLCPU;
  if (!host && device.device_type != kDLCUDA && device.device_type != kDLCUDAManaged) {
    refuse(name, "expected memory of the CPU or of a CUDA device, found DLPack device type " +
                     std::to_string(static_cast<int>(device.device_type)));
    return false;
  }
  Device found = host ? Device::host : Device::cuda;
  int32_t id = host ? 0 : device.device_id;
  if (!first) {
    first = name;
    where = found;
    deviceId = id;
  }
  if (found == where && id == deviceId)
    return true;
  refuse(name, "expected the device of '" + std::string(first) + "', " + tile::name(where) + " " +
                   std::to_string(deviceId) + ", found " + tile::name(found) + " " +
                   std::to_string(id));
  return false;
}

Tensor Reader::operator()(const char *name, const DLTensor *tensor) {
  if (!tensor) {
    refuse(name, "expected a tensor, found null");
    return {};
  }
  std::optional<DType> dtype = elementType(tensor->dtype);
  if (!dtype)
    refuse(name,
           "expected f32, f16, bf16, e4m3fn, e5m2, bool or i8 to i64, found DLPack type code " +
               std::to_string(tensor->dtype.code) + " with " + std::to_string(tensor->dtype.bits) +
               " bits and " + std::to_string(tensor->dtype.lanes) + " lanes");
  if (tensor->ndim < 0 || tensor->ndim > maxRank || (tensor->ndim > 0 && !tensor->shape))
    refuse(name, "expected 0 to " + std::to_string(maxRank) +
                     " dimensions with their extents, found " + std::to_string(tensor->ndim) +
                     (tensor->shape ? "" : " and no extents"));
  if (!setDevice(name, tensor->device) || failed())
    return {};
  auto rank = static_cast<size_t>(tensor->ndim);
  // As a number: there may be no memory, with an offset all the same.
  auto *data =
      reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(tensor->data) + tensor->byte_offset);
  std::span<const int64_t> shape(tensor->shape, rank);
  if (!tensor->strides)
    return Tensor(data, *dtype, shape, where);
  return Tensor(data, *dtype, shape, std::span<const int64_t>(tensor->strides, rank), where);
}

} // namespace kernels

int32_t tile_api_version(void) { return TILE_API_VERSION; }

const char *tile_last_error(void) { return kernels::lastError().c_str(); }
