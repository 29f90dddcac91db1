//===- CApi.cpp - the C interface over the C++ one ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/c_api.h"

#include "Family.h"
#include "tile/Attention.h"
#include "tile/Matrix.h"

#include <cstddef>

using namespace tile;

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

tile_status finish(const Status &status) {
  if (status.ok()) {
    lastError().clear();
    return TILE_OK;
  }
  return fail(kernels::isNoKernel(status) ? TILE_NO_KERNEL : TILE_LAUNCH_FAILED, status.message());
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

/// Turns the tensors of one call into views, and keeps the first fault.
class Reader {
public:
  explicit Reader(const char *operation) : operation(operation) {}

  Tensor operator()(const char *name, const DLTensor *tensor);
  bool failed() const { return !fault.empty(); }
  tile_status report() { return fail(TILE_BAD_ARGUMENT, fault); }
  Stream stream(void *handle) const {
    return where == Device::host ? Stream::host() : Stream::cuda(handle);
  }

private:
  void refuse(const char *name, const std::string &why) {
    if (fault.empty())
      fault = std::string(operation) + ": argument '" + name + "': " + why;
  }
  bool setDevice(const char *name, DLDevice device);

  const char *operation;
  std::string fault;
  const char *first = nullptr; // the tensor that set the device
  Device where = Device::cuda;
  int32_t deviceId = 0;
};

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
  void *data = static_cast<std::byte *>(tensor->data) + tensor->byte_offset;
  std::span<const int64_t> shape(tensor->shape, rank);
  if (!tensor->strides)
    return Tensor(data, *dtype, shape, where);
  return Tensor(data, *dtype, shape, std::span<const int64_t>(tensor->strides, rank), where);
}

/// Reads the tensors of a call, then makes it.
struct AttentionCall {
  Reader read{"block_sparse_attention"};
  BlockSparseTensors tensors;
  BlockSparseOptions options;

  tile_status prepare(const tile_block_sparse_attention_args *args) {
    constexpr size_t least = sizeof(tile_block_sparse_attention_args);
    if (!args || args->struct_size < least)
      return fail(TILE_BAD_ARGUMENT,
                  "block_sparse_attention: expected arguments with a struct_size of at least " +
                      std::to_string(least) + ", found " +
                      (args ? std::to_string(args->struct_size) : "null"));
    tensors = {read("q", args->q),
               read("k", args->k),
               read("v", args->v),
               read("block_count", args->block_count),
               read("block_index", args->block_index),
               read("o", args->o),
               read("lse", args->lse)};
    options = {.causal = args->causal != 0,
               .queryBlock = args->query_block,
               .keyBlock = args->key_block,
               .scale = args->scale};
    return read.failed() ? read.report() : TILE_OK;
  }
};

template <class Call>
tile_status unary(const char *operation, const DLTensor *x, const DLTensor *y, void *stream,
                  Call call) {
  Reader read(operation);
  Tensor source = read("x", x), target = read("y", y);
  return read.failed() ? read.report() : finish(call(read.stream(stream), source, target));
}
} // namespace

int32_t tile_api_version(void) { return TILE_API_VERSION; }

const char *tile_last_error(void) { return lastError().c_str(); }

tile_status tile_attention(const DLTensor *q, const DLTensor *k, const DLTensor *v,
                           const DLTensor *o, const DLTensor *lse, int32_t causal, float scale,
                           void *stream) {
  Reader read("attention");
  AttentionTensors tensors = {read("q", q), read("k", k), read("v", v), read("o", o),
                              read("lse", lse)};
  if (read.failed())
    return read.report();
  return finish(
      attention(read.stream(stream), tensors, {.causal = causal != 0, .scale = scale}));
}

tile_status tile_block_sparse_attention(const tile_block_sparse_attention_args *args,
                                        void *stream) {
  AttentionCall call;
  if (tile_status status = call.prepare(args); status != TILE_OK)
    return status;
  Tensor workspace = args->workspace ? call.read("workspace", args->workspace) : Tensor();
  if (call.read.failed())
    return call.read.report();
  return finish(
      blockSparseAttention(call.read.stream(stream), call.tensors, call.options, workspace));
}

tile_status tile_block_sparse_attention_workspace(const tile_block_sparse_attention_args *args,
                                                  int64_t *bytes) {
  AttentionCall call;
  if (tile_status status = call.prepare(args); status != TILE_OK)
    return status;
  if (!bytes)
    return fail(
        TILE_BAD_ARGUMENT,
        "block_sparse_attention_workspace: argument 'bytes': expected an address, found null");
  Result<int64_t> needed = blockSparseAttentionWorkspace(call.tensors, call.options);
  if (needed.ok())
    *bytes = *needed;
  return finish(needed.status());
}

tile_status tile_matmul(const DLTensor *a, const DLTensor *b, const DLTensor *c,
                        int32_t transpose_b, void *stream) {
  Reader read("matmul");
  Tensor left = read("a", a), right = read("b", b), product = read("c", c);
  if (read.failed())
    return read.report();
  return finish(
      matmul(read.stream(stream), left, right, product, {.transposeB = transpose_b != 0}));
}

tile_status tile_softmax(const DLTensor *x, const DLTensor *y, void *stream) {
  return unary("softmax", x, y, stream, [](Stream on, const Tensor &from, const Tensor &to) {
    return softmax(on, from, to);
  });
}

tile_status tile_copy(const DLTensor *x, const DLTensor *y, void *stream) {
  return unary("copy", x, y, stream,
               [](Stream on, const Tensor &from, const Tensor &to) { return copy(on, from, to); });
}

tile_status tile_axpy(float a, const DLTensor *x, const DLTensor *y, void *stream) {
  return unary("axpy", x, y, stream, [a](Stream on, const Tensor &from, const Tensor &to) {
    return axpy(on, a, from, to);
  });
}
