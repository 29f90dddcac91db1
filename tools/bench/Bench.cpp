//===- Bench.cpp - one measured row after another -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include <dlfcn.h>

namespace tile::bench {

void fail(const std::string &message) {
  fprintf(stderr, "tile-bench: error: %s\n", message.c_str());
  exit(1);
}

Status copyOnDevice(void *target, const void *source, int64_t bytes) {
  // The runtime has no use for this function; it has opened the driver already.
  using Copy = int (*)(uintptr_t target, uintptr_t source, size_t bytes);
  static const auto copy = [] {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    void *function = driver ? dlsym(driver, "cuMemcpyDtoD_v2") : nullptr;
    if (!function)
      fail("libcuda.so.1 has no cuMemcpyDtoD_v2");
    return reinterpret_cast<Copy>(function);
  }();
  int error = copy(reinterpret_cast<uintptr_t>(target), reinterpret_cast<uintptr_t>(source),
                   static_cast<size_t>(bytes));
  return error ? Status::error("cuMemcpyDtoD: CUDA error " + std::to_string(error)) : Status();
}

DeviceTensor DeviceTensor::random(DType dtype, std::vector<int64_t> shape) {
  Tensor view(nullptr, dtype, shape, Device::cuda);
  int64_t bytes = view.elements() * byteSize(dtype);
  DeviceTensor result = {orFail(Buffer::allocate(Device::cuda, bytes)), view};
  result.view.data = result.buffer.data();
  static uint32_t tensors = 0; // equal queries and keys would make each query pick its own key
  std::mt19937 random(++tensors);
  std::normal_distribution<float> normal;
  std::vector<char> pattern((int64_t{1} << 22) * byteSize(dtype));
  for (size_t i = 0; i < pattern.size(); i += byteSize(dtype))
    writeElement(dtype, &pattern[i], normal(random));
  auto *start = static_cast<char *>(result.buffer.data());
  int64_t filled = std::min<int64_t>(static_cast<int64_t>(pattern.size()), bytes);
  orFail(result.buffer.upload(pattern.data(), filled));
  for (; filled < bytes; filled += std::min(filled, bytes - filled))
    orFail(copyOnDevice(start + filled, start, std::min(filled, bytes - filled)));
  return result;
}

DeviceTensor DeviceTensor::integers(std::vector<int64_t> shape,
                                    const std::vector<int32_t> &values) {
  Tensor view(nullptr, DType::i32, shape, Device::cuda);
  int64_t bytes = static_cast<int64_t>(values.size() * sizeof(int32_t));
  DeviceTensor result = {orFail(Buffer::allocate(Device::cuda, bytes)), view};
  result.view.data = result.buffer.data();
  orFail(result.buffer.upload(values.data(), bytes));
  return result;
}

Bench::Bench(std::vector<std::string> words)
    : words(std::move(words)), timer(orFail(Timer::create(Stream::cuda()))),
      cold(orFail(Buffer::allocate(Device::cuda, int64_t{256} << 20))) {}

bool Bench::wants(const std::string &name) const {
  return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string &word) {
           return name.find(word) != std::string::npos;
         });
}

double Bench::measure(const std::function<Status()> &launch) {
  std::vector<double> times;
  double total = 0;
  // The first runs load the kernel and raise the clock.
  for (int run = -3; run < 200 && (run < 10 || total < 300); ++run) {
    orFail(cold.fill(0, cold.size()));
    orFail(timer.start());
    orFail(launch());
    orFail(timer.stop());
    double time = orFail(timer.milliseconds());
    if (run < 0)
      continue;
    times.push_back(time);
    total += time;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

double Bench::measure(const KernelInfo &kernel, const std::vector<Arg> &args) {
  Launcher launcher(kernel);
  return measure([&] { return launcher.launch(Stream::cuda(), args); });
}

void Bench::compute(const std::string &name, double milliseconds, double flops) {
  printf("%-66s %9.3f ms %8.1f TFLOP/s\n", name.c_str(), milliseconds, flops / milliseconds / 1e9);
  fflush(stdout);
}

void Bench::memory(const std::string &name, double milliseconds, double bytes) {
  double rate = bytes / milliseconds / 1e6;
  if (copyRate == 0)
    copyRate = rate;
  printf("%-66s %9.3f ms %8.1f GB/s  %5.1f %% of the driver's copy\n", name.c_str(), milliseconds,
         rate, 100 * rate / copyRate);
  fflush(stdout);
}

} // namespace tile::bench
