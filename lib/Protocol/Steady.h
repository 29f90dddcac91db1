//===- Steady.h - one steady-state iteration, with estimated cycles -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_STEADY_H
#define TILEC_LIB_PROTOCOL_STEADY_H

#include "tilec/Conversion/PipeToSM.h"
#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Protocol/Program.h"

namespace tilec {

/// One line of a role's iteration.
struct Item {
  enum class Kind {
    Acquire,
    Load,
    Wait,
    Release,
    Issue,
    Finish,
    Drain,
    Work,
    TurnWait,
    TurnPass,
    Meet
  };
  Kind kind;
  unsigned channel = 0;
  int64_t offset = 0;     // of the slot's use, against the iteration: 0 or -1
  int64_t product = 0;    // Issue, Finish: its number in the iteration, from 1
  int64_t pending = 0;    // Finish, Drain
  int64_t bytes = 0;      // Load
  bool byThreads = false; // Load: rows at an index tile, by the producer's threads
  int64_t cycles = 0;     // Issue, Work: of a warpgroup alone on its SM. Load: of the copy
  std::string text = {};
  std::string part = {}; // Load: what it fills, if not all of the slot
};

/// A loop of the consumers, and the producer's loop that feeds it (perhaps none).
struct Steady {
  mlir::scf::ForOp loop;
  std::vector<Item> producer, consumer;
};

/// What both pictures show of a kernel.
struct Overview {
  std::vector<protocol::Channel> channels;
  std::vector<mlir::pipe::ChannelOp> channelOps;
  int64_t groups = 1, ctasPerSM = 1;
  ProducerWork producer;
  std::vector<Steady> loops;
};

Overview overviewOf(mlir::tile::KernelOp kernel);
/// `file:line` of where the author wrote `op`.
std::string lineOf(mlir::Operation *op);

/// Bytes of a copy per cycle and SM out of L2 (9 TB/s over 132 SMs), and the time until the first
/// one arrives.
inline constexpr int64_t kCopyBytesPerCycle = 38, kCopyLatency = 600;

} // namespace tilec

#endif // TILEC_LIB_PROTOCOL_STEADY_H
