//===- FarTest.cpp - tensors of more than 2^31 elements, broadcast, empty -===//
// SPDX-License-Identifier: Apache-2.0

#include "GatherReference.h"
#include "Launch.h"
#include "SparseMemory.h"

#include <algorithm>
#include <map>

using namespace tile::test;
using tile::Arg;
using tile::Device;
using tile::DType;
using tile::Stream;
using tile::Tensor;

namespace {
constexpr int64_t kLength = 64;

Stream streamOf(Device device) { return device == Device::host ? Stream::host() : Stream::cuda(); }

/// A kernel on tensors that are too large for GuardedTensor.
class FarTest : public KernelTest {
protected:
  int64_t size() const { return byteSize(variant().dtype()); }
  Tensor view(const SparseMemory &memory, std::vector<int64_t> shape,
              std::vector<int64_t> strides) {
    return Tensor(memory.data(), variant().dtype(), shape, strides, variant().device);
  }
  /// `values` at elements position, position + 1, ...
  void write(SparseMemory &memory, int64_t position, const std::vector<double> &values) {
    GuardedTensor block(variant().dtype(), {static_cast<int64_t>(values.size())});
    block.setValues(values);
    memory.write(position * size(), block);
  }
  std::vector<double> read(const SparseMemory &memory, int64_t position, int64_t count) {
    GuardedTensor block(variant().dtype(), {count});
    memory.read(position * size(), block);
    return block.values();
  }
  Tensor onDevice(GuardedTensor &tensor) {
    EXPECT_OK(tensor.upload(variant().device));
    return tensor.on(variant().device);
  }
  void launch(std::vector<Arg> args) {
    EXPECT_OK(
        tile::test::launch(*variant().info, streamOf(variant().device), args, options().seed));
    EXPECT_OK(streamOf(variant().device).synchronize());
  }
  void bring(GuardedTensor &tensor) {
    EXPECT_OK(tensor.download(variant().device));
    EXPECT_OK(tensor.check(false));
  }
};

class FarLine : public FarTest {
protected:
  /// Some near, some past 2^31 and 2^32, some nowhere; no two equal.
  static std::vector<double> places() {
    std::vector<double> result;
    for (int64_t i = 0; i < kLength; ++i) {
      const int64_t kinds[] = {3 + i,  (int64_t{1} << 31) + 300 + i, (int64_t{1} << 32) + 100 + i,
                               -1 - i, (int64_t{1} << 33) + i,       i - (int64_t{1} << 32)};
      result.push_back(static_cast<double>(kinds[i % 6]));
    }
    return result;
  }
};

TEST_P(FarLine, EveryAccess) {
  const int64_t length = (int64_t{1} << 32) + 1000;
  const int64_t here = (int64_t{1} << 32) - 20, there = (int64_t{1} << 31) + 7;
  SparseMemory x(variant().device, length * size()), z(variant().device, length * size());
  if (!x.data() || !z.data())
    GTEST_SKIP() << "no address space for " << 2 * length * size() << " bytes";
  std::vector<double> window = integers(random, kLength, -100, 100), picked(kLength, 0.0);
  write(x, here, window);
  std::vector<double> index = places();
  for (int64_t i = 0; i < kLength; ++i)
    if (index[i] >= 0 && index[i] < static_cast<double>(length))
      write(x, static_cast<int64_t>(index[i]),
            {picked[i] = static_cast<double>(pick(random, 1, 99))});
  for (int64_t start : {here, there})
    write(z, start - 1, std::vector<double>(kLength + 3, -5));

  GuardedTensor start(DType::i64, {2}), ids(DType::i64, {kLength}),
      y(variant().dtype(), {4, kLength});
  start.setValues({static_cast<double>(here), static_cast<double>(there)});
  ids.setValues(index);
  launch({view(x, {length}, {1}), onDevice(start), onDevice(ids), onDevice(y),
          view(z, {length}, {1})});
  bring(y);
  std::vector<double> found = y.values();
  auto row = [&](int64_t i) {
    return std::vector<double>(found.begin() + i * kLength, found.begin() + (i + 1) * kLength);
  };
  EXPECT_EQ(row(0), window);
  EXPECT_EQ(row(1), window);
  EXPECT_EQ(row(2), picked);
  EXPECT_EQ(found[3 * kLength], window[0]);

  std::vector<double> around = window;
  around.insert(around.begin(), -5);
  around.insert(around.end(), {-5, -5});
  EXPECT_EQ(read(z, here - 1, kLength + 3), around);
  around[kLength + 1] = window[0];
  EXPECT_EQ(read(z, there - 1, kLength + 3), around);
  for (int64_t i = 0; i < kLength; ++i)
    if (index[i] >= 0 && index[i] < static_cast<double>(length))
      EXPECT_EQ(read(z, static_cast<int64_t>(index[i]), 1).front(), window[i]) << index[i];
}

// Positions outside of a short tensor, and an empty one: pads are read, nothing is written.
TEST_P(FarLine, FarOutsideOfAShortTensor) {
  for (int64_t length : {0, 1, 200})
    for (double from : {-0x1p40, -64.0, -3.0, 0x1p31, 0x1p62}) {
      GuardedTensor x(variant().dtype(), {length}), z(variant().dtype(), {length});
      x.setValues(integers(random, length, 1, 9));
      z.setValues(std::vector<double>(length, -5));
      GuardedTensor start(DType::i64, {2}), ids(DType::i64, {kLength});
      GuardedTensor y(variant().dtype(), {4, kLength});
      start.setValues({from, from});
      ids.setValues(std::vector<double>(kLength, from));
      EXPECT_OK(run(variant(), {x, start, ids, y, z}));
      for (int64_t i = 0; i < 3 * kLength; ++i) {
        double position = i < 2 * kLength ? from + static_cast<double>(i % kLength) : from;
        bool inside = position >= 0 && position < static_cast<double>(length);
        ASSERT_EQ(y.get(i), inside ? x.get(static_cast<int64_t>(position)) : 0) << from << " " << i;
      }
    }
}
TILE_INSTANTIATE(FarLine, "far_line");

/// Two stores of one number to one place do no harm, but nothing orders them: the interpreter says
/// so.
std::vector<double> storable(std::vector<double> index) {
  for (size_t i = 0; isInterpreted() && i < index.size(); ++i)
    if (std::find(index.begin(), index.begin() + i, index[i]) != index.begin() + i)
      index[i] = -1;
  return index;
}

class FarRows : public FarTest {
protected:
  /// Picks rows of an x and writes them to the same rows of a z, whose rows are `stride` apart.
  void check(int64_t rows, int64_t stride, std::vector<double> index) {
    SCOPED_TRACE(testing::Message() << rows << " rows, " << stride << " apart");
    const int64_t count = static_cast<int64_t>(index.size());
    const int64_t elements = (rows - 1) * stride + kLength;
    SparseMemory x(variant().device, elements * size()), z(variant().device, elements * size());
    if (!x.data() || !z.data())
      GTEST_SKIP() << "no address space for " << 2 * elements * size() << " bytes";
    std::vector<double> expected;
    std::map<double, std::vector<double>> known;
    for (double row : index) {
      std::vector<double> values(kLength, 0.0);
      if (row >= 0 && row < static_cast<double>(rows)) {
        if (!known.count(row)) {
          known[row] = integers(random, kLength, -100, 100);
          write(x, static_cast<int64_t>(row) * stride, known[row]);
        }
        values = known[row];
      }
      expected.insert(expected.end(), values.begin(), values.end());
    }
    GuardedTensor ids(DType::i32, {count}), y(variant().dtype(), {2, count, kLength});
    ids.setValues(index);
    launch({view(x, {rows, kLength}, {stride, 1}), onDevice(ids), onDevice(y),
            view(z, {rows, kLength}, {stride, 1})});
    bring(y);
    expected.insert(expected.end(), expected.begin(), expected.end());
    EXPECT_EQ(y.values(), expected);
    for (const auto &[row, values] : known)
      EXPECT_EQ(read(z, static_cast<int64_t>(row) * stride, kLength), values) << "row " << row;
  }
};

TEST_P(FarRows, ByStride) { check(5, 600'000'000, storable({4, 0, 0, -1, 3, 5, 4, 1, 2})); }

TEST_P(FarRows, ByNumber) {
  const double last = (1 << 26) + 2;
  check((1 << 26) + 3, kLength, storable({last, 0, last + 1, 1 << 25, last, -7, (1 << 26) + 1, 3}));
}

// One row read as many: a stride of 0.
TEST_P(FarRows, Broadcast) {
  GuardedTensor x(variant().dtype(), {7, kLength}, {0, 1}), z(variant().dtype(), {7, kLength});
  for (int64_t i = 0; i < kLength; ++i)
    x.set(i, static_cast<double>(pick(random, -100, 100)));
  GuardedTensor rows(DType::i32, {20}), y(variant().dtype(), {2, 20, kLength});
  std::vector<double> index = storable(integers(random, 20, -1, 7)), before(7 * kLength, -5.0);
  rows.setValues(index);
  z.setValues(before);
  EXPECT_OK(run(variant(), {x, rows, y, z}));
  std::vector<double> expected = gatherRows(x.values(), kLength, index, 0);
  scatterRows(before, kLength, index, expected);
  EXPECT_EQ(z.values(), before);
  expected.insert(expected.end(), expected.begin(), expected.end());
  EXPECT_EQ(y.values(), expected);
}

TEST_P(FarRows, ZeroExtents) {
  for (auto [rowCount, count] : {std::pair<int64_t, int64_t>{0, 20}, {7, 0}, {0, 0}}) {
    GuardedTensor x(variant().dtype(), {rowCount, kLength}),
        z(variant().dtype(), {rowCount, kLength});
    x.setValues(std::vector<double>(rowCount * kLength, 1));
    z.setValues(std::vector<double>(rowCount * kLength, -5));
    GuardedTensor rows(DType::i32, {count}), y(variant().dtype(), {2, count, kLength});
    EXPECT_OK(run(variant(), {x, rows, y, z}));
    EXPECT_EQ(y.values(), std::vector<double>(2 * count * kLength, 0.0));
    EXPECT_EQ(z.values(), std::vector<double>(rowCount * kLength, -5));
  }
}
TILE_INSTANTIATE(FarRows, "far_rows");
} // namespace
