//===- Gemm.h - matrix products by wgmma or mma.sync -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_GEMM_H
#define TILEC_LIB_CONVERSION_TILETOSM_GEMM_H

#include "Address.h"

namespace tilec::to_sm {

/// The converted operands of a gemm: a shared tile is its address, a fragment its registers.
struct GemmOperands {
  Value a, b, acc;
};

/// K of one instruction: 32 bytes of either operand.
inline int64_t kOfInstruction(Type element) { return 256 / element.getIntOrFloatBitWidth(); }

/// Registers of a fragment A for K step `step` of row block `block` (64 rows of a warpgroup, or 16
/// of a warp), as the instruction wants them. `kSteps` is the number of steps of the whole operand.
Value registersOfA(Emitter e, Value fragment, int64_t block, int64_t step, int64_t kSteps);
/// True if a fragment A of this layout has its registers where the accumulator's instruction reads
/// them: the accumulator's rows and warps, columns along K, every warp along N holding a copy.
bool feedsAccumulator(const FragmentLayout &a, const FragmentLayout &acc);

mlir::FailureOr<Value> lowerToWgmma(Emitter e, const KernelState &state, mlir::tile::GemmOp op,
                                    const GemmOperands &operands);
mlir::FailureOr<Value> lowerToMmaSync(Emitter e, const KernelState &state, mlir::tile::GemmOp op,
                                      const GemmOperands &operands);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_GEMM_H
