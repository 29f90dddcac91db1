//===- GuardedTensor.h - a tensor amid memory that must not be touched ----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_GUARDEDTENSOR_H
#define TEST_KERNELS_GUARDEDTENSOR_H

#include "tile/Runtime.h"

#include <vector>

namespace tile::test {

/// A view in a larger buffer. Everything around it and between its rows is NaN (all bits set), and
/// so is every element that nobody set: what a kernel reads there shows in its results, and what it
/// writes there shows in check().
class GuardedTensor {
public:
  /// Row-major.
  GuardedTensor(DType dtype, std::vector<int64_t> shape);
  /// `strides` in elements; the view starts `offset` elements past an address that is a multiple of
  /// 256 bytes.
  GuardedTensor(DType dtype, std::vector<int64_t> shape, std::vector<int64_t> strides,
                int64_t offset = 0);

  DType dtype() const { return view.dtype; }
  std::vector<int64_t> shape() const { return {view.extents().begin(), view.extents().end()}; }
  int64_t elements() const { return view.elements(); }

  /// Elements by their row-major number within the view.
  double get(int64_t element) const { return readElement(dtype(), address(element)); }
  void set(int64_t element, double value) { writeElement(dtype(), address(element), value); }
  const void *address(int64_t element) const;
  void *address(int64_t element);
  /// All elements, row-major.
  std::vector<double> values() const;
  /// Rounds to the element type.
  void setValues(const std::vector<double> &values);

  /// The view on `device`; on the GPU, of a copy made by upload(), which stays where the first one
  /// put it.
  Tensor on(Device device) const;
  Status upload(Device device);
  Status download(Device device);
  /// Success if memory outside the view, or with `readOnly` all of it, is as it was at upload().
  Status check(bool readOnly) const;

private:
  /// Bytes from the start of the buffer.
  int64_t byteOffset(int64_t element) const;

  Tensor view;
  int64_t base = 0; // bytes before the view
  Buffer host, device;
  std::vector<uint8_t> before;
};

/// Row-major strides of a view whose rows have `padding` elements of gap after them and whose
/// outer dimensions have `padding` rows.
std::vector<int64_t> paddedStrides(const std::vector<int64_t> &shape, int64_t padding);

} // namespace tile::test

#endif // TEST_KERNELS_GUARDEDTENSOR_H
