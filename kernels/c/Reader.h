//===- Reader.h - from DLPack tensors to calls of the C++ interface ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef KERNELS_C_READER_H
#define KERNELS_C_READER_H

#include "tile/Runtime.h"
#include "tile/Tensor.h"
#include "tile/c_api.h"

#include <string>

namespace kernels {

/// Turns the tensors of one call into views, and keeps the first fault.
class Reader {
public:
  explicit Reader(const char *operation) : operation(operation) {}

  tile::Tensor operator()(const char *name, const DLTensor *tensor);
  /// False, and a fault, if `args` is null or its caller knows less than the first `least` bytes of
  /// it.
  template <class Args> bool knows(const Args *args, size_t least = sizeof(Args)) {
    return checkSize(args ? &args->struct_size : nullptr, least);
  }
  /// Hands `value` to the caller.
  tile_status store(const char *name, const tile::Result<int64_t> &value, int64_t *where);

  bool failed() const { return !fault.empty(); }
  /// The status of a call that failed.
  tile_status report() const;
  tile::Stream stream(void *handle) const {
    return where == tile::Device::host ? tile::Stream::host() : tile::Stream::cuda(handle);
  }

private:
  void refuse(const char *name, const std::string &why);
  bool setDevice(const char *name, DLDevice device);
  bool checkSize(const uint64_t *size, size_t least);

  const char *operation;
  std::string fault;
  const char *first = nullptr; // the tensor that set the device
  tile::Device where = tile::Device::cuda;
  int32_t deviceId = 0;
};

/// The status of a call that was made; its message becomes this thread's last error.
tile_status finish(const tile::Status &status);

/// For a call whose tensors have been read: makes it, unless reading failed.
template <class Call> tile_status finish(const Reader &read, void *stream, Call call) {
  return read.failed() ? read.report() : finish(call(read.stream(stream)));
}

} // namespace kernels

#endif // KERNELS_C_READER_H
