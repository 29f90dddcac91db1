//===- Bench.h - one measured row after another ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TOOLS_BENCH_BENCH_H
#define TOOLS_BENCH_BENCH_H

#include "tile/KernelInfo.h"

#include <functional>
#include <string>
#include <vector>

namespace tile::bench {

/// Ends the program with the reason.
[[noreturn]] void fail(const std::string &message);

template <class T> T orFail(Result<T> result) {
  if (!result.ok())
    fail(result.message());
  return *std::move(result);
}
inline void orFail(const Status &status) {
  if (!status.ok())
    fail(status.message());
}

/// The driver's copy from GPU memory to GPU memory, queued on the default stream.
Status copyOnDevice(void *target, const void *source, int64_t bytes);

/// A tensor in GPU memory.
struct DeviceTensor {
  /// Values of N(0, 1), repeating after 2^22 of them.
  static DeviceTensor random(DType dtype, std::vector<int64_t> shape);
  static DeviceTensor integers(std::vector<int64_t> shape, const std::vector<int32_t> &values);

  Buffer buffer;
  Tensor view;
};

/// The table. A row is measured only if its name contains one of the words given.
class Bench {
public:
  explicit Bench(std::vector<std::string> words);

  bool wants(const std::string &name) const;
  /// Median milliseconds of what `launch` queues on the default stream. Caches are cold.
  double measure(const std::function<Status()> &launch);
  /// As above, for a kernel of the library.
  double measure(const KernelInfo &kernel, const std::vector<Arg> &args);

  /// A row in TFLOP/s.
  void compute(const std::string &name, double milliseconds, double flops);
  /// A row in GB/s. The first one is what the others are compared with.
  void memory(const std::string &name, double milliseconds, double bytes);

private:
  std::vector<std::string> words;
  Timer timer;
  Buffer cold;
  double copyRate = 0;
};

void benchMemory(Bench &bench);
/// Behind benchMemory, whose first row the others are compared with.
void benchSelect(Bench &bench);
void benchGemm(Bench &bench);
void benchAttention(Bench &bench);

} // namespace tile::bench

#endif // TOOLS_BENCH_BENCH_H
