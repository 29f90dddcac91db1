//===- LibraryCall.h - calls of the library on the host -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Inputs are random (--gtest_random_seed=N); what nobody set, and all memory around the tensors, is
// NaN.

#ifndef TEST_UNIT_LIBRARY_LIBRARYCALL_H
#define TEST_UNIT_LIBRARY_LIBRARYCALL_H

#include "Expect.h"
#include "GuardedTensor.h"
#include "RandomValues.h"

#include <functional>

namespace tile::test {

/// Depends on gtest's seed and the test's name, not on which tests ran before.
Random seeded();
/// [rows, cols] with `padding` elements of gap between rows, and as many before the first.
GuardedTensor matrix(DType dtype, int64_t rows, int64_t cols, int64_t padding = 0);
inline Tensor view(const GuardedTensor &tensor) { return tensor.on(Device::host); }

/// Makes the call. Afterwards no input has changed, and nothing but the outputs; if the call was
/// refused, neither have they.
Status run(std::vector<GuardedTensor *> inputs, std::vector<GuardedTensor *> outputs,
           const std::function<Status(Stream)> &call);

} // namespace tile::test

#endif // TEST_UNIT_LIBRARY_LIBRARYCALL_H
