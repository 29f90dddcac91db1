//===- WindowTest.cpp - what is there of a window -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "HostRun.h"

#include "gtest/gtest.h"

using namespace tilec::test;

namespace {

constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                  most = std::numeric_limits<int64_t>::max();

/// Reads a window of 4 x 6 into a buffer of that size, through registers or shared memory.
std::string readKernel(const std::string &dims, bool limits, bool shared) {
  std::string upto = limits ? " upto [%l0, %l1]" : "";
  std::string move = shared ? R"(
  %s = tile.alloc_shared : !tile.shared<4x6xf32>
  tile.copy %w, %s pad -1.5 : f32 : !tile.window<4x6xf32> to !tile.shared<4x6xf32>
  %t = tile.load %s : !tile.shared<4x6xf32> to tensor<4x6xf32>)"
                            : R"(
  %t = tile.load %w pad -1.5 : f32 : !tile.window<4x6xf32> to tensor<4x6xf32>)";
  return R"(
tile.kernel @k(%x: !tile.global<?x?x?xf32>, %out: !tile.global<4x6xf32>, %o0: i64, %o1: i64, %o2: i64, %l0: i64, %l1: i64) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%o0, %o1, %o2] dims = )" +
         dims + upto + R"( : !tile.global<?x?x?xf32> to !tile.window<4x6xf32>)" + move + R"(
  %ow = tile.window %out[%c0, %c0] dims = [0, 1] : !tile.global<4x6xf32> to !tile.window<4x6xf32>
  tile.store %t, %ow : tensor<4x6xf32> to !tile.window<4x6xf32>
  tile.return
})";
}

const std::vector<int64_t> extents = {3, 5, 9};
const std::vector<int64_t> strides = {100, 11};

float at(const std::vector<int64_t> &index) {
  return static_cast<float>(index[0] * 10000 + index[1] * 100 + index[2] + 1);
}

std::vector<float> sourceTensor() {
  std::vector<float> data(300, notANumber);
  for (int64_t i = 0; i < extents[0]; ++i)
    for (int64_t j = 0; j < extents[1]; ++j)
      for (int64_t k = 0; k < extents[2]; ++k)
        data[i * strides[0] + j * strides[1] + k] = at({i, j, k});
  return data;
}

/// Where window element (i, j) lies, or nothing if it is not there.
bool locate(const std::vector<int64_t> &dims, const std::vector<int64_t> &offsets,
            const std::vector<int64_t> &limits, int64_t i, int64_t j, std::vector<int64_t> &index) {
  std::vector<__int128> wide(offsets.begin(), offsets.end());
  wide[dims[0]] += i;
  wide[dims[1]] += j;
  for (int64_t d = 0; d < 3; ++d)
    if (wide[d] < 0 || wide[d] >= extents[d])
      return false;
  index.assign(wide.begin(), wide.end());
  return limits.empty() || (index[dims[0]] < limits[0] && index[dims[1]] < limits[1]);
}

void checkRead(const HostKernel &kernel, const std::vector<int64_t> &dims,
               const std::vector<int64_t> &offsets, const std::vector<int64_t> &limits) {
  std::vector<float> data = sourceTensor(), out(24, notANumber);
  Arguments arguments;
  arguments.tensor(data.data(), extents, strides).tensor(out.data(), {4, 6});
  for (int64_t offset : offsets)
    arguments.scalar(offset);
  for (int64_t axis = 0; axis < 2; ++axis)
    arguments.scalar(limits.empty() ? int64_t(0) : limits[axis]);
  kernel(arguments, 1);
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 6; ++j) {
      std::vector<int64_t> index;
      float expected = locate(dims, offsets, limits, i, j, index) ? at(index) : -1.5f;
      ASSERT_EQ(out[i * 6 + j], expected) << "element " << i << ", " << j << " offsets "
                                          << offsets[0] << ", " << offsets[1] << ", " << offsets[2];
    }
}

void checkReads(const std::string &text, const std::vector<int64_t> &dims, bool limits,
                bool shared) {
  HostKernel kernel(readKernel(text, limits, shared));
  ASSERT_TRUE(kernel);
  const int64_t starts[] = {0, 1, 2, -1, -3, 4, 5, 8, 9, -6, -7, least, most, least + 3, most - 2};
  Random random(dims[0] * 3 + dims[1]);
  auto pick = [&] { return starts[random.below(15)]; };
  for (int trial = 0; trial < 600; ++trial) {
    std::vector<int64_t> offsets = {pick(), pick(), pick()};
    if (trial % 2)
      for (int64_t d = 0; d < 3; ++d)
        offsets[d] = random.below(extents[d] + 2) - 1;
    checkRead(kernel, dims, offsets,
              limits ? std::vector<int64_t>{pick(), pick()} : std::vector<int64_t>());
  }
}

TEST(HostWindow, ReadsAnywhere) { checkReads("[1, 2]", {1, 2}, false, false); }
TEST(HostWindow, ReadsThroughSharedMemory) { checkReads("[1, 2]", {1, 2}, true, true); }
TEST(HostWindow, ReadsUpToLimits) { checkReads("[0, 2]", {0, 2}, true, false); }
TEST(HostWindow, AxesInAnyOrder) { checkReads("[2, 0]", {2, 0}, true, false); }

std::string writeKernel(bool shared) {
  std::string move = shared ? R"(
  %s = tile.alloc_shared : !tile.shared<4x6xf32>
  tile.store %t, %s : tensor<4x6xf32> to !tile.shared<4x6xf32>
  tile.copy %s, %w : !tile.shared<4x6xf32> to !tile.window<4x6xf32>)"
                            : R"(
  tile.store %t, %w : tensor<4x6xf32> to !tile.window<4x6xf32>)";
  return R"(
tile.kernel @k(%x: !tile.global<4x6xf32>, %out: !tile.global<?x?x?xf32>, %o0: i64, %o1: i64, %o2: i64, %l0: i64, %l1: i64) {
  %c0 = arith.constant 0 : i64
  %xw = tile.window %x[%c0, %c0] dims = [0, 1] : !tile.global<4x6xf32> to !tile.window<4x6xf32>
  %t = tile.load %xw : !tile.window<4x6xf32> to tensor<4x6xf32>
  %w = tile.window %out[%o0, %o1, %o2] dims = [1, 2] upto [%l0, %l1] : !tile.global<?x?x?xf32> to !tile.window<4x6xf32>)" +
         move + "\n  tile.return\n}";
}

void checkWrite(const HostKernel &kernel, const std::vector<int64_t> &offsets,
                const std::vector<int64_t> &limits) {
  std::vector<float> x(24), out(300, -7), expected(300, -7);
  for (int64_t i = 0; i < 24; ++i)
    x[i] = static_cast<float>(i);
  Arguments arguments;
  arguments.tensor(x.data(), {4, 6}).tensor(out.data(), extents, strides);
  for (int64_t value : {offsets[0], offsets[1], offsets[2], limits[0], limits[1]})
    arguments.scalar(value);
  kernel(arguments, 1);
  std::vector<int64_t> index;
  for (int64_t i = 0; i < 4; ++i)
    for (int64_t j = 0; j < 6; ++j)
      if (locate({1, 2}, offsets, limits, i, j, index))
        expected[index[0] * strides[0] + index[1] * strides[1] + index[2]] = x[i * 6 + j];
  EXPECT_EQ(out, expected);
}

TEST(HostWindow, WritesOutsideAreDropped) {
  for (bool shared : {false, true}) {
    HostKernel kernel(writeKernel(shared));
    ASSERT_TRUE(kernel);
    Random random(5);
    for (int trial = 0; trial < 300; ++trial)
      checkWrite(kernel, {random.below(5) - 1, random.below(9) - 3, random.below(16) - 6},
                 {random.below(8) - 1, random.below(12) - 1});
    checkWrite(kernel, {0, 0, 0}, {0, most});
    checkWrite(kernel, {0, least, 0}, {most, most});
    checkWrite(kernel, {0, 1, most}, {most, most});
    checkWrite(kernel, {2, 0, 0}, {least, most});
  }
}

/// Single elements, with a pad outside and dropped writes.
TEST(HostWindow, Scalars) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<?x?xi32>, %out: !tile.global<?xi64>, %i: i64, %j: i64, %o: i64) {
  %v = tile.load_scalar %x[%i, %j] pad -5 : i32 : !tile.global<?x?xi32> to i32
  %z = tile.load_scalar %x[%i, %j] : !tile.global<?x?xi32> to i32
  %sum = arith.addi %v, %z : i32
  %wide = arith.extsi %sum : i32 to i64
  tile.store_scalar %wide, %out[%o] : i64 to !tile.global<?xi64>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<int32_t> x = {1, 2, 3, 4, 5, 6};
  for (int64_t i : {int64_t(-1), int64_t(0), int64_t(1), int64_t(2), least, most})
    for (int64_t j : {int64_t(-1), int64_t(0), int64_t(2), int64_t(3), most})
      for (int64_t o : {int64_t(-1), int64_t(0), int64_t(1), int64_t(2), least}) {
        std::vector<int64_t> out = {100, 100};
        Arguments arguments;
        arguments.tensor(x.data(), {2, 3}).tensor(out.data(), {2}).scalar(i).scalar(j).scalar(o);
        kernel(arguments, 1);
        std::vector<int64_t> expected = {100, 100};
        bool there = i >= 0 && i < 2 && j >= 0 && j < 3;
        if (o == 0 || o == 1)
          expected[o] = there ? 2 * x[i * 3 + j] : -5;
        EXPECT_EQ(out, expected);
      }
}

/// Extent 0 of a dynamic dimension, and a window of rank 1 with a fixed dimension.
TEST(HostWindow, EmptyTensor) {
  HostKernel kernel(R"(
tile.kernel @k(%x: !tile.global<?x?xf32>, %out: !tile.global<8xf32>, %o: i64) {
  %c0 = arith.constant 0 : i64
  %w = tile.window %x[%o, %c0] dims = [1] : !tile.global<?x?xf32> to !tile.window<8xf32>
  %t = tile.load %w pad 2.0 : f32 : !tile.window<8xf32> to tensor<8xf32>
  %ow = tile.window %out[%c0] dims = [0] : !tile.global<8xf32> to !tile.window<8xf32>
  tile.store %t, %ow : tensor<8xf32> to !tile.window<8xf32>
  tile.return
})");
  ASSERT_TRUE(kernel);
  std::vector<float> x(16, 1), out(8, notANumber);
  for (auto [rows, columns, o] :
       {std::array<int64_t, 3>{0, 8, 0}, {2, 0, 0}, {2, 8, 2}, {2, 8, -1}}) {
    Arguments arguments;
    arguments.tensor(x.data(), {rows, columns}, {8}).tensor(out.data(), {8}).scalar(o);
    kernel(arguments, 1);
    EXPECT_EQ(out, std::vector<float>(8, 2));
  }
  Arguments arguments;
  arguments.tensor(x.data(), {2, 5}, {8}).tensor(out.data(), {8}).scalar(int64_t(1));
  kernel(arguments, 1);
  EXPECT_EQ(out, (std::vector<float>{1, 1, 1, 1, 1, 2, 2, 2}));
}

} // namespace
