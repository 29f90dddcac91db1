//===- Chain.h - an accumulator in flight around a loop -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_DIALECT_PIPE_TRANSFORMS_CHAIN_H
#define TILEC_LIB_DIALECT_PIPE_TRANSFORMS_CHAIN_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"

namespace tilec {

/// A loop whose one product adds to the accumulator that it carries, and does nothing else with it.
struct ChainedLoop {
  mlir::scf::ForOp loop;
  mlir::tile::GemmOp gemm;
  unsigned carried = 0; // index of the accumulator among the carried values
};

std::optional<ChainedLoop> findChain(mlir::scf::ForOp loop);
/// Rewrites the loop so that one product is in flight while the next one's slots are awaited.
void keepInFlight(const ChainedLoop &chain, mlir::OpBuilder &builder);

} // namespace tilec

#endif // TILEC_LIB_DIALECT_PIPE_TRANSFORMS_CHAIN_H
