//===- Expect.h - a Status in a test ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_EXPECT_H
#define TEST_KERNELS_EXPECT_H

#include "tile/Status.h"

#include "gtest/gtest.h"

/// Fails with the status's message unless it is a success.
#define EXPECT_OK(expression)                                                                      \
  if (tile::Status expectedOk = (expression); !expectedOk.ok())                                    \
  ADD_FAILURE() << expectedOk.message()

#endif // TEST_KERNELS_EXPECT_H
