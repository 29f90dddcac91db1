//===- Memory.cpp - kernels that the memory limits ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bench.h"
#include "Variants.h"
#include "host/Family.h"
#include "tile/kernels/all.h"

#include <algorithm>
#include <iterator>

namespace tile::bench {

namespace {
const KernelInfo &find(const char *source, DType dtype) {
  const KernelInfo *kernel = test::findKernel(kernels::all(), source, dtype, {});
  if (!kernel)
    fail("no kernel '" + std::string(source) + "' of type " + name(dtype) + " in the library");
  return *kernel;
}

/// The variant that the library chooses for rows of that length.
const KernelInfo &findForRow(const char *source, DType dtype, int64_t cols) {
  const ::kernels::Family family(
      source, source, {{.field = "block_cols", .label = "cols", .fit = ::kernels::Fit::nearest}});
  const Tensor x(nullptr, dtype, {1, cols}), y = x;
  const ::kernels::Variant *variant = family.choose(std::array{cols}, std::array<Arg, 2>{x, y});
  if (!variant)
    fail("no kernel '" + std::string(source) + "' of type " + name(dtype) + " in the library");
  return variant->info;
}

std::string rowName(const char *kernel, DType dtype, std::vector<int64_t> shape) {
  return std::string(kernel) + " " + name(dtype) + " " + shapeText(shape);
}

void driverCopy(Bench &bench) {
  constexpr int64_t bytes = int64_t{4} << 30;
  auto source = DeviceTensor::random(DType::f32, {bytes / 4});
  Buffer target = orFail(Buffer::allocate(Device::cuda, bytes));
  double time =
      bench.measure([&] { return copyOnDevice(target.data(), source.buffer.data(), bytes); });
  bench.memory("cuMemcpyDtoD, 4 GiB", time, 2.0 * bytes);
}

/// `kernel` (x, y) over two matrices; bytes are those of one reading of x and one writing of y.
void matrixRow(Bench &bench, const KernelInfo &kernel, int64_t rows, int64_t cols) {
  DType dtype = kernel.params[0].dtype;
  std::string name = rowName(kernel.source, dtype, {rows, cols});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(dtype, {rows, cols}), y = DeviceTensor::random(dtype, {rows, cols});
  double time = bench.measure(kernel, {x.view, y.view});
  bench.memory(name, time, 2.0 * rows * cols * byteSize(dtype));
}

void axpyRow(Bench &bench, DType dtype, int64_t size) {
  std::string name = rowName("axpy", dtype, {size});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(dtype, {size}), y = DeviceTensor::random(dtype, {size});
  double time = bench.measure(find("axpy", dtype), {x.view, y.view, Arg::real(DType::f32, 0.5)});
  bench.memory(name, time, 3.0 * size * byteSize(dtype));
}

void quantizeRow(Bench &bench, DType dtype, int64_t rows, int64_t cols) {
  std::string name = rowName("quantize_rows", dtype, {rows, cols});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(dtype, {rows, cols}),
       q = DeviceTensor::random(DType::e4m3, {rows, cols}),
       scale = DeviceTensor::random(DType::f32, {rows});
  double time =
      bench.measure(findForRow("quantize_rows", dtype, cols), {x.view, q.view, scale.view});
  bench.memory(name, time, (byteSize(dtype) + 1.0) * rows * cols + 4.0 * rows);
}

void normRow(Bench &bench, DType dtype, int64_t rows, int64_t cols) {
  std::string name = rowName("layer_norm", dtype, {rows, cols});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(dtype, {rows, cols}), y = DeviceTensor::random(dtype, {rows, cols}),
       weight = DeviceTensor::random(dtype, {cols}), bias = DeviceTensor::random(dtype, {cols});
  double time =
      bench.measure(findForRow("layer_norm", dtype, cols),
                    {x.view, weight.view, bias.view, y.view, Arg::real(DType::f32, 1e-5)});
  bench.memory(name, time, 2.0 * byteSize(dtype) * rows * cols);
}

/// 2^30 bytes of rows in segments of these lengths, which change places.
void jaggedRow(Bench &bench, DType dtype, int64_t cols, int64_t segments, bool oneHuge) {
  std::string name = rowName("jagged_copy", dtype, {segments, cols}) + (oneHuge ? " one huge" : "");
  if (!bench.wants(name))
    return;
  int64_t rows = (int64_t{1} << 30) / byteSize(dtype) / cols;
  std::vector<int32_t> starts(segments + 1), targets(segments);
  for (int64_t s = 1; s <= segments; ++s) {
    int64_t even = rows * s / segments, unequal = even - s * 7919 % (rows / segments);
    starts[s] = static_cast<int32_t>(s == segments ? rows : oneHuge ? s : unequal);
  }
  for (int64_t s = segments - 1, next = 0; s >= 0; --s) {
    targets[s] = static_cast<int32_t>(next);
    next += starts[s + 1] - starts[s];
  }
  auto x = DeviceTensor::random(dtype, {rows, cols}), y = DeviceTensor::random(dtype, {rows, cols}),
       source = DeviceTensor::integers({segments + 1}, starts),
       target = DeviceTensor::integers({segments}, targets);
  const KernelInfo *kernel =
      test::findKernel(kernels::all(), "jagged_copy", dtype, {{"aligned", 1}});
  if (!kernel)
    fail("no kernel 'jagged_copy' for aligned rows in the library");
  double time = bench.measure(*kernel, {x.view, source.view, target.view, y.view});
  bench.memory(name, time, 2.0 * rows * cols * byteSize(dtype));
}

/// Every variant at its block, rows shorter than that and at odd addresses, and rows read twice.
constexpr int64_t softmaxLengths[] = {128,  256,  512,  1000,  1023,  1024,  2048,  4095,
                                      4096, 6000, 8192, 12000, 16383, 16384, 32768, 65536};
} // namespace

void benchMemory(Bench &bench) {
  auto wanted = [&](const char *word) { return bench.wants(word); };
  constexpr const char *words[] = {"copy",       "axpy",        "softmax", "quantize_rows",
                                   "layer_norm", "jagged_copy", "top_k",   "block_lists",
                                   "histogram",  "merge_splits"};
  if (std::none_of(std::begin(words), std::end(words), wanted))
    return;
  driverCopy(bench);
  for (DType dtype : {DType::f32, DType::bf16}) {
    matrixRow(bench, find("copy", dtype), 65536, 16384);
    matrixRow(bench, find("copy", dtype), 65536, 16383);
    axpyRow(bench, dtype, int64_t{1} << 30);
    for (int64_t cols : softmaxLengths)
      matrixRow(bench, findForRow("softmax", dtype, cols), (int64_t{1} << 28) / cols, cols);
    for (int64_t cols : {1024, 2048, 4096, 5120, 8192}) {
      quantizeRow(bench, dtype, (int64_t{1} << 28) / cols, cols);
      normRow(bench, dtype, (int64_t{1} << 28) / cols, cols);
    }
    for (int64_t segments : {1, 64, 4096, 262144})
      jaggedRow(bench, dtype, 512, segments, false);
    jaggedRow(bench, dtype, 512, 1000, true);
  }
}

} // namespace tile::bench
