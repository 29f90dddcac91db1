//===- LoopCase.h - calls of pipelined loops and what they compute --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_LOOPCASE_H
#define TEST_KERNELS_LOOPCASE_H

#include "RandomValues.h"
#include "tile/KernelInfo.h"

#include <string>
#include <vector>

namespace tile::test {

struct LoopShape {
  int64_t heads = 2, qLen = 0, kvLen = 0;
  int64_t headDim = 128, blockM = 128, blockN = 128;
  /// Blocks that the first query block selects, the others some up to that; -1: as many as there
  /// are.
  int64_t trips = -1;
  /// Of sink_attention: keys that a query sees up to itself, and at the start.
  int64_t window = 0, sink = 0;
  /// Of the library's attention.
  bool causal = false;

  int64_t qBlocks() const { return (qLen + blockM - 1) / blockM; }
  int64_t kvBlocks() const { return (kvLen + blockN - 1) / blockN; }
};

/// What goes into a call.
enum class Values {
  random,
  /// Scores are small integers in base 2 (those that pass through tanh are 0) and everything else
  /// is, too: every order of the sums gives the same bits.
  exact,
  /// Scores change from key block to key block by a step of each query's own, of up to 16 in
  /// base 2.
  climbing,
};

/// One call of a kernel of loops/, or of the library's attention with one batch: its operands, in
/// the kernel's order, and the check of what comes out. Key blocks that nothing selects are NaN.
class LoopCase {
public:
  struct Operand {
    DType dtype;
    std::vector<int64_t> shape;
    bool isOutput = false;
    std::vector<double> values = {}; // as the type holds them; none of an output
  };

  LoopCase(std::string kernel, LoopShape shape, Random &random, Values kind);

  const std::vector<Operand> &operands() const { return tensors; }
  /// Behind the tensors.
  const std::vector<Arg> &scalars() const { return numbers; }
  /// Compares the outputs, in their order, with sums in double. The bounds follow from the
  /// roundings to bf16 on the way, and hold for any input.
  Status check(const std::vector<std::vector<double>> &outputs) const;

private:
  bool is(const char *name) const { return kernel == name; }
  const std::vector<double> &add(DType dtype, std::vector<int64_t> shape,
                                 std::vector<double> values);
  void addOutput(DType dtype, std::vector<int64_t> shape);
  bool isPaged() const { return is("paged_attention") || is("small_pages_attention"); }
  /// Lists are read two entries at a time.
  bool isPairs() const { return is("pair_attention"); }
  int64_t pageRows() const { return is("small_pages_attention") ? 16 : 2 * shape.blockN; }
  bool isLibrary() const { return is("block_sparse_forward") || is("dense_forward"); }
  /// Every query every key.
  bool seesAll() const {
    return is("query_gradient") || is("dense_forward") || is("grouped_attention") || isShort();
  }
  /// The keys' tensors go on behind the keys.
  bool isShort() const { return is("short_attention"); }
  bool hasLists() const { return !seesAll() && !is("sink_attention"); }
  /// Tokens are listed one by one.
  bool hasTokens() const { return is("gathered_attention") || is("table_attention"); }
  void addTokens(Random &random);
  std::vector<double> inRows(const std::vector<double> &rows) const;
  void selectBlocks(Random &random);
  void addMatrices(Random &random);
  void addSelection(Random &random);
  void addGradients(Random &random);
  std::vector<double> inPages(const std::vector<double> &rows) const;
  bool sees(int64_t head, int64_t query, int64_t key) const;
  double score(int64_t head, int64_t query, int64_t key) const;
  /// The forward pass of one row: its output, the sum of p * |v|, and the log-sum-exp.
  double forward(int64_t head, int64_t query, std::vector<double> &o,
                 std::vector<double> &size) const;
  Status checkForward(const std::vector<std::vector<double>> &outputs) const;
  Status checkGradient(const std::vector<double> &dq) const;

  std::string kernel;
  LoopShape shape;
  Values kind;
  std::vector<Operand> tensors;
  std::vector<Arg> numbers;
  std::vector<std::vector<int64_t>> lists; // per head and query block
  std::vector<int64_t> pageOf;             // where each page of the sequence lies
  std::vector<int64_t> rowOf;              // of a token, in each head's keys and values
  std::vector<double> q, k, v, keyScale, grad, lse, delta;
  float scale = 1, cap = 5;
};

} // namespace tile::test

#endif // TEST_KERNELS_LOOPCASE_H
