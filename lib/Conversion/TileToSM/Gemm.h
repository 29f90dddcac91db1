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

/// What is multiplied, by a `tile.gemm` or a `pipe.mma`.
struct Product {
  Operation *op; // errors are reported here
  Type a;        // a shared tile or a fragment
  mlir::tile::SharedType b;
  mlir::RankedTensorType acc;
  bool transposeA, transposeB;

  /// The operands before conversion.
  Value handleA() const { return op->getOperand(0); }
  Value handleB() const { return op->getOperand(1); }
  int64_t m() const { return acc.getDimSize(0); }
  int64_t n() const { return acc.getDimSize(1); }
  int64_t k() const { return b.getShape().take_back(2)[transposeB ? 1 : 0]; }
  /// Matrices of B, each for an equal run of rows.
  int64_t groups() const { return b.getShape().size() == 3 ? b.getShape()[0] : 1; }
  Type elementA() const;
  Type elementB() const { return b.getElementType(); }
};
Product productOf(mlir::tile::GemmOp op);
/// What wgmma and mma.sync both ask for.
LogicalResult checkProduct(const Product &product);

/// K of one instruction: 32 bytes of either operand.
inline int64_t kOfInstruction(Type element) { return 256 / element.getIntOrFloatBitWidth(); }

/// The attribute `type_b` of an instruction: set where the operands' types differ.
mlir::TypeAttr mixedType(Type a, Type b);

/// The registers of a fragment A, two or four elements each.
Value wordsOfA(Emitter e, Value fragment);
/// Four of these words: K step `step` of row block `block` (64 rows of a warpgroup, or 16 of a
/// warp), as the instruction wants them. `kSteps` is the number of steps of the whole operand.
Value registersOfA(Emitter e, Value words, int64_t block, int64_t step, int64_t kSteps);
/// True if a fragment A of this layout, its elements `bits` wide, has its registers where the
/// accumulator's instruction reads them: the accumulator's rows and warps, columns along K, every
/// warp along N holding a copy.
bool feedsAccumulator(const FragmentLayout &a, const FragmentLayout &acc, int64_t bits);

/// `descriptor` with the start `address` in its field, in units of 16 bytes. Shared memory ends
/// below the field's 2^18 bytes, so multiples of 16 may be added in the field: where a slot in a
/// ring starts is one operation in the loop, behind the wait for the slot, instead of four. Not for
/// `isPart`, of a tile whose part the author chooses.
Value descriptorAt(Emitter e, Value address, bool isPart, uint64_t descriptor);

/// wgmmas that were started and closed as one group.
struct IssuedProduct {
  SmallVector<Value> chains; // accumulators still in flight; one after the other all registers
  Value words;               // A's registers, which are still read; null for A in shared memory
};
/// Starts a product. `accInFlight`: its accumulator is what an earlier group still writes.
mlir::FailureOr<IssuedProduct> issueWgmma(Emitter e, const KernelState &state,
                                          const Product &product, const GemmOperands &operands,
                                          bool accInFlight);
mlir::FailureOr<Value> lowerToWgmma(Emitter e, const KernelState &state, mlir::tile::GemmOp op,
                                    const GemmOperands &operands);
mlir::FailureOr<Value> lowerToMmaSync(Emitter e, const KernelState &state, mlir::tile::GemmOp op,
                                      const GemmOperands &operands);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_GEMM_H
