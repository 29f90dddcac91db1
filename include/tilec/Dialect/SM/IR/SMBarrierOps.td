//===- SMBarrierOps.td - barriers and fences ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_BARRIER_OPS_TD
#define TILEC_SM_BARRIER_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

def SM_BarrierOp : SM_Op<"barrier"> {
  let summary = "all threads of the CTA meet (barrier 0); shared-memory accesses before it are seen after it";
  let description = "Example: `sm.barrier`";
  let assemblyFormat = "attr-dict";
}

def SM_WarpBarrierOp : SM_Op<"warp_barrier"> {
  let summary = "the lanes of the warp meet; memory accesses of all of them before it are seen after it";
  let description = "Example: `sm.warp_barrier`";
  let assemblyFormat = "attr-dict";
}

def SM_NamedBarrierOp : SM_Op<"named_barrier"> {
  let summary = "`threads` threads meet at barrier `id`; with `arrive` the thread does not wait";
  let description = [{
    `id` is 0 to 15, `threads` a multiple of 32; both are uniform over a warp. Constants are checked,
    and a constant id lets ptxas reserve one barrier instead of all 16.
    Example: `sm.named_barrier %id, %threads {arrive}`
  }];
  let arguments = (ins I32:$id, I32:$threads, UnitAttr:$arrive);
  let assemblyFormat = "$id `,` $threads attr-dict";
  let hasVerifier = 1;
}

def SM_FenceProxyOp : SM_Op<"fence_proxy"> {
  let summary = "generic writes to shared memory before it are seen by wgmma and TMA after it";
  let description = "Example: `sm.fence_proxy`";
  let assemblyFormat = "attr-dict";
}

def SM_BarrierInitOp : SM_Op<"barrier_init"> {
  let summary = "makes an mbarrier of the 8 bytes at `address`, with `count` arrivals per phase";
  let description = "One thread does it; then `sm.fence_barrier_init` and `sm.barrier`. Example: `sm.barrier_init %bar, %n`";
  let arguments = (ins I32:$address, I32:$count);
  let assemblyFormat = "$address `,` $count attr-dict";
  let hasVerifier = 1;
}

def SM_FenceBarrierInitOp : SM_Op<"fence_barrier_init"> {
  let summary = "initialised mbarriers are seen by the async proxy";
  let description = "Example: `sm.fence_barrier_init`";
  let assemblyFormat = "attr-dict";
}

def SM_BarrierArriveOp : SM_Op<"barrier_arrive"> {
  let summary = "one arrival at an mbarrier, where `predicate` holds or is absent";
  let description = [{
    The predicate is for one elected thread without a branch.
    Example: `sm.barrier_arrive %bar if %first`
  }];
  let arguments = (ins I32:$address, Optional<I1>:$predicate);
  let assemblyFormat = "$address (`if` $predicate^)? attr-dict";
}

def SM_BarrierArriveExpectTxOp : SM_Op<"barrier_arrive_expect_tx"> {
  let summary = "one arrival that also announces `bytes` bytes of asynchronous copies";
  let description = "Example: `sm.barrier_arrive_expect_tx %bar, %bytes`";
  let arguments = (ins I32:$address, I32:$bytes);
  let assemblyFormat = "$address `,` $bytes attr-dict";
}

def SM_BarrierTryWaitOp : SM_Op<"barrier_try_wait"> {
  let summary = "waits (tries until it succeeds) for the phase of parity `parity` to complete";
  let description = "Example: `sm.barrier_try_wait %bar, %parity`";
  let arguments = (ins I32:$address, I32:$parity);
  let assemblyFormat = "$address `,` $parity attr-dict";
}

#endif // TILEC_SM_BARRIER_OPS_TD
