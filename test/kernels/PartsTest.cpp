//===- PartsTest.cpp - indices and elements of parts of shared tiles ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Harness.h"

#include <algorithm>
#include <numeric>

using namespace tile::test;
using tile::Arg;
using tile::DType;

namespace {
GuardedTensor tensorOf(DType dtype, std::vector<int64_t> shape, const std::vector<double> &values) {
  GuardedTensor tensor(dtype, shape);
  tensor.setValues(values);
  return tensor;
}

Arg number(int64_t value) { return Arg::integer(DType::i32, value); }

/// Positions around [0, count): each of those once in any order, then what is not there.
std::vector<double> places(Random &random, int64_t size, int64_t count) {
  std::vector<double> list(count);
  std::iota(list.begin(), list.end(), 0.0);
  std::shuffle(list.begin(), list.end(), random);
  list.resize(size, -1);
  for (int64_t i = count; i < size; ++i)
    list[i] = std::vector<double>{-1, double(count), -1e9, 1e9}[pick(random, 0, 3)];
  std::shuffle(list.begin(), list.end(), random);
  return list;
}

class GatherPart : public KernelTest {
protected:
  void check(int64_t row, int64_t column);
};

void GatherPart::check(int64_t row, int64_t column) {
  DType dtype = variant().dtype();
  const int64_t cols = variant().config("cols"), start = column * variant().config("unit");
  auto x = tensorOf(dtype, {40, cols}, integers(random, 40 * cols, -90, 90));
  auto from = tensorOf(DType::i32, {24}, integers(random, 24, -2, 21));
  auto across = tensorOf(DType::i32, {20, 16}, integers(random, 20 * 16, -2, 17));
  auto to = tensorOf(DType::i64, {24}, places(random, 24, 20));
  auto rows = tensorOf(dtype, {50, 16}, integers(random, 50 * 16, -90, 90));
  auto which = tensorOf(DType::i32, {10}, integers(random, 10, -3, 52));
  GuardedTensor y(dtype, {24, 16}), e(dtype, {20, 16}), z(dtype, {40, cols});
  EXPECT_OK(
      run(variant(), {x, from, across, to, rows, which, y, e, z, number(row), number(column)}));

  auto s = x.values();
  auto at = [&](int64_t i, int64_t j) -> double & { return s[(row + i) * cols + start + j]; };
  std::vector<double> picked(24 * 16, -7), elements(20 * 16, -7);
  for (int64_t i = 0; i < 24 * 16; ++i)
    if (auto p = static_cast<int64_t>(from.get(i / 16)); p >= 0 && p < 20)
      picked[i] = at(p, i % 16);
  for (int64_t i = 0; i < 20 * 16; ++i)
    if (auto j = static_cast<int64_t>(across.get(i)); j >= 0 && j < 16)
      elements[i] = at(i / 16, j);
  for (int64_t i = 0; i < 24 * 16; ++i)
    if (auto p = static_cast<int64_t>(to.get(i / 16)); p >= 0 && p < 20 && p != 3)
      at(p, i % 16) = picked[i];
  for (int64_t i = 0; i < 10 * 16; ++i) {
    auto r = static_cast<int64_t>(which.get(i / 16));
    at(5 + i / 16, i % 16) = r >= 0 && r < 50 ? rows.get(r * 16 + i % 16) : 0;
  }
  EXPECT_EQ(y.values(), picked);
  EXPECT_EQ(e.values(), elements);
  EXPECT_EQ(z.values(), s);
}

TEST_P(GatherPart, WhereverItStarts) {
  const int64_t last = (variant().config("cols") - 16) / variant().config("unit");
  for (int64_t row : {0, 7, 20})
    for (int64_t column : {int64_t(0), std::min<int64_t>(last, 3), last}) {
      SCOPED_TRACE("row " + std::to_string(row) + ", column " + std::to_string(column));
      check(row, column);
    }
}
TILE_INSTANTIATE(GatherPart, "gather_part");

class AtomicPart : public KernelTest {};

TEST_P(AtomicPart, WhereverItStarts) {
  for (auto [row, column] : {std::pair(0, 0), std::pair(5, 3), std::pair(14, 24)}) {
    SCOPED_TRACE("row " + std::to_string(row) + ", column " + std::to_string(column));
    auto x = tensorOf(DType::i32, {3, 24, 40}, integers(random, 3 * 24 * 40, -99, 99));
    auto add = tensorOf(DType::i32, {3, 10, 16}, integers(random, 3 * 10 * 16, -99, 99));
    auto most = tensorOf(DType::i32, {3, 12, 16}, integers(random, 3 * 12 * 16, -99, 99));
    auto place = tensorOf(DType::i32, {12}, integers(random, 12, -2, 11)); // some of them twice
    GuardedTensor old(DType::i32, {3, 10, 16}), one(DType::i32, {2});
    auto s = x.values();
    EXPECT_OK(run(variant(), {x, add, most, place, old, one, number(row), number(column)}));

    auto at = [&, row = row, column = column](int64_t b, int64_t i, int64_t j) -> double & {
      return s[(b * 24 + row + i) * 40 + column + j];
    };
    std::vector<double> before;
    for (int64_t i = 0; i < 3 * 10 * 16; ++i) {
      double &element = at(i / 160, i / 16 % 10, i % 16);
      before.push_back(element);
      element += add.get(i);
    }
    for (int64_t i = 0; i < 3 * 12 * 16; ++i)
      if (auto p = static_cast<int64_t>(place.get(i / 16 % 12)); p >= 0 && p < 10 && p != 3)
        at(i / 192, p, i % 16) = std::max(at(i / 192, p, i % 16), most.get(i));
    double last = at(2, 9, 15);
    at(2, 9, 15) += 5;
    at(1, 4, 3) = at(1, 2, 3) + 1000;
    EXPECT_EQ(old.values(), before);
    EXPECT_EQ(one.values(), (std::vector<double>{last, at(1, 4, 3)}));
    EXPECT_EQ(x.values(), s);
  }
}
TILE_INSTANTIATE(AtomicPart, "atomic_part");

class PartWindow : public KernelTest {
protected:
  void check(const std::vector<int64_t> &starts, int64_t limit);
};

void PartWindow::check(const std::vector<int64_t> &starts, int64_t limit) {
  const int64_t rows = 64, cols = variant().config("cols"), lengths[] = {12, 20, 8};
  auto x = tensorOf(DType::f32, {rows, cols}, integers(random, rows * cols, 1, 99));
  auto z = tensorOf(DType::f32, {rows, cols}, integers(random, rows * cols, 1, 99));
  auto start = tensorOf(DType::i64, {3}, {starts.begin(), starts.end()});
  GuardedTensor p(DType::i32, {40}), v(DType::i32, {40}), y(DType::f32, {40, cols}),
      b(DType::f32, {2, 12, cols});
  std::vector<double> position, valid, copied, written = z.values(), matrices;
  auto add = [&](std::vector<double> &to, int64_t row, int64_t end, double pad) {
    bool there = row >= 0 && row < std::min(end, rows);
    for (int64_t j = 0; j < cols; ++j)
      to.push_back(there ? x.get(row * cols + j) : pad);
  };
  for (int part = 0; part < 3; ++part)
    for (int64_t i = 0; i < lengths[part]; ++i) {
      int64_t row = starts[part] + i;
      position.push_back(
          double(std::clamp<int64_t>(starts[part], INT32_MIN, INT32_MAX - lengths[part] + 1) + i));
      valid.push_back(row >= 0 && row < limit);
      add(copied, row, limit, -7);
      for (int64_t j = 0; row >= 0 && row < std::min(limit, rows) && j < cols; ++j)
        written[row * cols + j] = -x.get(row * cols + j);
    }
  for (int part : {1, 0})
    for (int64_t i = 0; i < 12; ++i)
      add(matrices, starts[part] + i, rows, 0);
  EXPECT_OK(run(variant(), {x, start, p, v, y, z, b, number(limit)}));
  EXPECT_EQ(p.values(), position);
  EXPECT_EQ(v.values(), valid);
  EXPECT_EQ(y.values(), copied);
  EXPECT_EQ(z.values(), written);
  EXPECT_EQ(b.values(), matrices);
}

TEST_P(PartWindow, WhereverTheyStart) {
  const int64_t least = INT32_MIN, most = INT32_MAX, far = int64_t(1) << 62;
  check({0, 12, 32}, 64);
  check({50, 20, 3}, 57);  // ends in the first part
  check({-5, 30, 60}, 64); // begins before the tensor, ends behind it
  check({most - 11, least, most - 7}, most);
  check({most, least + 3, most - 3}, most);
  check({-far, far, 7}, 9);
  check({40, -30, 0}, 0);
}
TILE_INSTANTIATE(PartWindow, "part_window");
} // namespace
