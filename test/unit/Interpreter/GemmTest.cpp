//===- GemmTest.cpp - the library's gemm in the interpreter ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Gemm.h"

#include "gtest/gtest.h"

using namespace tilec::test;
using tile::DType;

namespace {

TEST(Gemm, AgreesWithTheReference) {
  for (const char *dtype : {"bf16", "f16"})
    for (bool transposed : {false, true}) {
      LibraryKernel kernel("gemm", dtype, {{"transpose_b", transposed ? "1" : "0"}});
      for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{128, 128, 64},
                             {200, 136, 200},
                             {70, 132, 40}, // rows of c: multiples of 8 bytes, not of 16
                             {100, 71, 33}}) {
        SCOPED_TRACE(testing::Message() << dtype << " " << m << " " << n << " " << k);
        GemmCall call(*tile::parseDType(dtype), m, n, k, transposed);
        EXPECT_EQ(kernel.run(call.arguments()), "");
        EXPECT_EQ(call.check(), "");
      }
    }
}

} // namespace
