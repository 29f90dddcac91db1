//===- SMAtomicOps.td - atomic operations and memory fences ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_ATOMIC_OPS_TD
#define TILEC_SM_ATOMIC_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

def SM_AtomicValue : AnyTypeOf<[I32, I64, F32], "i32, i64 or f32">;

// As asm, not llvm.atomicrmw: the PTX back end of LLVM 22 drops order and scope.

class SM_AtomicOp<string mnemonic, Type address, string space> : SM_Op<mnemonic> {
  let summary = "combines a value with one element of " # space # " memory, atomically";
  let arguments = (ins SM_AtomicKind:$kind, SM_MemoryOrder:$order, SM_MemoryScope:$scope,
                       SM_AtomicValue:$value, Arg<address, "", [MemRead, MemWrite]>:$address,
                       Optional<SM_AtomicValue>:$compare);
  let results = (outs Optional<SM_AtomicValue>:$old);
  let assemblyFormat = [{
    $kind $order $scope $value `,` $address (`compare` $compare^ `:` type($compare))? attr-dict
    `:` type($value) (`->` type($old)^)?
  }];
  let hasVerifier = 1;
}

def SM_AtomicGlobalOp : SM_AtomicOp<"atomic_global", I64, "global"> {
  let description = [{
    f32 has add and exch; integers have all kinds but inc, which i32 has: it adds 1, and gives 0 after `value`.
    `old` is what was there before.
    Example: `%old = sm.atomic_global add relaxed gpu %v, %address : i32 -> i32`
  }];
}
def SM_AtomicSharedOp : SM_AtomicOp<"atomic_shared", I32, "shared"> {
  let description = "Example: `sm.atomic_shared add relaxed cta %v, %address : i32`";
}

def SM_FenceOp : SM_Op<"fence"> {
  let summary = "memory accesses of the thread before it, and those it has seen, are ordered before those after it";
  let description = "Example: `sm.fence acq_rel gpu`";
  let arguments = (ins SM_MemoryOrder:$order, SM_MemoryScope:$scope);
  let assemblyFormat = "$order $scope attr-dict";
  let hasVerifier = 1;
}

#endif // TILEC_SM_ATOMIC_OPS_TD
