//===- Program.h - a kernel as a list of instructions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A value lives at a fixed place in a warp's registers: element by element, 32 lanes each, so that
// plain arithmetic is a loop over lanes. It runs for all lanes; only memory accesses, exchanges and
// the copies at the ends of regions look at which lanes are active.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_PROGRAM_H
#define TILEC_LIB_INTERPRETER_PROGRAM_H

#include "Numbers.h"

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace tilec::interp {

constexpr uint32_t kLanes = 32;

class Warp;

enum class Outcome {
  next,    // go on with the next instruction
  jump,    // the handler has set the program counter
  blocked, // try again when something has happened
  failed,  // a fault was reported
  ended,
};

struct Instr {
  using Handler = Outcome (*)(Warp &, const Instr &);

  Handler run = nullptr;
  /// Byte offsets in a warp's registers; some handlers use them otherwise.
  uint32_t dst = 0, a = 0, b = 0, c = 0;
  /// Elements per lane.
  uint32_t count = 1;
  /// A place in the program, or in one of its tables.
  uint32_t target = 0;
  int64_t imm = 0;
  mlir::Operation *op = nullptr;
};

/// Where a value is.
struct Place {
  uint32_t offset = 0, count = 1;
  Kind kind = Kind::I32;
  uint32_t id = 0; // number of the value

  uint32_t wordBytes() const { return interp::wordBytes(kind); }
};

/// A value handed on to a region's result or argument, for the active lanes.
struct Copy {
  Place from, to;
};

struct Program {
  std::vector<Instr> code;
  std::vector<std::vector<Copy>> copies;
  /// Operand lists of instructions with many.
  std::vector<std::vector<Place>> lists;
  /// Permutations: element of the source, by element of the result.
  std::vector<std::vector<uint32_t>> tables;
  /// Kernel arguments in order; tensor maps have the place of a 32-bit word with their number.
  std::vector<Place> arguments;
  std::vector<bool> isMap;

  uint32_t registerBytes = 0, numValues = 0;
  uint32_t numWarps = 1, sharedBytes = 0;
  std::string name;
};

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_PROGRAM_H
