//===- PreparedLoop.h - a call of a loop, to be launched again --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef TEST_KERNELS_PREPAREDLOOP_H
#define TEST_KERNELS_PREPAREDLOOP_H

#include "Harness.h"
#include "Launch.h"
#include "LoopCase.h"

#include <deque>
#include <limits>

namespace tile::test {

/// A call whose tensors lie on the variant's device; outputs are NaN.
struct PreparedLoop {
  LoopCase call;
  Variant variant;
  std::deque<GuardedTensor> tensors; // do not move
  std::deque<Tensor> views;
  std::vector<Arg> args;

  PreparedLoop(const Variant &variant, LoopShape shape, Random &random)
      : call(variant.info->source, shape, random, Values::random), variant(variant) {
    for (const LoopCase::Operand &operand : call.operands()) {
      tensors.emplace_back(operand.dtype, operand.shape);
      if (!operand.isOutput)
        tensors.back().setValues(operand.values);
      EXPECT_OK(tensors.back().upload(variant.device));
      args.push_back(views.emplace_back(tensors.back().on(variant.device)));
    }
    args.insert(args.end(), call.scalars().begin(), call.scalars().end());
  }
  Status launch(Stream stream) { return test::launch(*variant.info, stream, args, options().seed); }
  /// On the device's own stream.
  Status launch() {
    return launch(variant.device == Device::host ? Stream::host() : Stream::cuda());
  }
  /// When nothing runs: outputs are NaN again.
  void clear() {
    for (size_t i = 0; i < tensors.size(); ++i)
      if (call.operands()[i].isOutput) {
        tensors[i].setValues(std::vector<double>(static_cast<size_t>(tensors[i].elements()),
                                                 std::numeric_limits<double>::quiet_NaN()));
        EXPECT_OK(tensors[i].upload(variant.device));
      }
  }
  /// Behind all launches.
  Status check() {
    std::vector<std::vector<double>> outputs;
    for (size_t i = 0; i < tensors.size(); ++i)
      if (call.operands()[i].isOutput) {
        if (Status status = tensors[i].download(variant.device); !status.ok())
          return status;
        outputs.push_back(tensors[i].values());
      }
    return call.check(outputs);
  }
};

} // namespace tile::test

#endif // TEST_KERNELS_PREPAREDLOOP_H
