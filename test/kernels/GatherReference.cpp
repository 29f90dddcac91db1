//===- GatherReference.cpp - rows and elements at indices -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GatherReference.h"

#include <algorithm>
#include <optional>

namespace tile::test {

static bool within(double index, int64_t extent) {
  return index >= 0 && index < static_cast<double>(extent);
}

static int64_t rowsOf(const std::vector<double> &x, int64_t row) {
  return row == 0 ? 0 : static_cast<int64_t>(x.size()) / row;
}

std::vector<double> gatherRows(const std::vector<double> &x, int64_t row,
                               const std::vector<double> &index, double pad) {
  std::vector<double> result;
  for (double from : index) {
    if (within(from, rowsOf(x, row))) {
      auto first = x.begin() + static_cast<int64_t>(from) * row;
      result.insert(result.end(), first, first + row);
    } else {
      result.insert(result.end(), row, pad);
    }
  }
  return result;
}

void scatterRows(std::vector<double> &y, int64_t row, const std::vector<double> &index,
                 const std::vector<double> &x) {
  for (size_t i = 0; i < index.size(); ++i)
    if (within(index[i], rowsOf(y, row)))
      std::copy_n(x.begin() + static_cast<int64_t>(i) * row, row,
                  y.begin() + static_cast<int64_t>(index[i]) * row);
}

std::vector<double> kept(std::vector<double> index, const std::vector<double> &keep) {
  for (size_t i = 0; i < index.size(); ++i)
    index[i] = keep[i] != 0 ? index[i] : -1;
  return index;
}

/// Number of the element of `x` that `index[i]` picks.
static std::optional<int64_t> pickedElement(const Matrix &x, int64_t axis, const Matrix &index,
                                            int64_t i) {
  double row = static_cast<double>(i / index.cols), col = static_cast<double>(i % index.cols);
  (axis == 0 ? row : col) = index.values[i];
  if (!within(row, x.rows) || !within(col, x.cols))
    return std::nullopt;
  return static_cast<int64_t>(row) * x.cols + static_cast<int64_t>(col);
}

std::vector<double> gatherElements(const Matrix &x, int64_t axis, const Matrix &index, double pad) {
  std::vector<double> result;
  for (int64_t i = 0; i < index.rows * index.cols; ++i) {
    auto element = pickedElement(x, axis, index, i);
    result.push_back(element ? x.values[*element] : pad);
  }
  return result;
}

void scatterElements(Matrix &y, int64_t axis, const Matrix &index, const std::vector<double> &x) {
  for (int64_t i = 0; i < index.rows * index.cols; ++i)
    if (auto element = pickedElement(y, axis, index, i))
      y.values[*element] = x[i];
}

} // namespace tile::test
