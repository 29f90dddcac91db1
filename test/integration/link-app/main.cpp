// main.cpp - runs a kernel of the library and one of this project on the CPU, against references.
#include "row_layer_norm.h"
#include "tile/Attention.h"

#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

using tile::Device;
using tile::DType;
using tile::Tensor;

namespace {
/// A matrix or more, rounded to its element type; the values are kept as doubles too.
struct Array {
  std::vector<int64_t> shape;
  DType dtype;
  std::vector<uint8_t> bytes;

  Array(DType dtype, std::vector<int64_t> shape) : shape(std::move(shape)), dtype(dtype) {
    bytes.resize(tensor().elements() * tile::byteSize(dtype), 0xff); // NaN in every float type
  }
  Tensor tensor() { return Tensor(bytes.data(), dtype, shape, Device::host); }
  double at(int64_t index) const {
    return tile::readElement(dtype, &bytes[index * tile::byteSize(dtype)]);
  }
  void set(int64_t index, double value) {
    tile::writeElement(dtype, &bytes[index * tile::byteSize(dtype)], value);
  }
  Array &randomize(std::mt19937 &generator) {
    std::normal_distribution<double> normal;
    for (int64_t i = 0; i < tensor().elements(); ++i)
      set(i, normal(generator));
    return *this;
  }
};

bool report(const char *name, const tile::Status &status, double error, double allowed) {
  bool good = status.ok() && error <= allowed;
  std::printf("%s: %s, largest error %g of %g allowed %s\n", name, good ? "ok" : "WRONG", error,
              allowed, status.message().c_str());
  return good;
}

bool checkLayerNorm(std::mt19937 &generator) {
  constexpr int64_t rows = 37, cols = 1000;
  constexpr double epsilon = 1e-5;
  Array x(DType::f32, {rows, cols}), weight(DType::f32, {cols}), bias(DType::f32, {cols});
  Array y(DType::f32, {rows, cols});
  x.randomize(generator), weight.randomize(generator), bias.randomize(generator);
  tile::Status status =
      tile::kernels::row_layer_norm__f32(tile::Stream::host(), x.tensor(), weight.tensor(),
                                         bias.tensor(), y.tensor(), 1.0f / cols, epsilon);
  double error = 0;
  for (int64_t row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    for (int64_t col = 0; col < cols; ++col)
      mean += x.at(row * cols + col) / cols;
    for (int64_t col = 0; col < cols; ++col)
      variance += std::pow(x.at(row * cols + col) - mean, 2) / cols;
    for (int64_t col = 0; col < cols; ++col) {
      double expected = (x.at(row * cols + col) - mean) / std::sqrt(variance + epsilon);
      expected = expected * weight.at(col) + bias.at(col);
      error = std::fmax(error, std::isnan(y.at(row * cols + col))
                                   ? INFINITY
                                   : std::fabs(y.at(row * cols + col) - expected));
    }
  }
  return report("row_layer_norm", status, error, 1e-4);
}

/// One row of attention over the keys of one block.
std::vector<double> attend(const Array &q, const Array &k, const Array &v, int64_t row,
                           int64_t first, int64_t last, int64_t dim) {
  std::vector<double> result(dim);
  double sum = 0;
  for (int64_t key = first; key < last; ++key) {
    double score = 0;
    for (int64_t d = 0; d < dim; ++d)
      score += q.at(row * dim + d) * k.at(key * dim + d);
    double weight = std::exp(score / std::sqrt(double(dim)));
    sum += weight;
    for (int64_t d = 0; d < dim; ++d)
      result[d] += weight * v.at(key * dim + d);
  }
  for (double &value : result)
    value /= sum;
  return result;
}

/// Each block of queries attends to the block of keys of the same number.
bool checkAttention(std::mt19937 &generator) {
  constexpr int64_t length = 200, dim = 64, block = 128, blocks = 2;
  Array q(DType::f16, {1, 1, length, dim}), k(DType::f16, {1, 1, length, dim});
  Array v(DType::f16, {1, 1, length, dim}), o(DType::f16, {1, 1, length, dim});
  Array count(DType::i32, {1, 1, blocks}), index(DType::i32, {1, 1, blocks, 1});
  Array lse(DType::f32, {1, 1, length});
  q.randomize(generator), k.randomize(generator), v.randomize(generator);
  for (int64_t i = 0; i < blocks; ++i) {
    count.set(i, 1);
    index.set(i, i);
  }
  tile::BlockSparseTensors tensors = {q.tensor(),     k.tensor(), v.tensor(),  count.tensor(),
                                      index.tensor(), o.tensor(), lse.tensor()};
  tile::Status status = tile::blockSparseAttention(tile::Stream::host(), tensors);
  double error = 0;
  for (int64_t row = 0; row < length; ++row) {
    int64_t first = row / block * block;
    auto expected = attend(q, k, v, row, first, std::min(first + block, length), dim);
    for (int64_t d = 0; d < dim; ++d) {
      double found = o.at(row * dim + d);
      error = std::fmax(error, std::isnan(found) ? INFINITY : std::fabs(found - expected[d]));
    }
  }
  return report("block_sparse_attention", status, error, 2e-3);
}
} // namespace

int main() {
  std::mt19937 generator(7);
  bool good = checkLayerNorm(generator);
  good = checkAttention(generator) && good;
  return good ? 0 : 1;
}
