//===- Assembler.h - from a function's IR to a program ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_INTERPRETER_ASSEMBLER_H
#define TILEC_LIB_INTERPRETER_ASSEMBLER_H

#include "Program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tilec::interp {

/// Emits instructions; each family of operations has a function that knows its operations.
class Assembler {
public:
  explicit Assembler(Program &program) : program(program) {}

  llvm::LogicalResult assemble(mlir::func::FuncOp kernel);
  llvm::LogicalResult assembleBlock(mlir::Block &block);

  /// The place of a value; a new one at its definition.
  Place place(mlir::Value value);
  /// A place that belongs to no value.
  Place temporary(Kind kind, uint32_t count);
  /// An instruction with the places of the operation's result and first three operands.
  Instr &emit(mlir::Operation *op, Instr::Handler run);
  Instr &emitAt(mlir::Operation *op, Instr::Handler run);
  /// Copies that happen at once, for the active lanes.
  void emitCopies(mlir::Operation *op, llvm::ArrayRef<mlir::Value> from,
                  llvm::ArrayRef<mlir::Value> to);
  uint32_t addList(mlir::ValueRange values);
  uint32_t addTable(std::vector<uint32_t> table);
  uint32_t here() const { return static_cast<uint32_t>(program.code.size()); }

  Program &program;

private:
  llvm::LogicalResult assembleOp(mlir::Operation *op);
  void findMatrixRegisters(mlir::func::FuncOp kernel);
  void checkLanded(mlir::Operation *op);
  void stampResult(mlir::Operation *op);
  llvm::LogicalResult checkTypes(mlir::Operation *op);

  llvm::DenseMap<mlir::Value, Place> places;
  /// Values that may be accumulators in flight; values that wgmma reads from registers.
  llvm::DenseSet<mlir::Value> inFlight, operandsOfWgmma;
};

// Each returns false if the operation is not of its family.
bool assembleArith(Assembler &assembler, mlir::Operation *op);
bool assembleFloat(Assembler &assembler, mlir::Operation *op);
bool assembleVector(Assembler &assembler, mlir::Operation *op);
bool assembleWarp(Assembler &assembler, mlir::Operation *op);
bool assembleMemory(Assembler &assembler, mlir::Operation *op);
bool assembleAtomic(Assembler &assembler, mlir::Operation *op);
bool assembleAsyncCopy(Assembler &assembler, mlir::Operation *op);
bool assembleTma(Assembler &assembler, mlir::Operation *op);
bool assembleMatrix(Assembler &assembler, mlir::Operation *op);
bool assembleWgmma(Assembler &assembler, mlir::Operation *op);
bool assembleDebug(Assembler &assembler, mlir::Operation *op);
bool assembleBarrier(Assembler &assembler, mlir::Operation *op);
/// Control flow: fails where a nested operation has no model.
std::optional<llvm::LogicalResult> assembleControl(Assembler &assembler, mlir::Operation *op);

// Instructions that are no operation of the IR.
Outcome runCopies(Warp &warp, const Instr &instr);
Outcome runStamp(Warp &warp, const Instr &instr);
Outcome runCheckLanded(Warp &warp, const Instr &instr);
Outcome runEnd(Warp &warp, const Instr &instr);

} // namespace tilec::interp

#endif // TILEC_LIB_INTERPRETER_ASSEMBLER_H
