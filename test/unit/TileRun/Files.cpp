//===- Files.cpp - .npy files and comparisons -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Compare.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

using namespace tile;
using namespace tilerun;

namespace {
std::string path(const std::string &name) { return testing::TempDir() + name; }

void writeText(const std::string &file, const std::string &text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// A version 1 file with this header and so many bytes of zeros.
std::string npyText(const std::string &header, size_t bytes) {
  std::string text = "\x93NUMPY";
  text += std::string("\1\0", 2);
  text += static_cast<char>(header.size());
  text += '\0';
  return text + header + std::string(bytes, '\0');
}

template <class T> std::vector<char> bytesOf(std::vector<T> values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}
} // namespace

TEST(Npy, RoundTrip) {
  NpyArray array{"<f4", {2, 3}, bytesOf<float>({1, 2, 3, 4, 5, 6})};
  ASSERT_TRUE(writeNpy(path("a.npy"), array).ok());
  Result<NpyArray> read = readNpy(path("a.npy"));
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(read->descr, array.descr);
  EXPECT_EQ(read->shape, array.shape);
  EXPECT_EQ(read->data, array.data);
}

TEST(Npy, ElementsStartAtAMultipleOf64) {
  ASSERT_TRUE(writeNpy(path("s.npy"), {"<i4", {}, std::vector<char>(4)}).ok());
  std::ifstream file(path("s.npy"), std::ios::binary | std::ios::ate);
  EXPECT_EQ((static_cast<int64_t>(file.tellg()) - 4) % 64, 0);
  EXPECT_TRUE(readNpy(path("s.npy"))->shape.empty());
}

TEST(Npy, Faults) {
  std::string file = path("bad.npy");
  EXPECT_EQ(readNpy(path("absent.npy")).message(), "cannot open '" + path("absent.npy") + "'");
  writeText(file, "a text that is long enough");
  EXPECT_EQ(readNpy(file).message(), "'" + file + "' is not an .npy file");
  writeText(file, npyText("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }", 4));
  EXPECT_NE(readNpy(file).message().find("expected little-endian numbers"), std::string::npos);
  writeText(file, npyText("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", 4));
  EXPECT_NE(readNpy(file).message().find("found Fortran order"), std::string::npos);
  writeText(file, npyText("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 4));
  EXPECT_EQ(readNpy(file).message(), "'" + file + "': expected the elements of [3], found 4 bytes");
  writeText(file, npyText("{'descr': '<f4'", 0).substr(0, 12));
  EXPECT_EQ(readNpy(file).message(), "'" + file + "' ends within its header");
}

TEST(Npy, Conversions) {
  NpyArray floats{"<f4", {2}, bytesOf<float>({1, -2})};
  EXPECT_EQ(*convertNpy(floats, DType::bf16), bytesOf<uint16_t>({0x3f80, 0xc000}));
  NpyArray doubles{"<f8", {1}, bytesOf<double>({0.5})};
  EXPECT_EQ(*convertNpy(doubles, DType::f32), bytesOf<float>({0.5f}));
  NpyArray bits{"<u2", {1}, bytesOf<uint16_t>({0x3f80})};
  EXPECT_EQ(*convertNpy(bits, DType::bf16), bits.data);
  EXPECT_EQ(convertNpy(bits, DType::f16).message(),
            "expected elements of type <f2 for f16, found <u2");
  EXPECT_EQ(convertNpy(floats, DType::i32).message(),
            "expected elements of type <i4 for i32, found <f4");
}

TEST(Compare, CountsAndNamesTheFirst) {
  float inf = INFINITY;
  ASSERT_TRUE(writeNpy(path("e.npy"), {"<f4", {2, 2}, bytesOf<float>({1, NAN, -inf, 4})}).ok());
  HostArray found{DType::f32, {2, 2}, bytesOf<float>({1, NAN, -inf, 4})};
  ExpectSpec spec{path("e.npy"), 0.1, 0.0};
  EXPECT_TRUE(compare(found, spec)->ok());
  found.data = bytesOf<float>({1.05f, 2, inf, 5});
  Result<Comparison> comparison = compare(found, spec);
  ASSERT_TRUE(comparison.ok());
  EXPECT_EQ(comparison->mismatches, 3);
  EXPECT_EQ(comparison->first, "[0, 1]: expected nan, found 2");
  EXPECT_EQ(comparison->worstAbsolute, 1);
  Summary summary = summarize(found);
  EXPECT_EQ(summary.infinities, 1);
  EXPECT_EQ(summary.largest, 5);
}

TEST(Compare, ShapeMustAgree) {
  ASSERT_TRUE(writeNpy(path("w.npy"), {"<f4", {4}, std::vector<char>(16)}).ok());
  HostArray found{DType::f32, {2, 2}, std::vector<char>(16)};
  EXPECT_EQ(compare(found, {path("w.npy"), {}, {}}).message(),
            "'" + path("w.npy") + "': expected the output's shape [2, 2], found [4]");
}
