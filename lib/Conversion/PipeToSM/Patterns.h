//===- Patterns.h - what the files of the pipe lowering share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_PIPETOSM_PATTERNS_H
#define TILEC_LIB_CONVERSION_PIPETOSM_PATTERNS_H

#include "../TileToSM/Gemm.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"

namespace tilec::to_sm {

constexpr int64_t kBarrierBytes = 8, kGroupWarps = 4;

/// A channel's values: the address of its slots, and of its first barrier.
struct Channel {
  Value slots, barriers; // i32
  int64_t stages, slotBytes;

  Channel(mlir::pipe::ChannelType type, mlir::ValueRange values)
      : slots(values[0]), barriers(values[1]), stages(type.getStages()),
        slotBytes(type.getSlot().getLayout().bytes()) {}
};
/// Where a role is in its rings: both values are i32.
struct Cursor {
  Value stage, parity;
  explicit Cursor(mlir::ValueRange values) : stage(values[0]), parity(values[1]) {}
};

/// Address of the slot's tile, and of its two barriers: complete when it is full, or empty.
Value slotAddress(Emitter e, const Channel &channel, const Cursor &cursor);
Value fullBarrier(Emitter e, const Channel &channel, const Cursor &cursor);
Value emptyBarrier(Emitter e, const Channel &channel, const Cursor &cursor);
/// Emits what one thread of the producer does, which may be the only one here.
void emitOnce(Emitter e, const KernelState &state, llvm::function_ref<void(Emitter)> body);
/// How many arrivals say that a slot is full.
inline int64_t fillArrivals(const ChannelPlace &channel) {
  return channel.copiers ? channel.copiers : 1;
}
/// How many arrivals say that a slot may be filled again.
int64_t releaseArrivals(const ChannelPlace &channel, const KernelState &state);

void populateChannelPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                             KernelState &state);
void populatePipeLoadPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                              KernelState &state);
void populatePipeGatherPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                                KernelState &state);
void populatePipeMmaPatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                             KernelState &state);
void populateRolePatterns(mlir::RewritePatternSet &patterns, const mlir::TypeConverter &types,
                          KernelState &state);

} // namespace tilec::to_sm

#endif // TILEC_LIB_CONVERSION_PIPETOSM_PATTERNS_H
