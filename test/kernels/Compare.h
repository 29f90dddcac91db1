//===- Compare.h - how near a result must be to the reference -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_COMPARE_H
#define TEST_KERNELS_COMPARE_H

#include "Reference.h"
#include "tile/Status.h"
#include "tile/Tensor.h"

namespace tile::test {

/// Distance between neighbouring values of a float type near |x|.
double unit(DType dtype, double x);

/// sqrt(sum (result - expected)^2 / sum expected^2); NaN if a result is NaN.
double relativeRms(const std::vector<double> &result, const std::vector<double> &expected);

/// The relative RMS that an attention output or a matrix product of this type may have.
double attentionRms(DType dtype);
double gemmRms(DType dtype);

/// Attention: relative RMS of O, no element of it off by more than 16 units at its row's RMS, LSE
/// within 1e-3 or 1e-5 of its value. Rows without a key exactly 0 and -inf.
///
/// The largest weight of a row is off by up to half a unit, since the reference need not be the
/// maximum, and all of the row with it. Over 16 rows of N(0, 1) that averages out. Of fewer, or
/// where a few are much larger than the others, the RMS may be a unit at 1: half for the weight,
/// half for O.
Status checkAttention(const AttentionResult &result, const AttentionResult &expected, DType dtype,
                      int64_t valueDim);

/// Relative RMS of a product, and each element within 16 units at the RMS of all.
Status checkGemm(const std::vector<double> &result, const std::vector<double> &expected,
                 DType dtype);

/// Each element: |result - expected| <= bound(i). Equal infinities are equal.
Status checkElements(const std::vector<double> &result, const std::vector<double> &expected,
                     const std::function<double(size_t)> &bound);

} // namespace tile::test

#endif // TEST_KERNELS_COMPARE_H
