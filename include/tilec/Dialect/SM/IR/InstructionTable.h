//===- InstructionTable.h - what each sm op becomes --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_DIALECT_SM_IR_INSTRUCTIONTABLE_H
#define TILEC_DIALECT_SM_IR_INSTRUCTIONTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::sm {

/// How an op reaches LLVM.
enum class InstructionForm { NVVM, Intrinsic, Asm, LLVM };

/// One row: `op` becomes `target` (an NVVM or LLVM op, an intrinsic, or the stem of an asm text).
struct Instruction {
  llvm::StringLiteral op;
  InstructionForm form;
  llvm::StringLiteral target;
  unsigned leastSM;  ///< compute capability times 10
  unsigned leastPTX; ///< PTX ISA version times 10
  bool archSpecific; ///< needs the `a` variant of the target, such as sm_90a
};

/// All rows, sorted by op name. Every op of the dialect has exactly one.
llvm::ArrayRef<Instruction> instructionTable();

/// The row of an op (`sm.wgmma`), or null.
const Instruction *findInstruction(llvm::StringRef op);

} // namespace mlir::sm

#endif // TILEC_DIALECT_SM_IR_INSTRUCTIONTABLE_H
