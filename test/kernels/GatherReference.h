//===- GatherReference.h - rows and elements at indices ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_GATHERREFERENCE_H
#define TEST_KERNELS_GATHERREFERENCE_H

#include <cstdint>
#include <vector>

namespace tile::test {

/// The rows of `x` (of `row` elements each) that `index` names, and `pad` where it names none.
std::vector<double> gatherRows(const std::vector<double> &x, int64_t row,
                               const std::vector<double> &index, double pad);
/// Writes row i of `x` to row index[i] of `y`, if there is one.
void scatterRows(std::vector<double> &y, int64_t row, const std::vector<double> &index,
                 const std::vector<double> &x);
/// -1 where `keep` is 0.
std::vector<double> kept(std::vector<double> index, const std::vector<double> &keep);

/// A row-major matrix.
struct Matrix {
  std::vector<double> values;
  int64_t rows, cols;
};

/// out[i, j] = x[index[i, j], j] or, along axis 1, x[i, index[i, j]]; `pad` where there is none.
std::vector<double> gatherElements(const Matrix &x, int64_t axis, const Matrix &index, double pad);
/// y[index[i, j], j] = x[i, j] or, along axis 1, y[i, index[i, j]].
void scatterElements(Matrix &y, int64_t axis, const Matrix &index, const std::vector<double> &x);

} // namespace tile::test

#endif // TEST_KERNELS_GATHERREFERENCE_H
