//===- Memory.cpp - kernels that the memory limits ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bench.h"
#include "Variants.h"
#include "tile/kernels/all.h"

namespace tile::bench {

namespace {
const KernelInfo &find(const char *source, DType dtype) {
  const KernelInfo *kernel = test::findKernel(kernels::all(), source, dtype, {});
  if (!kernel)
    fail("no kernel '" + std::string(source) + "' of type " + name(dtype) + " in the library");
  return *kernel;
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

/// A kernel (x, y) over two matrices; bytes are those of one reading of x and one writing of y.
void matrixRow(Bench &bench, const char *source, DType dtype, int64_t rows, int64_t cols) {
  std::string name = rowName(source, dtype, {rows, cols});
  if (!bench.wants(name))
    return;
  auto x = DeviceTensor::random(dtype, {rows, cols}), y = DeviceTensor::random(dtype, {rows, cols});
  double time = bench.measure(find(source, dtype), {x.view, y.view});
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
} // namespace

void benchMemory(Bench &bench) {
  if (!bench.wants("copy") && !bench.wants("axpy") && !bench.wants("softmax"))
    return;
  driverCopy(bench);
  for (DType dtype : {DType::f32, DType::bf16}) {
    matrixRow(bench, "copy", dtype, 65536, 16384);
    matrixRow(bench, "copy", dtype, 65536, 16383);
    axpyRow(bench, dtype, int64_t{1} << 30);
    matrixRow(bench, "softmax", dtype, 262144, 1024);
    matrixRow(bench, "softmax", dtype, 65536, 4096);
    matrixRow(bench, "softmax", dtype, 16384, 16384);
  }
}

} // namespace tile::bench
