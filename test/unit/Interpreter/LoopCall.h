//===- LoopCall.h - one call of a kernel of loops ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_LOOPCALL_H
#define TILEC_TEST_UNIT_INTERPRETER_LOOPCALL_H

#include "KernelRun.h"
#include "LoopCase.h"

#include "gtest/gtest.h"

namespace tilec::test {

/// The tensors of a call in this process.
class LoopCall {
public:
  explicit LoopCall(const std::vector<::tile::test::LoopCase::Operand> &operands,
                    std::vector<::tile::Arg> scalars = {})
      : scalars(std::move(scalars)) {
    for (const ::tile::test::LoopCase::Operand &operand : operands) {
      tensors.emplace_back(operand.dtype, operand.shape);
      isOutput.push_back(operand.isOutput);
      for (size_t i = 0; i < operand.values.size(); ++i)
        tensors.back().set(static_cast<int64_t>(i), operand.values[i]);
    }
  }
  std::vector<std::vector<double>> run(LibraryKernel &kernel, uint64_t seed = 1) {
    std::vector<::tile::Tensor> views;
    for (HostTensor &tensor : tensors)
      views.push_back(tensor.view());
    std::vector<::tile::Arg> args(views.begin(), views.end());
    args.insert(args.end(), scalars.begin(), scalars.end());
    EXPECT_EQ(kernel.run(args, seed), "");
    std::vector<std::vector<double>> outputs;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (isOutput[i])
        outputs.push_back(tensors[i].values());
    return outputs;
  }

private:
  std::vector<HostTensor> tensors;
  std::vector<bool> isOutput;
  std::vector<::tile::Arg> scalars;
};

struct Loop {
  const char *kernel;
  Config config = {}; // but for the blocks and stages
};

/// For gtest's messages.
inline void PrintTo(const Loop &loop, std::ostream *os) { *os << loop.kernel; }

inline Config configOf(const Loop &loop, int64_t headDim, int64_t blockM, int64_t blockN,
                       int stages) {
  Config config = {{"head_dim", std::to_string(headDim)},
                   {"block_m", std::to_string(blockM)},
                   {"block_n", std::to_string(blockN)},
                   {"stages", std::to_string(stages)}};
  config.insert(config.end(), loop.config.begin(), loop.config.end());
  return config;
}

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_LOOPCALL_H
