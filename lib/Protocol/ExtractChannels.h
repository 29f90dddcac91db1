//===- ExtractChannels.h - what the protocol knows of rings and copies -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_EXTRACTCHANNELS_H
#define TILEC_LIB_PROTOCOL_EXTRACTCHANNELS_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

inline constexpr int64_t kGroupWarps = 4, kWarpThreads = 32;

/// Slots and arrivals of a ring that `groups` consumer warpgroups empty. It has no source yet.
Channel describeChannel(mlir::pipe::ChannelOp op, int64_t groups, int64_t producerWarps);
/// Names them after the tensors that are loaded through them, or else by their numbers.
void nameChannels(mlir::tile::KernelOp kernel, mlir::pipe::SpecializeOp roles,
                  const llvm::DenseMap<mlir::Value, unsigned> &numbers,
                  std::vector<Channel> &channels);
/// A load by TMA, with its bytes and its part of the slot.
Step describeLoad(mlir::pipe::LoadOp op, mlir::tile::KernelOp kernel, Step step);

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_EXTRACTCHANNELS_H
