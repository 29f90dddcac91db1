//===- Tensor.h - views of tensors in host or device memory ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TILE_TENSOR_H
#define TILE_TENSOR_H

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tile {

/// Element types. `i1` takes one byte per element, 0 or 1.
enum class DType : uint8_t { f32, f16, bf16, e4m3, e5m2, i1, i8, i16, i32, i64 };

/// Bytes of one element.
int64_t byteSize(DType dtype);
/// The name used in kernels and messages: "bf16".
const char *name(DType dtype);
/// The inverse of name().
std::optional<DType> parseDType(std::string_view text);
bool isFloat(DType dtype);

/// The element at `address` as a double; i64 beyond 2^53 loses its low bits.
double readElement(DType dtype, const void *address);
/// Rounds to nearest even. Overflow gives infinity, in e4m3 and e5m2 the largest finite value (as
/// the hardware's conversion does); integers saturate; i1 becomes `value != 0`.
void writeElement(DType dtype, void *address, double value);

/// Where a tensor's memory lies. On `cuda` it belongs to the current context.
enum class Device : uint8_t { host, cuda };

const char *name(Device device);

inline constexpr int maxRank = 8;

/// A view: owns nothing. Strides count elements and may be 0 in what a kernel only reads.
struct Tensor {
  void *data = nullptr;
  DType dtype = DType::f32;
  Device device = Device::cuda;
  /// May exceed maxRank; no kernel accepts such a tensor.
  int rank = 0;
  std::array<int64_t, maxRank> shape = {};
  std::array<int64_t, maxRank> strides = {};

  Tensor() = default;
  /// Row-major strides.
  Tensor(void *data, DType dtype, std::span<const int64_t> shape, Device device = Device::cuda);
  Tensor(void *data, DType dtype, std::initializer_list<int64_t> shape,
         Device device = Device::cuda)
      : Tensor(data, dtype, std::span<const int64_t>(shape.begin(), shape.size()), device) {}
  /// `strides` has as many entries as `shape`.
  Tensor(void *data, DType dtype, std::span<const int64_t> shape, std::span<const int64_t> strides,
         Device device = Device::cuda);

  std::span<const int64_t> extents() const {
    return {shape.data(), static_cast<size_t>(rank < maxRank ? rank : maxRank)};
  }
  /// Product of the extents; 1 for rank 0.
  int64_t elements() const;
  /// Some extent is 0.
  bool empty() const;
};

/// "[2, 8, 4096, 128]"
std::string shapeText(std::span<const int64_t> shape);

} // namespace tile

#endif // TILE_TENSOR_H
