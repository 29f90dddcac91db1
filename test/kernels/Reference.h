//===- Reference.h - what the kernels compute, in double ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Straightforward loops over the inputs as the kernel sees them: already rounded to their type.

#ifndef TEST_KERNELS_REFERENCE_H
#define TEST_KERNELS_REFERENCE_H

#include <cstdint>
#include <functional>
#include <vector>

namespace tile::test {

/// Calls body(i) for every i below count, on all cores.
void parallelFor(int64_t count, const std::function<void(int64_t)> &body);

struct AttentionShape {
  int64_t batch = 1, heads = 1, kvHeads = 1;
  int64_t qLen = 0, kvLen = 0, headDim = 0, valueDim = 0;
  int64_t blockM = 0, blockN = 0, maxBlocks = 0;
  bool causal = false;
  int64_t listHeads = 0; // of the lists, each for as many query heads; 0: heads

  int64_t qBlocks() const { return (qLen + blockM - 1) / blockM; }
  int64_t kvBlocks() const { return (kvLen + blockN - 1) / blockN; }
  int64_t kvHead(int64_t head) const { return head / (heads / kvHeads); }
  int64_t listHead(int64_t head) const { return listHeads ? head / (heads / listHeads) : head; }
};

/// Tensors row-major, in the dimension order of the kernel's parameters.
struct AttentionInput {
  AttentionShape shape;
  std::vector<double> q, k, v;
  std::vector<int32_t> blockCount, blockIndex;
  double scale = 1;
};

struct AttentionResult {
  std::vector<double> o, lse; // natural logarithm
};

/// The valid blocks that query block `qBlock` selects: entries in [0, kvBlocks) among the first
/// `blockCount`, which is clamped to [0, maxBlocks].
std::vector<int64_t> selectedBlocks(const AttentionInput &input, int64_t batch, int64_t head,
                                    int64_t qBlock);

/// A row without a visible key is 0 and has the log-sum-exp -inf. Blocks that a row does not select
/// are not read.
AttentionResult attention(const AttentionInput &input);

/// (query, key) pairs that the kernel has to compute.
int64_t visiblePairs(const AttentionInput &input);

/// c[m, n] = a[m, k] * b, where b is [k, n], or [n, k] if `transposeB`.
std::vector<double> matmul(const std::vector<double> &a, const std::vector<double> &b, int64_t m,
                           int64_t n, int64_t k, bool transposeB);

/// Softmax of each row of x[rows, cols]; 0 for a row of -inf.
std::vector<double> softmax(const std::vector<double> &x, int64_t rows, int64_t cols);

} // namespace tile::test

#endif // TEST_KERNELS_REFERENCE_H
