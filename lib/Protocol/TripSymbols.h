//===- TripSymbols.h - trip counts by their bounds -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_TRIPSYMBOLS_H
#define TILEC_LIB_PROTOCOL_TRIPSYMBOLS_H

#include "tilec/Dialect/Pipe/IR/Pipe.h"
#include "tilec/Protocol/Program.h"

namespace tilec::protocol {

/// Gives loops with the same upper bound and step, whose lower bounds are some steps apart, one
/// symbol: the trips of the one that starts first. Bounds are compared as SSA values.
class TripSymbols {
public:
  /// All loops have to be known before the first question.
  void add(mlir::scf::ForOp loop);
  Trips trips(mlir::scf::ForOp loop) const;
  /// If `condition` says that a loop from one of its operands to the other one runs at least once.
  std::optional<Trips> someTrips(mlir::Value condition) const;
  /// One value for what both roles compute with the same result: a condition, say, that depends on
  /// the work item. `value` itself if it is not such a thing.
  mlir::Value inBothRoles(mlir::Value value) const;
  unsigned count() const { return symbols.size(); }

private:
  /// A lower bound as `steps` steps above `base` (null: above the constant `residue`).
  struct Start {
    mlir::Value base;
    int64_t residue = 0, steps = 0;
  };
  struct Symbol {
    mlir::Value upper, step;
    Start first;
  };
  Start startOf(mlir::Value lower, mlir::Value step) const;
  std::optional<Trips> find(mlir::Value lower, mlir::Value upper, mlir::Value step) const;

  std::vector<Symbol> symbols;
  /// The first value seen of each result of each operation that both roles do.
  mutable llvm::DenseMap<std::pair<int64_t, unsigned>, mlir::Value> shared;
};

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_TRIPSYMBOLS_H
