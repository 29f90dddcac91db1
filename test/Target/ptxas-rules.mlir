// RUN: env TILEC_PTXAS=%S/Inputs/fake-ptxas.sh FAKE_PTXAS_LOG=%S/Inputs/ptxas-notices.log \
// RUN:   tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null -verify-diagnostics
// RUN: env TILEC_PTXAS=%S/Inputs/fake-ptxas.sh FAKE_PTXAS_LOG=%S/Inputs/ptxas-notices.log \
// RUN:   tile-opt %s --pass-pipeline='builtin.module(sm-to-llvm,print-cubin-report{allow-spills=true})' -o /dev/null \
// RUN:   | FileCheck %s
// RUN: env TILEC_PTXAS=%S/Inputs/fake-ptxas.sh FAKE_PTXAS_LOG=%S/Inputs/ptxas-error.log FAKE_PTXAS_STATUS=255 \
// RUN:   not tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: env TILEC_PTXAS=/no/such/ptxas not tile-opt %s --sm-to-llvm --print-cubin-report -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING

// CHECK: kernel: 168 registers, 9 barriers, 24 bytes stack, 16/20 bytes spilled, 1 notices
// ERROR: error: ptxas rejects kernel 'kernel'
// ERROR: note: error   : Arguments mismatch for instruction 'bar'
// ERROR: note: in: .target sm_90a
// ERROR: note: ptxas fatal   : Ptx assembly aborted due to errors
// MISSING: error: expected to run /no/such/ptxas

// expected-error @below {{kernel 'kernel' spills 16 bytes of stores and 20 of loads per thread at 168 registers, 0 are allowed; use smaller tiles, more warps, or fewer CTAs per SM (--allow-spills accepts it)}}
// expected-error @below {{kernel 'kernel' loses performance, ptxas notice C7512: Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'kernel'; too few registers for the wgmma operands: use smaller tiles, more warps, or fewer CTAs per SM}}
func.func @kernel() attributes {tile.num_warps = 4 : i64} {
  sm.barrier
  return
}
