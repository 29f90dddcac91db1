//===- AttentionCase.cpp - one call of an attention kernel and its check --===//
// SPDX-License-Identifier: Apache-2.0

#include "AttentionCase.h"

#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace tile::test {

namespace {
bool is(const Variant &variant, std::string_view source) { return variant.info->source == source; }

AttentionShape makeShape(const Variant &variant, const AttentionCase &given) {
  AttentionShape shape;
  shape.batch = given.batch;
  shape.kvHeads = given.kvHeads;
  bool isGroup = is(variant, "group_forward");
  shape.heads = given.kvHeads * (isGroup ? (given.group + 1) / 2 * 2 : given.group);
  shape.listHeads = isGroup ? given.kvHeads : shape.heads;
  shape.qLen = given.qLen;
  shape.kvLen = given.kvLen;
  shape.headDim = variant.config("head_dim");
  if (is(variant, "block_sparse_forward"))
    shape.valueDim = variant.config("value_dim");
  if (shape.valueDim == 0)
    shape.valueDim = shape.headDim;
  shape.blockM = variant.config("block_m");
  shape.blockN = variant.config("block_n");
  shape.causal = variant.config("causal");
  // One more than there are blocks, and room for invalid entries.
  shape.maxBlocks = shape.kvBlocks() + (given.lists == Lists::all ? 0 : 4);
  return shape;
}

/// A tensor [batch, heads, length, dim]; rows stay multiples of 16 bytes.
GuardedTensor makeTensor(DType dtype, int64_t batch, int64_t heads, int64_t length, int64_t dim,
                         Memory memory) {
  std::vector<int64_t> shape = {batch, heads, length, dim};
  if (memory == Memory::packed)
    return GuardedTensor(dtype, shape);
  if (memory == Memory::padded)
    return GuardedTensor(dtype, shape, paddedStrides(shape, 8));
  int64_t row = std::max<int64_t>(1, heads) * dim + 16;
  return GuardedTensor(dtype, shape, {row * std::max<int64_t>(1, length), dim, row, 1});
}

/// Entries that name no block.
int32_t invalidEntry(const AttentionShape &shape, Random &random) {
  constexpr int32_t largest = std::numeric_limits<int32_t>::max();
  const int32_t entries[] = {-1,
                             -7,
                             std::numeric_limits<int32_t>::min(),
                             largest,
                             static_cast<int32_t>(shape.kvBlocks()),
                             static_cast<int32_t>(shape.kvBlocks()) + 5,
                             largest / static_cast<int32_t>(shape.blockN) + 1};
  return entries[pick(random, 0, std::size(entries) - 1)];
}

/// The entries of one list. What follows them is garbage that must not be read as a block.
std::vector<int32_t> makeList(Lists lists, const AttentionShape &shape, Random &random) {
  std::vector<int32_t> blocks(shape.kvBlocks());
  for (size_t i = 0; i < blocks.size(); ++i)
    blocks[i] = static_cast<int32_t>(i);
  if (lists == Lists::all)
    return blocks;
  std::shuffle(blocks.begin(), blocks.end(), random);
  size_t count = lists == Lists::one ? 1 : (blocks.size() + 1) / 2;
  if (lists == Lists::none || lists == Lists::onlyInvalid)
    count = 0;
  blocks.resize(std::min(blocks.size(), count));
  int invalid = lists == Lists::onlyInvalid ? 3 : lists == Lists::invalid ? 4 : 0;
  for (int i = 0; i < invalid; ++i)
    blocks.insert(blocks.begin() + pick(random, 0, static_cast<int64_t>(blocks.size())),
                  invalidEntry(shape, random));
  return blocks;
}
} // namespace

AttentionCall::AttentionCall(const Variant &variant, const AttentionCase &given, Random &random)
    : AttentionCall(variant, given, makeShape(variant, given), random) {}

AttentionCall::AttentionCall(const Variant &variant, const AttentionCase &given,
                             const AttentionShape &s, Random &random)
    : variant(variant),
      q(makeTensor(variant.dtype(), s.batch, s.heads, s.qLen, s.headDim, given.memory)),
      k(makeTensor(variant.dtype(), s.batch, s.kvHeads, s.kvLen, s.headDim, given.memory)),
      v(makeTensor(variant.dtype(), s.batch, s.kvHeads, s.kvLen, s.valueDim, given.memory)),
      blockCount(DType::i32, {s.batch, s.listHeads, s.qBlocks()}),
      blockIndex(DType::i32, {s.batch, s.listHeads, s.qBlocks(), s.maxBlocks}),
      o(makeTensor(variant.dtype(), s.batch, s.heads, s.qLen, s.valueDim, given.memory)),
      lse(DType::f32, {s.batch, s.heads, s.qLen}, paddedStrides({s.batch, s.heads, s.qLen}, 3)) {
  input.shape = s;
  scale = static_cast<float>(1 / std::sqrt(static_cast<double>(shape().headDim)));
  for (GuardedTensor *tensor : {&q, &k, &v})
    tensor->setValues(normal(random, tensor->elements()));
  fillLists(is(variant, "dense_forward") ? Lists::all : given.lists, random);
  poisonUnselected();
}

void AttentionCall::fillLists(Lists lists, Random &random) {
  for (int64_t list = 0; list < blockCount.elements(); ++list) {
    auto entries = makeList(lists, shape(), random);
    blockCount.set(list, static_cast<double>(entries.size()));
    for (int64_t i = 0; i < shape().maxBlocks; ++i) {
      bool used = i < static_cast<int64_t>(entries.size());
      int64_t garbage = pick(random, 0, std::max<int64_t>(0, shape().kvBlocks() - 1));
      blockIndex.set(list * shape().maxBlocks + i,
                     static_cast<double>(used ? entries[i] : garbage));
    }
  }
}

// A query is the sum of a few unit vectors, so that each score is a column of the keys, exactly.
void AttentionCall::climb(Random &random) {
  const double steps[] = {-100, -9, -8, -7, -5, -3, 0.5, 2.5, 3.75, 4, 5, 7.5, 8, 8.25, 9, 40, 200};
  const int64_t count = std::size(steps), dim = shape().headDim, low = dim - 1;
  const double large = variant.dtype() == DType::f16 ? 0x1p14 : 0x1p100;
  scale = static_cast<float>(std::log(2.0)); // scale * log2(e) rounds to 1
  k.setValues(normal(random, k.elements()));
  for (int64_t i = 0; i < k.elements(); ++i) {
    int64_t column = i % dim, block = i / dim % shape().kvLen / shape().blockN;
    k.set(i, column == low ? -3000 : k.get(i) + static_cast<double>(block) * steps[column % count]);
  }
  q.setValues(std::vector<double>(q.elements(), 0.0));
  const int64_t first = pick(random, 0, count - 1);
  for (int64_t row = 0; row < q.elements() / dim; ++row) {
    // The rows of one warp climb alike, those of the next one do not.
    int64_t column = (row / 16 % 2 ? row : first + row / 16) % count;
    q.set(row * dim + column, row % 7 == 6 ? large : 1);
    if (row % 5 == 4)
      q.set(row * dim + low, 1);
  }
  poisonUnselected();
}

void AttentionCall::overflowFrom(int64_t first, bool farBelow) {
  for (int64_t i = 0; i < q.elements(); ++i)
    q.set(i, std::abs(q.get(i)) + 1);
  const int64_t dim = shape().headDim;
  for (int64_t i = 0; i < k.elements(); ++i)
    if (i / dim % shape().kvLen >= first)
      k.set(i, -3e38);
    else if (farBelow)
      k.set(i, -8 * std::abs(k.get(i)));
  poisonUnselected();
}

void AttentionCall::readLists() {
  auto integerValues = [](const GuardedTensor &tensor) {
    auto values = tensor.values();
    return std::vector<int32_t>(values.begin(), values.end());
  };
  input.blockCount = integerValues(blockCount);
  input.blockIndex = integerValues(blockIndex);
}

void AttentionCall::poisonUnselected() {
  readLists();
  const AttentionShape &s = shape();
  std::vector<bool> selected(s.batch * s.kvHeads * s.kvBlocks(), false);
  for (int64_t batch = 0; batch < s.batch; ++batch)
    for (int64_t head = 0; head < s.heads; ++head)
      for (int64_t qBlock = 0; qBlock < s.qBlocks(); ++qBlock)
        for (int64_t block : selectedBlocks(input, batch, head, qBlock))
          selected[(batch * s.kvHeads + s.kvHead(head)) * s.kvBlocks() + block] = true;
  double nan = std::numeric_limits<double>::quiet_NaN();
  for (int64_t row = 0; row < s.batch * s.kvHeads * s.kvLen; ++row) {
    if (selected[row / s.kvLen * s.kvBlocks() + row % s.kvLen / s.blockN])
      continue;
    for (int64_t i = 0; i < s.headDim; ++i)
      k.set(row * s.headDim + i, nan);
    for (int64_t i = 0; i < s.valueDim; ++i)
      v.set(row * s.valueDim + i, nan);
  }
}

/// What both lists of a pair have, an even number, and what is left to each: two blocks in an
/// entry.
Status AttentionCall::runPaired() {
  readLists();
  const AttentionShape &s = shape();
  const int64_t pairs = (s.qBlocks() + 1) / 2, heads = s.batch * s.heads;
  GuardedTensor count(DType::i32, {s.batch, s.heads, pairs, 2});
  GuardedTensor index(DType::i32, {s.batch, s.heads, pairs, 2, s.maxBlocks});
  index.setValues(std::vector<double>(index.elements(), -1));
  for (int64_t pair = 0; pair < heads * pairs; ++pair) {
    std::vector<int64_t> own[2], common;
    for (int64_t i = 0; i < 2; ++i)
      if (int64_t block = pair % pairs * 2 + i; block < s.qBlocks())
        own[i] = selectedBlocks(input, pair / pairs / s.heads, pair / pairs % s.heads, block);
    for (int64_t block : std::vector(own[0]))
      if (auto there = std::find(own[1].begin(), own[1].end(), block); there != own[1].end()) {
        common.push_back(block);
        own[1].erase(there);
        own[0].erase(std::find(own[0].begin(), own[0].end(), block));
      }
    if (common.size() % 2) {
      for (auto &list : own)
        list.push_back(common.back());
      common.pop_back();
    }
    for (auto &list : own)
      list.resize(std::max(own[0].size(), own[1].size()), -1);
    count.set(pair * 2, static_cast<double>(common.size() / 2));
    count.set(pair * 2 + 1, static_cast<double>(own[0].size()));
    auto setEntry = [&](int64_t list, size_t at, int64_t first, int64_t second) {
      index.set((pair * 2 + list) * s.maxBlocks + static_cast<int64_t>(at),
                static_cast<double>(second * 65536 + (first & 0xffff)));
    };
    for (size_t i = 0; i < common.size(); i += 2)
      setEntry(0, i / 2, common[i], common[i + 1]);
    for (size_t i = 0; i < own[0].size(); ++i)
      setEntry(1, i, own[0][i], own[1][i]);
  }
  return test::run(variant, {q, k, v, count, index, o, lse, Arg::real(DType::f32, scale)});
}

Status AttentionCall::run() {
  if (is(variant, "paired_forward"))
    return runPaired();
  if (is(variant, "dense_forward"))
    return test::run(variant, {q, k, v, o, lse, Arg::real(DType::f32, scale)});
  return test::run(variant,
                   {q, k, v, blockCount, blockIndex, o, lse, Arg::real(DType::f32, scale)});
}

Status AttentionCall::runAndCheck() {
  Status status = run();
  return status.ok() ? check() : status;
}

Status AttentionCall::check() {
  input.q = q.values();
  input.k = k.values();
  input.v = v.values();
  input.scale = scale;
  return checkAttention({o.values(), lse.values()}, attention(input), variant.dtype(),
                        shape().valueDim);
}

Status AttentionCall::checkNaNInRow(int64_t row) {
  auto before = o.values(), beforeLse = lse.values();
  const int64_t dim = shape().headDim, valueDim = shape().valueDim;
  for (int64_t i = 0; i < dim; ++i)
    q.set(row * dim + i, std::numeric_limits<double>::quiet_NaN());
  if (Status status = run(); !status.ok())
    return status;
  auto wrong = [&](const GuardedTensor &now, const std::vector<double> &then, int64_t width) {
    int64_t count = 0;
    for (int64_t i = 0; i < now.elements(); ++i)
      count += i / width == row ? !std::isnan(now.get(i)) : now.get(i) != then[i];
    return count;
  };
  if (int64_t count = wrong(o, before, valueDim) + wrong(lse, beforeLse, 1))
    return Status::error("query " + std::to_string(row) + " is NaN: " + std::to_string(count) +
                         " elements differ");
  return {};
}

std::string describe(const AttentionCase &given) {
  return "batch " + std::to_string(given.batch) + ", kv_heads " + std::to_string(given.kvHeads) +
         ", group " + std::to_string(given.group) + ", q_len " + std::to_string(given.qLen) +
         ", kv_len " + std::to_string(given.kvLen) + ", lists " +
         std::to_string(static_cast<int>(given.lists)) + ", memory " +
         std::to_string(static_cast<int>(given.memory));
}

} // namespace tile::test
