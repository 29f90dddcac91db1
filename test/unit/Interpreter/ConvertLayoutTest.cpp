//===- ConvertLayoutTest.cpp - tiles from one layout to another -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Layouts whose elements stay in their four lanes, at random: which bits of the coordinates are in
// the register and which in the lane, in any order, with and without copies.
//===----------------------------------------------------------------------===//
#include "KernelRun.h"

#include "tilec/Conversion/TileToSM.h"

#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

#include <algorithm>

using namespace tilec::test;
using ::tile::DType;

namespace {
/// Of a tile of 16 x 32: eight rows in the upper lanes, and the other six bits anywhere.
std::string anyLayout(std::mt19937 &random) {
  std::vector<std::string> bits = {"[0, 1]", "[0, 2]", "[0, 4]", "[0, 8]", "[0, 16]", "[8, 0]"};
  std::shuffle(bits.begin(), bits.end(), random);
  std::vector<std::string> lanes;
  for (int i = 0; i < 2; ++i) {
    lanes.push_back(random() % 4 == 0 ? "[0, 0]" : bits.back());
    if (lanes.back() != "[0, 0]")
      bits.pop_back();
  }
  // An atom's registers count upwards along each axis, as loads and stores want them.
  std::string reg;
  for (const std::string &bit : bits)
    reg += (reg.empty() ? "" : ", ") + bit;
  return "#tile.frag<reg = [" + reg + "], lane = [" + lanes[0] + ", " + lanes[1] +
         ", [1, 0], [2, 0], [4, 0]], warp = [], repeat = [], warps = []>";
}

/// y = x, by way of both layouts.
std::string kernelText(const std::string &type, DType dtype, const std::string &from,
                       const std::string &to) {
  auto param = [&](const char *name, const char *access) {
    return std::string("{name = \"") + name + "\", kind = \"tensor\", access = \"" + access +
           "\", dtype = \"" + ::tile::name(dtype) + "\", extents = [\"16\", \"32\"]}";
  };
  std::string global = "!tile.global<16x32x" + type + ">",
              window = "!tile.window<16x32x" + type + ">";
  auto tensor = [&](const char *layout) { return "tensor<16x32x" + type + ", " + layout + ">"; };
  return "#from = " + from + "\n#to = " + to + "\ntile.kernel @k(%x: " + global +
         ", %y: " + global +
         ") attributes {tile.num_warps = 1 : i64, tile.shared_bytes = 0 : i64, tile.launch = {dims "
         "= [], "
         "facts = [], grid = [\"1\"], params = [" +
         param("x", "in") + ", " + param("y", "out") +
         "], source = \"k\"}} {\n%z = arith.constant 0 : i64\n%v = tile.window %x[%z, %z] dims = "
         "[0, 1] : " +
         global + " to " + window + "\n%w = tile.window %y[%z, %z] dims = [0, 1] : " + global +
         " to " + window + "\n%a = tile.load %v : " + window + " to " + tensor("#from") +
         "\n%b = tile.convert_layout %a : " + tensor("#from") + " to " + tensor("#to") +
         "\ntile.store %b, %w : " + tensor("#to") + " to " + window + "\ntile.return\n}\n";
}

void check(const std::string &type, DType dtype, std::mt19937 &random) {
  std::string text = kernelText(type, dtype, anyLayout(random), anyLayout(random));
  SCOPED_TRACE(text);
  LibraryKernel kernel(text);
  ASSERT_TRUE(kernel.module());
  mlir::PassManager passes(kernel.module()->getContext());
  passes.addPass(tilec::createConvertTileToSMPass());
  ASSERT_TRUE(succeeded(passes.run(kernel.module())));
  HostTensor x(dtype, {16, 32}), y(dtype, {16, 32});
  for (int64_t i = 0; i < x.count(); ++i)
    x.set(i, static_cast<double>(random() % 2 ? random() % 100 : i % 100));
  ASSERT_EQ(kernel.run({x.view(), y.view()}), "");
  EXPECT_EQ(y.values(), x.values());
}

TEST(ConvertLayout, WithinFourLanes) {
  std::mt19937 random(11);
  const std::pair<const char *, DType> types[] = {
      {"f32", DType::f32}, {"i64", DType::i64},       {"bf16", DType::bf16}, {"i16", DType::i16},
      {"i8", DType::i8},   {"f8E4M3FN", DType::e4m3}, {"i1", DType::i1}};
  for (auto [type, dtype] : types)
    for (int i = 0; i < 12; ++i)
      check(type, dtype, random);
}
} // namespace
