//===- Atomic.h - one atomic operation of one thread -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOSM_ATOMIC_H
#define TILEC_LIB_CONVERSION_TILETOSM_ATOMIC_H

#include "Lowering.h"

namespace tilec::to_sm {

/// What an operation does to each of its elements.
struct AtomicUpdate {
  mlir::tile::AtomicKind kind;
  mlir::sm::MemoryOrder order;
  mlir::sm::MemoryScope scope;
  bool shared; // addresses are of shared memory
  bool wantsOld;

  template <class Op> static AtomicUpdate of(Op op, bool wantsOld) {
    bool shared = llvm::isa<mlir::tile::SharedType>(op.getTarget().getType());
    return {op.getKind(), static_cast<mlir::sm::MemoryOrder>(op.getOrder()),
            shared ? mlir::sm::MemoryScope::Cta : static_cast<mlir::sm::MemoryScope>(op.getScope()),
            shared, wantsOld};
  }
  bool releases() const {
    return order == mlir::sm::MemoryOrder::Release || order == mlir::sm::MemoryOrder::AcqRel;
  }
  bool acquires() const {
    return order == mlir::sm::MemoryOrder::Acquire || order == mlir::sm::MemoryOrder::AcqRel;
  }

  /// Emits the operation; returns the old value, null unless it is wanted. `compare` is null but
  /// for cas.
  Value emit(Emitter e, Value value, Value address, Value compare) const;
  /// The same where `condition` holds (null: always); elsewhere the old value is 0.
  Value emitIf(Emitter e, Value condition, Value value, Value address, Value compare) const;
};

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_TILETOSM_ATOMIC_H
