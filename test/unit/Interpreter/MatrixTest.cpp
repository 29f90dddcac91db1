//===- MatrixTest.cpp - models of mma, ldmatrix, stmatrix -----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "SmallKernel.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

using namespace tilec::test;
using ::tile::DType;

namespace {

/// The address of a lane's `bytes` bytes of tensor `name`, as `%name_at`.
std::string laneAddress(const std::string &name, int64_t bytes) {
  std::string text = with(R"(%@_lane = sm.lane_id
%@_wide = arith.extui %@_lane : i32 to i64
%@_size = arith.constant $bytes : i64
%@_offset = arith.muli %@_wide, %@_size : i64
%@_at = arith.addi %@, %@_offset : i64
)",
                          {{"bytes", bytes}});
  for (size_t at; (at = text.find("%@")) != std::string::npos;)
    text.replace(at, 2, "%" + name);
  return text;
}

std::string loadWords(const std::string &name, int64_t count) {
  return laneAddress(name, 4 * count) + "%" + name + "_words = sm.load_global %" + name +
         with("_at : vector<$nxi32>\n", {{"n", count}});
}

void expectMma(DType dtype, const std::string &type, DType dtypeB, const std::string &typeB = "") {
  int64_t k = 32 / ::tile::byteSize(dtype), perWord = 4 / ::tile::byteSize(dtype);
  HostTensor a = randomTensor(dtype, {32, 4 * perWord}, 1);
  HostTensor b = randomTensor(dtypeB, {32, 2 * perWord}, 2);
  HostTensor c = randomTensor(DType::f32, {32, 4}, 3), d(DType::f32, {32, 4});
  SmallKernel kernel(1);
  kernel.tensor("a", a).tensor("b", b).tensor("c", c).tensor("d", d, /*output=*/true);
  kernel.body(loadWords("a", 4) + loadWords("b", 2) + laneAddress("c", 16) + laneAddress("d", 16));
  kernel.body("%acc = sm.load_global %c_at : vector<4xf32>\n"
              "%r = sm.mma %a_words, %b_words, %acc {type = " +
              type + typeB + "}\nsm.store_global %r, %d_at : vector<4xf32>");
  ASSERT_EQ(kernel.run(), "");
  // Register r, half h of lane l, as the PTX ISA lists the fragments.
  auto left = [&](int64_t row, int64_t at) {
    int64_t lane = row % 8 * 4 + at % (k / 2) / perWord;
    return a.at(lane * 4 * perWord + (row / 8 + 2 * (at / (k / 2))) * perWord + at % perWord);
  };
  auto right = [&](int64_t at, int64_t column) {
    int64_t lane = column * 4 + at % (k / 2) / perWord;
    return b.at(lane * 2 * perWord + at / (k / 2) * perWord + at % perWord);
  };
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t reg = 0; reg < 4; ++reg) {
      int64_t row = lane / 4 + 8 * (reg / 2), column = 2 * (lane % 4) + reg % 2;
      double sum = c.at(lane * 4 + reg);
      for (int64_t at = 0; at < k; ++at)
        sum += left(row, at) * right(at, column);
      EXPECT_NEAR(d.at(lane * 4 + reg), sum, 1e-4 * (1 + std::abs(sum)));
    }
}

TEST(Mma, AgreesWithThePlainProduct) {
  expectMma(DType::bf16, "bf16", DType::bf16);
  expectMma(DType::f16, "f16", DType::f16);
  expectMma(DType::e4m3, "f8E4M3FN", DType::e4m3);
  expectMma(DType::e5m2, "f8E5M2", DType::e5m2);
  expectMma(DType::e4m3, "f8E4M3FN", DType::e5m2, ", type_b = f8E5M2");
  expectMma(DType::e5m2, "f8E5M2", DType::e4m3, ", type_b = f8E4M3FN");
}

/// Element (row, column) of matrix i is 64 i + 8 row + column; rows lie one after the other.
HostTensor numberedMatrices(int64_t count) {
  HostTensor result(DType::i16, {64 * count});
  for (int64_t i = 0; i < result.count(); ++i)
    result.set(i, static_cast<double>(i));
  return result;
}

constexpr const char *rowAddress = R"(%l = sm.lane_id
%row = arith.constant 16 : i32
%count = arith.constant $lanes : i32
%used = arith.remui %l, %count : i32
%start = arith.muli %used, %row : i32
%shared = sm.shared_base
%address = arith.addi %shared, %start : i32
)";

class Ldmatrix : public testing::TestWithParam<std::tuple<int64_t, bool>> {};

int64_t elementOf(int64_t lane, int64_t half, bool transpose) {
  int64_t row = lane / 4, column = 2 * (lane % 4) + half;
  return transpose ? 8 * column + row : 8 * row + column;
}

TEST_P(Ldmatrix, Loads) {
  auto [count, transpose] = GetParam();
  HostTensor in = numberedMatrices(count), out(DType::i16, {32, 2 * count});
  SmallKernel kernel(1, 128 * count);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true).toShared("in", 32 * count);
  kernel.body("sm.barrier\n" + with(rowAddress, {{"lanes", 8 * count}}) +
              laneAddress("out", 4 * count));
  kernel.body(with(std::string("%r = sm.ldmatrix %address ") + (transpose ? "{transpose}" : "") +
                       " : vector<$nxi32>\nsm.store_global %r, %out_at : vector<$nxi32>",
                   {{"n", count}}));
  ASSERT_EQ(kernel.run(), "");
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < 2 * count; ++i)
      EXPECT_EQ(out.at(lane * 2 * count + i), 64 * (i / 2) + elementOf(lane, i % 2, transpose));
}

TEST_P(Ldmatrix, IsStmatrixBackwards) {
  auto [count, transpose] = GetParam();
  HostTensor in(DType::i16, {32, 2 * count}), out(DType::i16, {64 * count});
  for (int64_t i = 0; i < in.count(); ++i)
    in.set(i, static_cast<double>(i));
  SmallKernel kernel(1, 128 * count);
  kernel.tensor("in", in).tensor("out", out, /*output=*/true);
  kernel.body(loadWords("in", count) + with(rowAddress, {{"lanes", 8 * count}}));
  kernel.body(with(std::string("sm.stmatrix %in_words, %address ") +
                       (transpose ? "{transpose}" : "") + " : vector<$nxi32>\nsm.barrier",
                   {{"n", count}}));
  kernel.fromShared("out", 32 * count);
  ASSERT_EQ(kernel.run(), "");
  for (int64_t lane = 0; lane < 32; ++lane)
    for (int64_t i = 0; i < 2 * count; ++i)
      EXPECT_EQ(out.at(64 * (i / 2) + elementOf(lane, i % 2, transpose)), lane * 2 * count + i);
}

INSTANTIATE_TEST_SUITE_P(Models, Ldmatrix,
                         testing::Combine(testing::Values(1, 2, 4), testing::Bool()));

} // namespace
