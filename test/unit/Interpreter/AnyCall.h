//===- AnyCall.h - one call of any kernel -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_INTERPRETER_ANYCALL_H
#define TILEC_TEST_UNIT_INTERPRETER_ANYCALL_H

#include "KernelRun.h"

namespace tilec::test {

/// What a launch needs beside the kernel.
struct CallShape {
  /// Every dimension of the kernel.
  std::vector<std::pair<std::string, int64_t>> dims;
  /// Elements of parameters, repeated as often as needed; of a scalar the first. Other floats are
  /// of N(0, 1), other integers 0, other scalars 1.
  std::vector<std::pair<std::string, std::vector<double>>> values = {};
};

/// The tensors and scalars that a kernel's own description asks for.
class AnyCall {
public:
  /// `module`: a kernel in sm.
  AnyCall(mlir::ModuleOp module, const CallShape &shape);

  /// With outputs that hold NaN again, or what they held at first.
  std::vector<tile::Arg> arguments();
  /// The bytes of all that the kernel may write.
  std::string results() const;

private:
  struct Operand {
    tile::DType dtype;
    bool isWritten, isTensor;
    HostTensor initial, tensor;
    double scalar;
  };
  std::vector<Operand> operands;
  std::vector<tile::Tensor> views;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_INTERPRETER_ANYCALL_H
