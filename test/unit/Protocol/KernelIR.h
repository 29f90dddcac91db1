//===- KernelIR.h - library kernels in `pipe`, for the proofs' tests -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TEST_UNIT_PROTOCOL_KERNELIR_H
#define TEST_UNIT_PROTOCOL_KERNELIR_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Protocol/Extract.h"

#include "mlir/IR/BuiltinOps.h"

namespace tilec::test {

/// One kernel, lowered to where pipe-verify-protocol looks at it.
class KernelIR {
public:
  /// `symbol` as of a library variant: name__dtype__field1value1_field2value2.
  explicit KernelIR(const std::string &symbol);

  mlir::tile::KernelOp kernel();
  /// Nothing if the kernel takes the simple path; a failure of the test if it cannot be read.
  std::optional<protocol::Extraction> extract();

  /// Operations of a kind in a role, in order; with a channel, only that channel's (by its number).
  template <typename Op> std::vector<Op> ops(int channel = -1) {
    std::vector<Op> found;
    kernel().walk([&](Op op) {
      if (channel < 0 || numberOf(op) == channel)
        found.push_back(op);
    });
    return found;
  }

private:
  template <typename Op> int numberOf(Op op) {
    if constexpr (requires { op.getChannel(); }) {
      int number = 0;
      for (auto channel : kernel().getBody().front().template getOps<mlir::pipe::ChannelOp>()) {
        if (channel.getResult() == op.getChannel())
          return number;
        ++number;
      }
    }
    return -1;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace tilec::test

#endif // TEST_UNIT_PROTOCOL_KERNELIR_H
