//===- CopyTest.cpp - models of the asynchronous copies -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "tilec/Layout/SharedLayout.h"

#include "gtest/gtest.h"

using namespace tilec;
using namespace tilec::test;
using ::tile::DType;

namespace {

HostTensor numbered(DType dtype, std::vector<int64_t> shape) {
  HostTensor result(dtype, std::move(shape));
  for (int64_t i = 0; i < result.count(); ++i)
    result.set(i, static_cast<double>(i + 1));
  return result;
}

TEST(CpAsync, FillsWithZeros) {
  for (int64_t bytes : {4, 8, 16}) {
    HostTensor in = numbered(DType::i8, {32 * bytes}), out(DType::i8, {32 * bytes});
    SmallKernel kernel(1, 32 * bytes);
    kernel.tensor("in", in).tensor("out", out, /*output=*/true);
    kernel.body(with(R"(%lane = sm.lane_id
%wide = arith.extui %lane : i32 to i64
%size = arith.constant $bytes : i32
%size64 = arith.constant $bytes : i64
%offset = arith.muli %lane, %size : i32
%offset64 = arith.muli %wide, %size64 : i64
%shared = sm.shared_base
%target = arith.addi %shared, %offset : i32
%source = arith.addi %in, %offset64 : i64
%one = arith.constant 1 : i32
%most = arith.addi %size, %one : i32
%count = arith.remui %lane, %most : i32
sm.cp_async %target, %source, %count {bytes = $bytes : i64}
sm.cp_async_commit
sm.cp_async_wait {pending = 0 : i64}
sm.barrier
)",
                     {{"bytes", bytes}}));
    kernel.fromShared("out", 8 * bytes);
    ASSERT_EQ(kernel.run(), "");
    for (int64_t i = 0; i < 32 * bytes; ++i)
      EXPECT_EQ(out.at(i), i % bytes < i / bytes % (bytes + 1) ? in.at(i) : 0) << i;
  }
}

/// Thread 0 makes a barrier at byte 0 of shared memory, announces bytes and starts the copy.
std::string loadAndWait(const std::string &copy, int64_t bytes) {
  return R"(%shared = sm.shared_base
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i32
%ahead = arith.constant 1024 : i32
%target = arith.addi %shared, %ahead : i32
%me = sm.thread_id
%first = arith.cmpi eq, %me, %zero : i32
scf.if %first {
  sm.barrier_init %shared, %one
  sm.fence_barrier_init
}
sm.barrier
scf.if %first {
)" + with("  %bytes = arith.constant $bytes : i32\n", {{"bytes", bytes}}) +
         "  sm.barrier_arrive_expect_tx %shared, %bytes\n" + copy + R"(
}
sm.barrier_try_wait %shared, %zero
)";
}

TEST(BulkLoad, Copies) {
  HostTensor in = numbered(DType::i32, {256}), out(DType::i32, {256});
  SmallKernel kernel(2, 2048);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true);
  kernel.body(loadAndWait("  sm.bulk_load %target, %in, %bytes, %shared", 1024));
  kernel.fromShared("out", 256, 1024);
  ASSERT_EQ(kernel.run(), "");
  for (int64_t i = 0; i < 256; ++i)
    EXPECT_EQ(out.at(i), i + 1);
}

struct Box {
  int64_t swizzle, rows, columns; // of a box
  int64_t row, column, plane;     // where it starts, in a tensor [3, 40, 80]
};

class Tma : public testing::TestWithParam<Box> {
protected:
  static constexpr int64_t planes = 3, rows = 40, columns = 80;
  SharedLayout layout() const {
    return {{GetParam().rows, GetParam().columns}, 2, GetParam().swizzle};
  }
  static bool isInside(int64_t plane, int64_t row, int64_t column) {
    return plane >= 0 && plane < planes && row >= 0 && row < rows && column >= 0 &&
           column < columns;
  }
  std::string coordinates() const {
    return with(
        R"(  %x = arith.constant $column : i32
  %y = arith.constant $row : i32
  %z = arith.constant $plane : i32
)",
        {{"column", GetParam().column}, {"row", GetParam().row}, {"plane", GetParam().plane}});
  }
};

TEST_P(Tma, LoadsBoxes) {
  const Box &box = GetParam();
  int64_t bytes = box.rows * box.columns * 2;
  HostTensor in = numbered(DType::i16, {planes, rows, columns}), out(DType::i16, {bytes / 2});
  SmallKernel kernel(2, 1024 + bytes);
  kernel.tensor("in", in).map({1, box.rows, box.columns}, box.swizzle);
  kernel.tensor("out", out, /*output=*/true);
  kernel.body(loadAndWait(
      coordinates() + "  sm.tma_load %target, %in_map[%x, %y, %z], %shared : !sm.tensor_map",
      bytes));
  kernel.fromShared("out", bytes / 4, 1024);
  ASSERT_EQ(kernel.run(), "");
  for (int64_t r = 0; r < box.rows; ++r)
    for (int64_t c = 0; c < box.columns; ++c) {
      bool inside = isInside(box.plane, box.row + r, box.column + c);
      double expected =
          inside ? in.at((box.plane * rows + box.row + r) * columns + box.column + c) : 0;
      ASSERT_EQ(out.at(layout().swizzledOffset({r, c}) / 2), expected) << r << ", " << c;
    }
}

TEST_P(Tma, StoresBoxes) {
  const Box &box = GetParam();
  int64_t bytes = box.rows * box.columns * 2;
  HostTensor in = numbered(DType::i16, {bytes / 2}), out(DType::i16, {planes, rows, columns});
  SmallKernel kernel(2, bytes);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true);
  kernel.map({1, box.rows, box.columns}, box.swizzle);
  kernel.toShared("in", bytes / 4).body("sm.fence_proxy\nsm.barrier");
  kernel.body(R"(%shared = sm.shared_base
%zero = arith.constant 0 : i32
%me = sm.thread_id
%first = arith.cmpi eq, %me, %zero : i32
scf.if %first {
)" + coordinates() +
              R"(  sm.tma_store %out_map[%x, %y, %z], %shared : !sm.tensor_map
  sm.tma_commit
  sm.tma_wait {pending = 0 : i64}
})");
  if (box.row < 0 || box.column < 0) {
    EXPECT_NE(kernel.run().find("stores from a negative coordinate on"), std::string::npos);
    return;
  }
  ASSERT_EQ(kernel.run(), "");
  for (int64_t plane = 0; plane < planes; ++plane)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = 0; column < columns; ++column) {
        int64_t r = row - box.row, c = column - box.column;
        bool written = plane == box.plane && r >= 0 && r < box.rows && c >= 0 && c < box.columns;
        double expected = written ? in.at(layout().swizzledOffset({r, c}) / 2) : -1;
        ASSERT_EQ(out.at((plane * rows + row) * columns + column), expected);
      }
}

/// An illegal instruction on the hardware, whatever the outer coordinates are.
TEST(TmaFault, InnermostCoordinate) {
  HostTensor in = numbered(DType::i16, {40, 80});
  SmallKernel kernel(2, 2048);
  kernel.tensor("in", in).map({8, 16}, 32);
  kernel.body(loadAndWait("  %x = arith.constant 5 : i32\n"
                          "  sm.tma_load %target, %in_map[%x, %zero], %shared : !sm.tensor_map",
                          256));
  EXPECT_NE(kernel.run().find("expected an innermost coordinate that is a multiple of 16 bytes, "
                              "found element 5"),
            std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Models, Tma,
                         testing::Values(Box{128, 16, 64, 0, 0, 1}, Box{64, 24, 32, 8, 16, 2},
                                         Box{32, 8, 16, 3, 8, 0}, Box{0, 7, 24, 1, 8, 1},
                                         Box{128, 16, 64, 30, 40, 2}, Box{128, 16, 64, -3, -8, 0},
                                         Box{64, 8, 32, 4, 8, 3}, Box{32, 16, 16, 40, 0, 1}));

} // namespace
