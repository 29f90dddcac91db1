//===- Select.cpp - top-k, block lists, histograms, merged splits ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bench.h"
#include "Variants.h"
#include "tile/kernels/all.h"

namespace tile::bench {

namespace {
const KernelInfo &find(const char *source, DType dtype,
                       const std::vector<std::pair<std::string, int64_t>> &config) {
  const KernelInfo *kernel = test::findKernel(kernels::all(), source, dtype, config);
  if (!kernel)
    fail("no kernel '" + std::string(source) + "' of type " + name(dtype) + " in the library");
  return *kernel;
}

std::string rowName(const char *kernel, DType dtype, std::vector<int64_t> shape) {
  return std::string(kernel) + " " + name(dtype) + " " + shapeText(shape);
}

DeviceTensor empty(DType dtype, std::vector<int64_t> shape) {
  Tensor view(nullptr, dtype, shape, Device::cuda);
  DeviceTensor result = {orFail(Buffer::allocate(Device::cuda, view.elements() * byteSize(dtype))),
                         view};
  result.view.data = result.buffer.data();
  return result;
}

/// Bytes are those of one reading of x.
void topKRow(Bench &bench, int64_t rows, int64_t cols, int64_t most, int64_t k) {
  std::string name = rowName("top_k", DType::f32, {rows, cols}) + " k " + std::to_string(k);
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(DType::f32, {rows, cols});
  auto length =
      DeviceTensor::integers({rows}, std::vector<int32_t>(rows, static_cast<int32_t>(cols)));
  auto position = empty(DType::i32, {rows, k}), value = empty(DType::f32, {rows, k});
  double time = bench.measure(find("top_k", DType::f32, {{"most", most}}),
                              {x.view, length.view, position.view, value.view});
  bench.memory(name, time, 4.0 * rows * cols);
}

void blockListsRow(Bench &bench, int64_t rows, int64_t blocks, int64_t most) {
  std::string name = rowName("block_lists", DType::i8, {rows, blocks});
  if (!bench.wants(name))
    return;
  auto mask = DeviceTensor::random(DType::i8, {1, 1, rows, blocks});
  auto count = empty(DType::i32, {1, 1, rows}), block = empty(DType::i32, {1, 1, rows, blocks});
  double time = bench.measure(find("block_lists", DType::i8, {{"most", most}}),
                              {mask.view, count.view, block.view});
  bench.memory(name, time, 5.0 * rows * blocks + 4.0 * rows);
}

/// Few different numbers: all lanes meet in a few bins.
void histogramRow(Bench &bench, int64_t size) {
  std::string name = rowName("histogram", DType::i32, {size});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(DType::i32, {size});
  auto count = DeviceTensor::integers({1024}, std::vector<int32_t>(1024, 0));
  bench.memory(name,
               bench.measure(find("histogram", DType::i32, {{"bins", 1024}}), {x.view, count.view}),
               4.0 * size);
}

void mergeRow(Bench &bench, DType dtype, int64_t splits, int64_t rows, int64_t dim) {
  std::string name = rowName("merge_splits", dtype, {splits, rows, dim});
  if (!bench.wants(name))
    return;
  auto part = DeviceTensor::random(dtype, {splits, rows, dim});
  auto partLse = DeviceTensor::random(DType::f32, {splits, rows});
  auto out = empty(dtype, {rows, dim}), lse = empty(DType::f32, {rows});
  double time = bench.measure(find("merge_splits", dtype, {{"head_dim", dim}}),
                              {part.view, partLse.view, out.view, lse.view});
  bench.memory(name, time, (splits + 1.0) * rows * (dim * byteSize(dtype) + 4.0));
}
} // namespace

void benchSelect(Bench &bench) {
  topKRow(bench, 4096, 131072, 2048, 2048);
  topKRow(bench, 64, 131072, 2048, 2048);
  topKRow(bench, 4096, 8192, 64, 64);
  blockListsRow(bench, int64_t{1} << 19, 512, 512);
  blockListsRow(bench, int64_t{1} << 17, 2048, 2048);
  histogramRow(bench, int64_t{1} << 28);
  mergeRow(bench, DType::bf16, 8, 65536, 128);
}

} // namespace tile::bench
