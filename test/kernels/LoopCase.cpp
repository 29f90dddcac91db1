//===- LoopCase.cpp - calls of pipelined loops and what they compute ------===//
// SPDX-License-Identifier: Apache-2.0

#include "LoopCase.h"

#include "Compare.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tile::test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int64_t rowsBehind = 37;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double rounded(DType dtype, double value) {
  char bytes[8] = {};
  writeElement(dtype, bytes, value);
  return readElement(dtype, bytes);
}

double dot(const double *a, const double *b, int64_t count) {
  return std::inner_product(a, a + count, b, 0.0);
}

/// Rows with a single 1.
std::vector<double> units(Random &random, int64_t rows, int64_t cols) {
  std::vector<double> values(rows * cols, 0.0);
  for (int64_t row = 0; row < rows; ++row)
    values[row * cols + pick(random, 0, cols - 1)] = 1;
  return values;
}
} // namespace

LoopCase::LoopCase(std::string name, LoopShape given, Random &random, Values kind)
    : kernel(std::move(name)), shape(given), kind(kind) {
  // scale * log2(e) rounds to 1.
  scale = static_cast<float>(kind != Values::random ? std::log(2.0) : 1 / std::sqrt(given.headDim));
  if (is("scaled_attention"))
    shape.kvLen = (shape.kvLen + 3) / 4 * 4;
  selectBlocks(random);
  addMatrices(random);
  if (is("query_gradient"))
    addGradients(random);
  else
    addSelection(random);
}

const std::vector<double> &LoopCase::add(DType dtype, std::vector<int64_t> extents,
                                         std::vector<double> values) {
  for (double &value : values)
    value = rounded(dtype, value);
  if (isLibrary())
    extents.insert(extents.begin(), 1);
  tensors.push_back({dtype, std::move(extents), false, std::move(values)});
  return tensors.back().values;
}

void LoopCase::addOutput(DType dtype, std::vector<int64_t> extents) {
  if (isLibrary())
    extents.insert(extents.begin(), 1);
  tensors.push_back({dtype, std::move(extents), true});
}

void LoopCase::selectBlocks(Random &random) {
  std::vector<int64_t> all(shape.kvBlocks());
  std::iota(all.begin(), all.end(), 0);
  int64_t most = shape.trips < 0 ? shape.kvBlocks() : std::min(shape.trips, shape.kvBlocks());
  for (int64_t list = 0; list < shape.heads * shape.qBlocks(); ++list) {
    std::shuffle(all.begin(), all.end(), random);
    int64_t count = list == 0 ? most : pick(random, 0, most);
    lists.emplace_back(all.begin(), all.begin() + count);
  }
}

void LoopCase::addMatrices(Random &random) {
  int64_t keys = shape.heads * shape.kvLen, dim = shape.headDim;
  bool exact = kind == Values::exact;
  if (exact && is("capped_attention"))
    q.assign(shape.heads * shape.qLen * dim, 0.0);
  else
    q = kind != Values::random ? units(random, shape.heads * shape.qLen, dim)
                               : normal(random, shape.heads * shape.qLen * dim);
  k = exact ? integers(random, keys * dim, -3, 3) : normal(random, keys * dim);
  for (int64_t i = 0; kind == Values::climbing && i < keys * dim; ++i)
    k[i] += static_cast<double>(i / dim % shape.kvLen / shape.blockN * (i % dim % 33 - 16));
  v = exact ? integers(random, keys * dim, -3, 3) : normal(random, keys * dim);
  for (int64_t row = 0; hasLists() && row < keys; ++row) {
    int64_t head = row / shape.kvLen, block = row % shape.kvLen / shape.blockN;
    bool selected = false;
    for (int64_t list = head * shape.qBlocks(); list < (head + 1) * shape.qBlocks(); ++list)
      selected |= std::count(lists[list].begin(), lists[list].end(), block) != 0;
    if (!selected)
      for (auto *matrix : {&k, &v})
        std::fill_n(matrix->begin() + row * dim, dim, nan);
  }
  std::vector<int64_t> keyShape = {shape.heads, shape.kvLen, dim};
  if (is("table_attention")) { // the first operand
    rowOf.resize(shape.kvLen);
    std::iota(rowOf.begin(), rowOf.end(), 0);
    std::shuffle(rowOf.begin(), rowOf.end(), random);
    add(DType::i32, {shape.kvLen}, {rowOf.begin(), rowOf.end()});
  }
  q = add(DType::bf16, {shape.heads, shape.qLen, dim}, q);
  for (auto *matrix : {&k, &v}) {
    for (double &value : *matrix)
      value = rounded(DType::bf16, value);
    if (!isPaged()) {
      keyShape[1] = shape.kvLen + (isShort() ? rowsBehind : 0);
      add(DType::bf16, keyShape, inRows(*matrix));
      continue;
    }
    if (pageOf.empty()) { // more pages than are used, in any order
      pageOf.resize((shape.kvBlocks() * shape.blockN + pageRows() - 1) / pageRows() + 2);
      std::iota(pageOf.begin(), pageOf.end(), 0);
      std::shuffle(pageOf.begin(), pageOf.end(), random);
    }
    add(DType::bf16, {static_cast<int64_t>(pageOf.size()), shape.heads, pageRows(), dim},
        inPages(*matrix));
  }
}

/// As the table says, if there is one; with rows of NaN behind each head's, if nobody may read
/// there.
std::vector<double> LoopCase::inRows(const std::vector<double> &rows) const {
  if (isShort()) {
    std::vector<double> longer;
    for (int64_t head = 0, size = shape.kvLen * shape.headDim; head < shape.heads; ++head) {
      longer.insert(longer.end(), rows.begin() + head * size, rows.begin() + (head + 1) * size);
      longer.resize(longer.size() + rowsBehind * shape.headDim, nan);
    }
    return longer;
  }
  std::vector<double> result(rows);
  int64_t dim = shape.headDim, count = static_cast<int64_t>(rowOf.size());
  for (int64_t row = 0; row < shape.heads * count; ++row)
    std::copy_n(rows.begin() + row * dim, dim,
                result.begin() + (row / count * count + rowOf[row % count]) * dim);
  return result;
}

/// All tokens of the listed blocks in any order, with entries of none between them as far as the
/// trips allow; behind the count there are others.
void LoopCase::addTokens(Random &random) {
  int64_t most = ((shape.kvBlocks() + 2) * shape.blockN + 3) / 4 * 4;
  std::vector<double> counts, tokens;
  for (const auto &list : lists) {
    std::vector<double> entries;
    for (int64_t block : list)
      for (int64_t at = block * shape.blockN;
           at < std::min(shape.kvLen, (block + 1) * shape.blockN); ++at)
        entries.push_back(static_cast<double>(at));
    int64_t room = (static_cast<int64_t>(list.size()) + (shape.trips < 0)) * shape.blockN -
                   static_cast<int64_t>(entries.size());
    entries.insert(entries.end(), pick(random, 0, room), -1.0);
    std::shuffle(entries.begin(), entries.end(), random);
    counts.push_back(static_cast<double>(entries.size()));
    while (static_cast<int64_t>(entries.size()) < most)
      entries.push_back(
          static_cast<double>(pick(random, -1, std::max<int64_t>(0, shape.kvLen - 1))));
    tokens.insert(tokens.end(), entries.begin(), entries.end());
  }
  add(DType::i32, {shape.heads, shape.qBlocks()}, counts);
  add(DType::i32, {shape.heads, shape.qBlocks(), most}, tokens);
}

/// Rows behind the sequence's end are finite; they share a page with keys.
std::vector<double> LoopCase::inPages(const std::vector<double> &rows) const {
  int64_t dim = shape.headDim, page = pageRows();
  std::vector<double> result(pageOf.size() * shape.heads * page * dim, 1.0);
  for (int64_t row = 0; row < shape.heads * shape.kvLen; ++row) {
    int64_t head = row / shape.kvLen, key = row % shape.kvLen;
    int64_t to = (pageOf[key / page] * shape.heads + head) * page + key % page;
    std::copy_n(rows.begin() + row * dim, dim, result.begin() + to * dim);
  }
  return result;
}

void LoopCase::addSelection(Random &random) {
  std::vector<int64_t> perBlock = {shape.heads, shape.qBlocks()};
  if (is("scaled_attention"))
    keyScale = add(DType::f32, {shape.heads, shape.kvLen},
                   kind == Values::exact ? integers(random, shape.heads * shape.kvLen, 1, 2)
                                         : normal(random, shape.heads * shape.kvLen));
  if (isPaged())
    add(DType::i32, {static_cast<int64_t>(pageOf.size())}, {pageOf.begin(), pageOf.end()});
  if (is("guarded_attention")) {
    int64_t words = (shape.kvBlocks() + 31) / 32;
    std::vector<double> bits;
    for (const auto &list : lists) {
      std::vector<uint32_t> packed(words);
      for (int64_t block : list)
        packed[block / 32] |= 1u << (block % 32);
      for (uint32_t word : packed)
        bits.push_back(static_cast<int32_t>(word));
    }
    add(DType::i32, {shape.heads, shape.qBlocks(), words}, bits);
  } else if (hasTokens()) {
    addTokens(random);
  } else if (hasLists()) {
    // Pages of entries that name no block would have to be masked by the author.
    bool invalid = !isPaged() && shape.trips < 0;
    int64_t most = shape.kvBlocks() + (isPairs() ? 4 : 2);
    std::vector<double> counts, blocks;
    for (const auto &list : lists) {
      std::vector<double> entries(list.begin(), list.end());
      if (invalid)
        entries.insert(entries.begin() + pick(random, 0, static_cast<int64_t>(list.size())),
                       {-1.0, static_cast<double>(shape.kvBlocks())});
      counts.push_back(static_cast<double>(entries.size()));
      entries.resize(most, isPairs() ? -1.0 : 0.0);
      blocks.insert(blocks.end(), entries.begin(), entries.end());
    }
    add(DType::i32, perBlock, counts);
    add(DType::i32, {shape.heads, shape.qBlocks(), most}, blocks);
  }
  addOutput(DType::bf16, {shape.heads, shape.qLen, shape.headDim});
  addOutput(DType::f32, {shape.heads, shape.qLen});
  numbers = {Arg::real(DType::f32, scale)};
  if (is("capped_attention"))
    numbers.push_back(Arg::real(DType::f32, cap));
  if (isPaged() || isShort())
    numbers.push_back(Arg::integer(DType::i32, shape.kvLen));
  if (is("sink_attention"))
    numbers.insert(numbers.end(),
                   {Arg::integer(DType::i32, shape.window), Arg::integer(DType::i32, shape.sink)});
}

void LoopCase::addGradients(Random &random) {
  int64_t rows = shape.heads * shape.qLen, dim = shape.headDim;
  bool exact = kind == Values::exact;
  grad = add(DType::bf16, {shape.heads, shape.qLen, dim},
             exact ? units(random, rows, dim) : normal(random, rows * dim));
  lse.assign(rows, 0.0);
  delta = integers(random, rows, -2, 2);
  for (int64_t row = 0; !exact && row < rows; ++row) {
    std::vector<double> o, size;
    lse[row] = forward(row / shape.qLen, row % shape.qLen, o, size);
    if (std::isinf(lse[row]))
      lse[row] = 0;
    delta[row] = dot(o.data(), grad.data() + row * dim, dim);
  }
  lse = add(DType::f32, {shape.heads, shape.qLen}, lse);
  delta = add(DType::f32, {shape.heads, shape.qLen}, delta);
  addOutput(DType::bf16, {shape.heads, shape.qLen, dim});
  numbers = {Arg::real(DType::f32, scale)};
}

bool LoopCase::sees(int64_t head, int64_t query, int64_t key) const {
  int64_t place = query + shape.kvLen - shape.qLen;
  if ((isPairs() || (isLibrary() && shape.causal)) && place < key)
    return false;
  if (seesAll())
    return true;
  if (is("sink_attention"))
    return place >= key && (place - key < shape.window || key < shape.sink);
  const auto &list = lists[head * shape.qBlocks() + query / shape.blockM];
  return std::count(list.begin(), list.end(), key / shape.blockN) != 0;
}

double LoopCase::score(int64_t head, int64_t query, int64_t key) const {
  int64_t dim = shape.headDim;
  double product = dot(q.data() + (head * shape.qLen + query) * dim,
                       k.data() + (head * shape.kvLen + key) * dim, dim) *
                   scale;
  if (is("capped_attention"))
    return cap * std::tanh(product / cap);
  return is("scaled_attention") ? product * keyScale[head * shape.kvLen + key] : product;
}

double LoopCase::forward(int64_t head, int64_t query, std::vector<double> &o,
                         std::vector<double> &size) const {
  std::vector<double> scores(shape.kvLen, -infinity);
  double largest = -infinity, sum = 0;
  for (int64_t key = 0; key < shape.kvLen; ++key)
    if (sees(head, query, key))
      largest = std::max(largest, scores[key] = score(head, query, key));
  o.assign(shape.headDim, 0.0);
  size.assign(shape.headDim, 0.0);
  if (std::isinf(largest))
    return largest;
  for (int64_t key = 0; key < shape.kvLen; ++key) {
    if (std::isinf(scores[key]))
      continue;
    double weight = std::exp(scores[key] - largest);
    sum += weight;
    const double *row = v.data() + (head * shape.kvLen + key) * shape.headDim;
    for (int64_t d = 0; d < shape.headDim; ++d) {
      o[d] += weight * row[d];
      size[d] += weight * std::abs(row[d]);
    }
  }
  for (int64_t d = 0; d < shape.headDim; ++d) {
    o[d] /= sum;
    size[d] /= sum;
  }
  return largest + std::log(sum);
}

/// A weight is rounded to bf16 (2^-9 of it), and so is the result. What f32 adds is far less: twice
/// as much is allowed. Log-sum-exps as section 0.1 of the specification has it.
Status LoopCase::checkForward(const std::vector<std::vector<double>> &outputs) const {
  int64_t rows = shape.heads * shape.qLen;
  std::vector<double> o, sizes, sums;
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<double> mine, size;
    sums.push_back(forward(row / shape.qLen, row % shape.qLen, mine, size));
    o.insert(o.end(), mine.begin(), mine.end());
    sizes.insert(sizes.end(), size.begin(), size.end());
  }
  Status status = checkElements(outputs[1], sums, [&](size_t i) {
    return std::isinf(sums[i]) ? 0 : std::max(1e-3, 1e-5 * std::abs(sums[i]));
  });
  if (!status.ok())
    return Status::error("lse: " + status.message());
  return checkElements(outputs[0], o,
                       [&](size_t i) { return 0x1p-8 * (sizes[i] + std::abs(o[i])); });
}

/// The rounding of ds (2^-9 of it) and of the result, times two; and the sums of do * v in f32, of
/// which delta is taken.
Status LoopCase::checkGradient(const std::vector<double> &dq) const {
  int64_t dim = shape.headDim;
  std::vector<double> expected, bounds;
  for (int64_t row = 0; row < shape.heads * shape.qLen; ++row) {
    int64_t head = row / shape.qLen, query = row % shape.qLen;
    std::vector<double> sum(dim, 0.0), bound(dim, 0.0);
    for (int64_t key = 0; key < shape.kvLen; ++key) {
      const double *ks = k.data() + (head * shape.kvLen + key) * dim;
      const double *vs = v.data() + (head * shape.kvLen + key) * dim, *g = grad.data() + row * dim;
      double p = std::exp(score(head, query, key) - lse[row]), product = dot(g, vs, dim), terms = 0;
      for (int64_t d = 0; d < dim; ++d)
        terms += std::abs(g[d] * vs[d]);
      double ds = p * (product - delta[row]);
      double error = 0x1p-8 * std::abs(ds) + 0x1p-17 * p * (terms + std::abs(delta[row]));
      for (int64_t d = 0; d < dim; ++d) {
        sum[d] += scale * ds * ks[d];
        bound[d] += scale * error * std::abs(ks[d]);
      }
    }
    for (int64_t d = 0; d < dim; ++d) {
      expected.push_back(sum[d]);
      bounds.push_back(bound[d] + 0x1p-8 * std::abs(sum[d]));
    }
  }
  return checkElements(dq, expected, [&](size_t i) { return bounds[i]; });
}

Status LoopCase::check(const std::vector<std::vector<double>> &outputs) const {
  return is("query_gradient") ? checkGradient(outputs.front()) : checkForward(outputs);
}

} // namespace tile::test
