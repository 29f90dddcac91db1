//===- ScalarProgram.h - scalars of `arith`, computed often ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_TEST_UNIT_TRANSFORMS_SCALARPROGRAM_H
#define TILEC_TEST_UNIT_TRANSFORMS_SCALARPROGRAM_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace tilec::test {

/// All that some values are computed from, in order. Integers of any width are kept as signed
/// numbers, so a true i1 is -1.
class ScalarProgram {
public:
  explicit ScalarProgram(llvm::ArrayRef<mlir::Value> results);

  /// What no operation of `arith` computes: the program's arguments.
  const std::vector<mlir::Value> &inputs() const { return leaves; }
  /// Where a value's number is.
  unsigned slotOf(mlir::Value value) const { return slots.lookup(value); }
  static unsigned widthOf(mlir::Value value);
  void set(unsigned slot, unsigned width, int64_t number) {
    numbers[slot] = wrapped(number, width);
  }
  int64_t get(unsigned slot) const { return numbers[slot]; }
  void run();

  static int64_t wrapped(uint64_t number, unsigned width) {
    return int64_t(number << (64 - width)) >> (64 - width);
  }

private:
  struct Step {
    mlir::Operation *op;
    int kind;
    unsigned width, result, operands[3];
  };
  unsigned add(mlir::Value value);
  int64_t compute(const Step &step) const;

  std::vector<mlir::Value> leaves;
  std::vector<Step> steps;
  std::vector<int64_t> numbers;
  llvm::DenseMap<mlir::Value, unsigned> slots;
};

} // namespace tilec::test

#endif // TILEC_TEST_UNIT_TRANSFORMS_SCALARPROGRAM_H
