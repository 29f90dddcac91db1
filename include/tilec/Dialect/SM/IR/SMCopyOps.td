//===- SMCopyOps.td - memory accesses and asynchronous copies -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_SM_COPY_OPS_TD
#define TILEC_SM_COPY_OPS_TD

include "tilec/Dialect/SM/IR/SMOpBase.td"

def SM_SharedBaseOp : SM_Op<"shared_base", [Pure]> {
  let summary = "address of the CTA's dynamic shared memory, a multiple of 1024";
  let description = "Example: `%base = sm.shared_base`";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

class SM_LoadOp<string mnemonic, Type address, string space> : SM_Op<mnemonic> {
  let summary = "reads 1, 2, 4, 8 or 16 bytes of " # space # " memory at an address that is a multiple of them";
  let arguments = (ins Arg<address, "", [MemRead]>:$address);
  let results = (outs SM_Value:$result);
  let assemblyFormat = "$address attr-dict `:` type($result)";
  let hasVerifier = 1;
}

class SM_StoreOp<string mnemonic, Type address, string space> : SM_Op<mnemonic> {
  let summary = "writes 1, 2, 4, 8 or 16 bytes of " # space # " memory at an address that is a multiple of them";
  let arguments = (ins SM_Value:$value, Arg<address, "", [MemWrite]>:$address);
  let assemblyFormat = "$value `,` $address attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def SM_LoadGlobalOp : SM_LoadOp<"load_global", I64, "global"> {
  let description = "Example: `%v = sm.load_global %address : vector<8xbf16>`";
}
def SM_StoreGlobalOp : SM_StoreOp<"store_global", I64, "global"> {
  let description = "Example: `sm.store_global %v, %address : vector<8xbf16>`";
}
def SM_LoadSharedOp : SM_LoadOp<"load_shared", I32, "shared"> {
  let description = "Example: `%v = sm.load_shared %address : vector<4xf32>`";
}
def SM_StoreSharedOp : SM_StoreOp<"store_shared", I32, "shared"> {
  let description = "Example: `sm.store_shared %v, %address : f32`";
}

def SM_CpAsyncOp : SM_Op<"cp_async"> {
  let summary = "starts a copy of `sourceBytes` bytes from global to shared memory, zero-filled to `bytes`";
  let description = [{
    `bytes` is 4, 8 or 16; both addresses are multiples of it; 16 bytes bypass L1. With 0 source
    bytes nothing is read, so the source may be any address.
    Example: `sm.cp_async %target, %source, %n {bytes = 16 : i64}`
  }];
  let arguments = (ins I32:$target, I64:$source, I32:$sourceBytes, I64Attr:$bytes);
  let assemblyFormat = "$target `,` $source `,` $sourceBytes attr-dict";
  let hasVerifier = 1;
}

def SM_CpAsyncCommitOp : SM_Op<"cp_async_commit"> {
  let summary = "closes the group of the copies that this thread started since the last one";
  let description = "Example: `sm.cp_async_commit`";
  let assemblyFormat = "attr-dict";
}

class SM_PendingOp<string mnemonic> : SM_Op<mnemonic> {
  let hasVerifier = 1;
}

def SM_CpAsyncWaitOp : SM_PendingOp<"cp_async_wait"> {
  let summary = "waits until at most `pending` of this thread's groups are unfinished";
  let description = "Other threads see the data after a barrier. Example: `sm.cp_async_wait {pending = 0 : i64}`";
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "attr-dict";
}

def SM_CpAsyncArriveOp : SM_Op<"cp_async_arrive"> {
  let summary = "makes an arrival at the mbarrier once all copies that this thread has started are done";
  let description = [{
    Every thread that executes it is one of the arrivals that the barrier counts. Who waits for the
    barrier sees the copies as generic writes: a matrix product needs `sm.fence_proxy` after the wait.
    Example: `sm.cp_async_arrive %bar`
  }];
  let arguments = (ins I32:$barrier);
  let assemblyFormat = "$barrier attr-dict";
}

def SM_TmaLoadOp : SM_Op<"tma_load"> {
  let summary = "starts a tiled TMA load to shared memory; its bytes count down at `barrier`";
  let description = [{
    Coordinates are elements, innermost dimension first. One thread issues it.
    Example: `sm.tma_load %target, %map[%x, %y], %bar : !sm.tensor_map`
  }];
  let arguments = (ins I32:$target, SM_TensorMapType:$map, Variadic<I32>:$coordinates, I32:$barrier);
  let assemblyFormat = "$target `,` $map `[` $coordinates `]` `,` $barrier attr-dict `:` type($map)";
  let hasVerifier = 1;
}

def SM_TmaStoreOp : SM_Op<"tma_store"> {
  let summary = "starts a tiled TMA store from shared memory; `sm.tma_commit` closes the group";
  let description = "Example: `sm.tma_store %map[%x, %y], %source : !sm.tensor_map`";
  let arguments = (ins SM_TensorMapType:$map, Variadic<I32>:$coordinates, I32:$source);
  let assemblyFormat = "$map `[` $coordinates `]` `,` $source attr-dict `:` type($map)";
  let hasVerifier = 1;
}

def SM_TmaPrefetchOp : SM_Op<"tma_prefetch"> {
  let summary = "prefetches the tensor map itself";
  let description = "Example: `sm.tma_prefetch %map : !sm.tensor_map`";
  let arguments = (ins SM_TensorMapType:$map);
  let assemblyFormat = "$map attr-dict `:` type($map)";
}

def SM_BulkLoadOp : SM_Op<"bulk_load"> {
  let summary = "starts a one-dimensional bulk copy to shared memory; its bytes count down at `barrier`";
  let description = [{
    Addresses and `bytes` are multiples of 16.
    Example: `sm.bulk_load %target, %source, %bytes, %bar`
  }];
  let arguments = (ins I32:$target, I64:$source, I32:$bytes, I32:$barrier);
  let assemblyFormat = "$target `,` $source `,` $bytes `,` $barrier attr-dict";
  let hasVerifier = 1;
}

def SM_TmaCommitOp : SM_Op<"tma_commit"> {
  let summary = "closes the group of the bulk stores that this thread started";
  let description = "Example: `sm.tma_commit`";
  let assemblyFormat = "attr-dict";
}

def SM_TmaWaitOp : SM_PendingOp<"tma_wait"> {
  let summary = "waits until at most `pending` bulk store groups are unfinished";
  let description = [{
    With `read` it waits only until their shared memory has been read and may be overwritten.
    Example: `sm.tma_wait {pending = 0 : i64, read}`
  }];
  let arguments = (ins I64Attr:$pending, UnitAttr:$read);
  let assemblyFormat = "attr-dict";
}

#endif // TILEC_SM_COPY_OPS_TD
