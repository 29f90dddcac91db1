//===- GuardedTensor.cpp - a tensor amid memory that must not be touched --===//
// SPDX-License-Identifier: Apache-2.0

#include "GuardedTensor.h"

#include <cstdlib>
#include <cstring>

namespace tile::test {

namespace {
/// Bytes on either side; keeps the view's alignment.
constexpr int64_t guard = 1024;

std::vector<int64_t> rowMajor(const std::vector<int64_t> &shape) { return paddedStrides(shape, 0); }

Buffer allocate(Device device, int64_t bytes) {
  auto buffer = Buffer::allocate(device, bytes);
  if (!buffer.ok()) {
    fprintf(stderr, "%s\n", buffer.message().c_str());
    abort();
  }
  return *std::move(buffer);
}
} // namespace

std::vector<int64_t> paddedStrides(const std::vector<int64_t> &shape, int64_t padding) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t axis = shape.size(); axis-- > 1;) {
    int64_t extent = shape[axis] + (axis + 1 == shape.size() || padding == 0 ? padding : 1);
    strides[axis - 1] = strides[axis] * (extent ? extent : 1);
  }
  return strides;
}

GuardedTensor::GuardedTensor(DType dtype, std::vector<int64_t> shape)
    : GuardedTensor(dtype, shape, rowMajor(shape)) {}

GuardedTensor::GuardedTensor(DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides,
                             int64_t offset)
    : view(nullptr, dtype, shape, strides, Device::host), base(guard + offset * byteSize(dtype)) {
  int64_t last = 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    last += strides[axis] * (shape[axis] - 1);
  int64_t span = view.empty() ? 0 : (last + 1) * byteSize(dtype);
  host = allocate(Device::host, base + span + guard);
  memset(host.data(), 0xff, host.size());
}

int64_t GuardedTensor::byteOffset(int64_t element) const {
  int64_t offset = 0;
  for (int axis = view.rank; axis-- > 0; element /= view.shape[axis])
    offset += element % view.shape[axis] * view.strides[axis];
  return base + offset * byteSize(dtype());
}

const void *GuardedTensor::address(int64_t element) const {
  return static_cast<const char *>(host.data()) + byteOffset(element);
}

void *GuardedTensor::address(int64_t element) {
  return static_cast<char *>(host.data()) + byteOffset(element);
}

std::vector<double> GuardedTensor::values() const {
  std::vector<double> result(elements());
  for (int64_t i = 0; i < elements(); ++i)
    result[i] = get(i);
  return result;
}

void GuardedTensor::setValues(const std::vector<double> &values) {
  for (int64_t i = 0; i < elements(); ++i)
    set(i, values[i]);
}

Tensor GuardedTensor::on(Device where) const {
  Tensor result = view;
  result.device = where;
  const Buffer &buffer = where == Device::host ? host : device;
  result.data = view.empty() ? nullptr : static_cast<char *>(buffer.data()) + base;
  return result;
}

Status GuardedTensor::upload(Device where) {
  const auto *bytes = static_cast<const uint8_t *>(host.data());
  before.assign(bytes, bytes + host.size());
  if (where == Device::host)
    return {};
  if (!device.data()) {
    auto buffer = Buffer::allocate(where, host.size());
    if (!buffer.ok())
      return buffer.status();
    device = *std::move(buffer);
  }
  return device.upload(host.data(), host.size());
}

Status GuardedTensor::download(Device where) {
  return where == Device::host ? Status() : device.download(host.data(), host.size());
}

Status GuardedTensor::check(bool readOnly) const {
  std::vector<bool> mayChange(before.size(), false);
  for (int64_t i = 0; i < elements() && !readOnly; ++i) {
    int64_t offset = byteOffset(i);
    for (int64_t byte = 0; byte < byteSize(dtype()); ++byte)
      mayChange[offset + byte] = true;
  }
  const auto *after = static_cast<const uint8_t *>(host.data());
  for (size_t i = 0; i < before.size(); ++i)
    if (!mayChange[i] && after[i] != before[i])
      return Status::error("expected no write " + std::string(readOnly ? "to it" : "beside it") +
                           ", found one " + std::to_string(static_cast<int64_t>(i) - base) +
                           " bytes past its first element");
  return {};
}

} // namespace tile::test
