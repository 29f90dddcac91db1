//===- Tensor.cpp - element types by name, views --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "tile/Tensor.h"

#include <algorithm>

namespace tile {

namespace {
struct DTypeFacts {
  const char *name;
  int64_t bytes;
  bool isFloat;
};

/// In the order of the enumeration.
constexpr DTypeFacts dtypeFacts[] = {
    {"f32", 4, true}, {"f16", 2, true}, {"bf16", 2, true}, {"e4m3", 1, true}, {"e5m2", 1, true},
    {"i1", 1, false}, {"i8", 1, false}, {"i16", 2, false}, {"i32", 4, false}, {"i64", 8, false},
};
} // namespace

int64_t byteSize(DType dtype) { return dtypeFacts[static_cast<int>(dtype)].bytes; }

const char *name(DType dtype) { return dtypeFacts[static_cast<int>(dtype)].name; }

bool isFloat(DType dtype) { return dtypeFacts[static_cast<int>(dtype)].isFloat; }

std::optional<DType> parseDType(std::string_view text) {
  for (size_t i = 0; i < std::size(dtypeFacts); ++i)
    if (text == dtypeFacts[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

const char *name(Device device) { return device == Device::host ? "host" : "cuda"; }

Tensor::Tensor(void *data, DType dtype, std::span<const int64_t> shape,
               std::span<const int64_t> strides, Device device)
    : data(data), dtype(dtype), device(device), rank(static_cast<int>(shape.size())) {
  std::copy_n(shape.begin(), std::min<size_t>(shape.size(), maxRank), this->shape.begin());
  std::copy_n(strides.begin(), std::min<size_t>(strides.size(), maxRank), this->strides.begin());
}

Tensor::Tensor(void *data, DType dtype, std::span<const int64_t> shape, Device device)
    : Tensor(data, dtype, shape, std::span<const int64_t>(), device) {
  // Unsigned: absurd extents wrap here and are reported by the launch.
  uint64_t stride = 1;
  for (int axis = std::min(rank, maxRank) - 1; axis >= 0; --axis) {
    strides[axis] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(this->shape[axis], 1));
  }
}

int64_t Tensor::elements() const {
  uint64_t count = 1;
  for (int64_t extent : extents())
    count *= static_cast<uint64_t>(extent);
  return static_cast<int64_t>(count);
}

bool Tensor::empty() const {
  return std::find(extents().begin(), extents().end(), 0) != extents().end();
}

std::string shapeText(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t axis = 0; axis < shape.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(shape[axis]);
  return text + "]";
}

} // namespace tile
