//===- Attention.h - one call of block_sparse_forward -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_ATTENTION_H
#define TILEC_TEST_UNIT_INTERPRETER_ATTENTION_H

#include "KernelRun.h"

namespace tilec::test {

/// Two query heads share a key head. Query block 0 of head 0 has an empty list; the next ones
/// list all blocks, or `most` entries, others some, in random order, with entries that name no
/// block in between.
class AttentionCall {
public:
  AttentionCall(const std::string &dtype, const Config &config, int64_t qLen, int64_t kvLen,
                uint64_t seed, int64_t most = 8);

  std::vector<tile::Arg> arguments();
  /// The first difference from a reference in double; empty if there is none.
  std::string check() const;

private:
  bool isVisible(int64_t query, int64_t key) const;
  /// One row of the output and its log-sum-exp.
  std::vector<double> reference(int64_t head, int64_t query, double &lse) const;

  int64_t qLen, kvLen, headDim, valueDim, blockM, blockN;
  bool causal;
  HostTensor q, k, v, count, index, o, lse;
  std::vector<double> qs, ks, vs; // their elements
  std::vector<tile::Tensor> views;
  double scale = 0.09;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_ATTENTION_H
