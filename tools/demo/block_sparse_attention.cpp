//===- block_sparse_attention.cpp - the library's attention, from a program ===//
// SPDX-License-Identifier: Apache-2.0
//
// Causal attention of 8 query heads on 2 key/value heads over random lists of key blocks: on the
// GPU where there is one, otherwise on the host. Each row of the table is checked against a
// reference in double; the exit status is 1 if one is wrong.

#include "Compare.h"
#include "Reference.h"
#include "tile/kernels/block_sparse_forward__bf16__head_dim128_block_m128_block_n128_stages2_causal1_value_dim0.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace tile;

namespace {
const auto attend = kernels::
    block_sparse_forward__bf16__head_dim128_block_m128_block_n128_stages2_causal1_value_dim0;
constexpr int64_t heads = 8, kvHeads = 2, dim = 128, block = 128;

/// The value, or the end of the program with the reason.
template <class T> T orExit(Result<T> result) {
  if (!result.ok()) {
    fprintf(stderr, "error: %s\n", result.message().c_str());
    exit(1);
  }
  return *std::move(result);
}

void orExit(const Status &status) {
  if (!status.ok()) {
    fprintf(stderr, "error: %s\n", status.message().c_str());
    exit(1);
  }
}

/// Device memory and the tensor in it.
struct DeviceTensor {
  DeviceTensor(Device device, DType dtype, std::initializer_list<int64_t> shape)
      : view(nullptr, dtype, shape, device),
        buffer(orExit(Buffer::allocate(device, view.elements() * byteSize(dtype)))) {
    view.data = buffer.data();
  }

  /// Rounds `values` to the element type, here and on the device.
  template <class T> void upload(std::vector<T> &values) {
    int64_t size = byteSize(view.dtype);
    std::vector<char> bytes(buffer.size());
    for (size_t i = 0; i < values.size(); ++i) {
      writeElement(view.dtype, &bytes[i * size], static_cast<double>(values[i]));
      values[i] = static_cast<T>(readElement(view.dtype, &bytes[i * size]));
    }
    orExit(buffer.upload(bytes.data(), buffer.size()));
  }

  std::vector<double> download() const {
    int64_t size = byteSize(view.dtype);
    std::vector<char> bytes(buffer.size());
    orExit(buffer.download(bytes.data(), buffer.size()));
    std::vector<double> values(view.elements());
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = readElement(view.dtype, &bytes[i * size]);
    return values;
  }

  Tensor view;
  Buffer buffer;
};

/// Random q, k and v, and for each query block its own key block and each earlier one with
/// probability `density`, in random order.
test::AttentionInput makeInput(int64_t qLen, int64_t kvLen, double density, std::mt19937 &random) {
  test::AttentionInput input;
  input.shape = {.heads = heads,
                 .kvHeads = kvHeads,
                 .qLen = qLen,
                 .kvLen = kvLen,
                 .headDim = dim,
                 .valueDim = dim,
                 .blockM = block,
                 .blockN = block,
                 .causal = true};
  input.shape.maxBlocks = input.shape.kvBlocks();
  input.scale = static_cast<float>(1 / std::sqrt(static_cast<double>(dim)));
  std::normal_distribution<float> normal;
  for (auto [values, rows] :
       {std::pair(&input.q, heads * qLen), std::pair(&input.k, kvHeads * kvLen),
        std::pair(&input.v, kvHeads * kvLen)}) {
    values->resize(rows * dim);
    std::generate(values->begin(), values->end(), [&] { return normal(random); });
  }
  std::bernoulli_distribution chosen(density);
  for (int64_t list = 0; list < heads * input.shape.qBlocks(); ++list) {
    int64_t lastRow = std::min((list % input.shape.qBlocks() + 1) * block, qLen) - 1;
    int64_t own = (lastRow + kvLen - qLen) / block;
    std::vector<int32_t> blocks;
    for (int64_t i = 0; i <= own; ++i)
      if (i == own || chosen(random))
        blocks.push_back(static_cast<int32_t>(i));
    std::shuffle(blocks.begin(), blocks.end(), random);
    input.blockCount.push_back(static_cast<int32_t>(blocks.size()));
    blocks.resize(input.shape.maxBlocks, -1);
    input.blockIndex.insert(input.blockIndex.end(), blocks.begin(), blocks.end());
  }
  return input;
}

/// Runs one problem and prints its row; false if the result is wrong.
bool runRow(Stream stream, test::AttentionInput input) {
  const test::AttentionShape &s = input.shape;
  Device device = stream.device();
  DeviceTensor q(device, DType::bf16, {1, heads, s.qLen, dim});
  DeviceTensor k(device, DType::bf16, {1, kvHeads, s.kvLen, dim});
  DeviceTensor v(device, DType::bf16, {1, kvHeads, s.kvLen, dim});
  DeviceTensor count(device, DType::i32, {1, heads, s.qBlocks()});
  DeviceTensor index(device, DType::i32, {1, heads, s.qBlocks(), s.maxBlocks});
  DeviceTensor o(device, DType::bf16, {1, heads, s.qLen, dim});
  DeviceTensor lse(device, DType::f32, {1, heads, s.qLen});
  q.upload(input.q);
  k.upload(input.k);
  v.upload(input.v);
  count.upload(input.blockCount);
  index.upload(input.blockIndex);

  Timer timer = orExit(Timer::create(stream));
  std::vector<double> times(device == Device::cuda ? 21 : 2);
  for (double &time : times) { // the first one loads the kernel
    orExit(timer.start());
    orExit(attend(stream, q.view, k.view, v.view, count.view, index.view, o.view, lse.view,
                  static_cast<float>(input.scale)));
    orExit(timer.stop());
    time = orExit(timer.milliseconds());
  }
  std::sort(times.begin() + 1, times.end());
  double milliseconds = times[1 + (times.size() - 1) / 2];

  test::AttentionResult result = {o.download(), lse.download()}, expected = test::attention(input);
  Status status = test::checkAttention(result, expected, DType::bf16, dim);
  double pairs = static_cast<double>(test::visiblePairs(input));
  int64_t diagonal = s.kvLen - s.qLen;
  double all = heads * (s.qLen * (s.qLen + 1) / 2.0 + s.qLen * diagonal);
  printf("%6ld x %-6ld %5.1f %%   %.2e   %9.3f ms   %8.3f TFLOP/s   %s\n",
         static_cast<long>(s.qLen), static_cast<long>(s.kvLen), 100 * pairs / all,
         test::relativeRms(result.o, expected.o), milliseconds,
         4 * dim * pairs / milliseconds / 1e9, status.ok() ? "ok" : "WRONG");
  if (!status.ok())
    printf("  %s\n", status.message().c_str());
  return status.ok();
}
} // namespace

int main() {
  Status gpu = cudaAvailable();
  Stream stream = gpu.ok() ? Stream::cuda() : Stream::host();
  if (gpu.ok())
    printf("on the GPU\n");
  else
    printf("on the host, not on a GPU: %s\n", gpu.message().c_str());
  printf("block-sparse attention forward, bf16, causal, %ld query heads, %ld key/value heads, head "
         "size "
         "%ld, blocks of %ld\n\n",
         static_cast<long>(heads), static_cast<long>(kvHeads), static_cast<long>(dim),
         static_cast<long>(block));
  printf("queries x keys  density   error      time           rate\n");
  std::mt19937 random(std::random_device{}());
  bool good = true;
  for (auto [qLen, kvLen, density] :
       {std::tuple(2048, 2048, 0.25), std::tuple(4096, 4096, 0.1), std::tuple(1000, 3000, 0.5)})
    good &= runRow(stream, makeInput(qLen, kvLen, density, random));
  printf("\nerror: relative RMS against a reference in double, at most %.1e\n",
         test::attentionRms(DType::bf16));
  return good ? 0 : 1;
}
