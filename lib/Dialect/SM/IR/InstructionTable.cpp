//===- InstructionTable.cpp - what each sm op becomes ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/InstructionTable.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::sm;

using enum InstructionForm;

// clang-format off
static constexpr Instruction table[] = {
    {"sm.apart",                    Asm,       "",                                             20, 20, false},
    {"sm.atomic_global",            Asm,       "atom.global",                                  70, 60, false},
    {"sm.atomic_shared",            Asm,       "atom.shared",                                  70, 60, false},
    {"sm.barrier",                  NVVM,      "nvvm.barrier",                                 70, 60, false},
    {"sm.barrier_arrive",           Asm,       "mbarrier.arrive.shared::cta.b64",              80, 78, false},
    {"sm.barrier_arrive_expect_tx", NVVM,      "nvvm.mbarrier.arrive.expect_tx",               90, 80, false},
    {"sm.barrier_init",             NVVM,      "nvvm.mbarrier.init",                           80, 70, false},
    {"sm.barrier_try_wait",         NVVM,      "nvvm.mbarrier.try_wait.parity",                90, 78, false},
    {"sm.behind",                   LLVM,      "llvm.select",                                  20, 20, false},
    {"sm.bulk_load",                NVVM,      "nvvm.cp.async.bulk.shared.cluster.global",     90, 80, false},
    {"sm.cos",                      Intrinsic, "llvm.nvvm.cos.approx.ftz.f",                   20, 14, false},
    {"sm.cp_async",                 Asm,       "cp.async",                                     80, 70, false},
    {"sm.cp_async_arrive",          Asm,       "cp.async.mbarrier.arrive.noinc",               80, 70, false},
    {"sm.cp_async_commit",          NVVM,      "nvvm.cp.async.commit.group",                   80, 70, false},
    {"sm.cp_async_wait",            NVVM,      "nvvm.cp.async.wait.group",                     80, 70, false},
    {"sm.cta_id",                   NVVM,      "nvvm.read.ptx.sreg.ctaid.x",                   20, 20, false},
    {"sm.cvt_pack",                 Intrinsic, "llvm.nvvm.ff2bf16x2.rn",                       89, 81, false},
    {"sm.cvt_unpack",               Intrinsic, "llvm.nvvm.e4m3x2.to.f16x2.rn",                 89, 81, false},
    {"sm.elect",                    NVVM,      "nvvm.elect.sync",                              90, 80, false},
    {"sm.exp2",                     Intrinsic, "llvm.nvvm.ex2.approx.ftz",                     20, 14, false},
    {"sm.fence",                    Asm,       "fence",                                        70, 60, false},
    {"sm.fence_barrier_init",       NVVM,      "nvvm.fence.mbarrier.init",                     90, 80, false},
    {"sm.fence_proxy",              NVVM,      "nvvm.fence.proxy",                             90, 80, false},
    {"sm.lane_id",                  NVVM,      "nvvm.read.ptx.sreg.tid.x",                     20, 20, false},
    {"sm.ldmatrix",                 Asm,       "ldmatrix.sync.aligned",                        75, 65, false},
    {"sm.load_global",              LLVM,      "llvm.load",                                    20, 20, false},
    {"sm.load_shared",              LLVM,      "llvm.load",                                    20, 20, false},
    {"sm.log2",                     Intrinsic, "llvm.nvvm.lg2.approx.ftz.f",                   20, 14, false},
    {"sm.mma",                      Intrinsic, "llvm.nvvm.mma",                                89, 84, false},
    {"sm.named_barrier",            NVVM,      "nvvm.barrier",                                 70, 60, false},
    {"sm.num_ctas",                 NVVM,      "nvvm.read.ptx.sreg.nctaid.x",                  20, 20, false},
    {"sm.opaque",                   Asm,       "",                                             20, 20, false},
    {"sm.order",                    Asm,       "bar.arrive",                                   70, 60, false},
    {"sm.print",                    LLVM,      "llvm.call",                                    20, 20, false},
    {"sm.rcp",                      Intrinsic, "llvm.nvvm.rcp.approx.ftz.f",                   20, 14, false},
    {"sm.rsqrt",                    Intrinsic, "llvm.nvvm.rsqrt.approx.ftz.f",                 20, 14, false},
    {"sm.set_registers",            NVVM,      "nvvm.setmaxregister",                          90, 80, true},
    {"sm.shared_base",              LLVM,      "llvm.mlir.addressof",                          20, 20, false},
    {"sm.shuffle",                  NVVM,      "nvvm.shfl.sync",                               30, 60, false},
    {"sm.sin",                      Intrinsic, "llvm.nvvm.sin.approx.ftz.f",                   20, 14, false},
    {"sm.sqrt",                     Intrinsic, "llvm.nvvm.sqrt.approx.ftz.f",                  20, 14, false},
    {"sm.stmatrix",                 NVVM,      "nvvm.stmatrix",                                90, 78, false},
    {"sm.store_global",             LLVM,      "llvm.store",                                   20, 20, false},
    {"sm.store_shared",             LLVM,      "llvm.store",                                   20, 20, false},
    {"sm.tanh",                     Asm,       "tanh.approx.f32",                              75, 70, false},
    {"sm.thread_id",                NVVM,      "nvvm.read.ptx.sreg.tid.x",                     20, 20, false},
    {"sm.tma_commit",               NVVM,      "nvvm.cp.async.bulk.commit.group",              90, 80, false},
    {"sm.tma_load",                 NVVM,      "nvvm.cp.async.bulk.tensor.shared.cluster.global", 90, 86, false},
    {"sm.tma_prefetch",             NVVM,      "nvvm.prefetch",                                90, 80, false},
    {"sm.tma_store",                NVVM,      "nvvm.cp.async.bulk.tensor.global.shared.cta",  90, 80, false},
    {"sm.tma_wait",                 NVVM,      "nvvm.cp.async.bulk.wait_group",                90, 80, false},
    {"sm.trap",                     Asm,       "trap",                                         20, 20, false},
    {"sm.vote",                     NVVM,      "nvvm.vote.sync",                               30, 60, false},
    {"sm.warp_barrier",             NVVM,      "nvvm.bar.warp.sync",                           70, 60, false},
    {"sm.warp_id",                  NVVM,      "nvvm.shfl.sync",                               30, 60, false},
    {"sm.wgmma",                    Asm,       "wgmma.mma_async.sync.aligned",                 90, 80, true},
    {"sm.wgmma_commit",             NVVM,      "nvvm.wgmma.commit.group.sync.aligned",         90, 80, true},
    {"sm.wgmma_fence",              NVVM,      "nvvm.wgmma.fence.aligned",                     90, 80, true},
    {"sm.wgmma_wait",               Asm,       "wgmma.wait_group.sync.aligned",                90, 80, true},
};
// clang-format on

llvm::ArrayRef<Instruction> mlir::sm::instructionTable() { return table; }

const Instruction *mlir::sm::findInstruction(llvm::StringRef op) {
  const auto *row = llvm::lower_bound(
      table, op, [](const Instruction &entry, llvm::StringRef name) { return entry.op < name; });
  return row != std::end(table) && row->op == op ? row : nullptr;
}
