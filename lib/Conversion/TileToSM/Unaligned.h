//===- Unaligned.h - vectors at addresses of an element ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_UNALIGNED_H
#define TILEC_LIB_CONVERSION_TILETOSM_UNALIGNED_H

#include "Lowering.h"

namespace tilec::to_sm {

/// A vector in global memory whose address is only a multiple of an element. It is read and written
/// in pieces, not a byte more. Elements of two bytes go in pairs: the words that lie within the
/// vector, and one element at either end or, at a multiple of four, the two of the first word.
class UnalignedVector {
public:
  UnalignedVector(Emitter e, mlir::VectorType type, Value address);

  SmallVector<Value> loadPieces() const;
  /// The pieces of a vector full of `pad`.
  SmallVector<Value> padPieces(mlir::TypedAttr pad) const;
  /// Joining waits for the pieces, so all loads should stand before.
  Value join(ArrayRef<Value> pieces) const;
  void store(Value value) const;

private:
  bool inPairs() const;
  /// A word that begins at an even element, from 1.
  Value wordAddress(int64_t index) const;
  Value secondAddress() const;
  void storePairs(Value value) const;

  Emitter e;
  mlir::VectorType type;
  Value address, odd; // odd: not a multiple of four
};

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_UNALIGNED_H
