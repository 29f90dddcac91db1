//===- Patterns.h - what the parts of convert-sm-to-nvvm share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_SMTONVVM_PATTERNS_H
#define TILEC_LIB_CONVERSION_SMTONVVM_PATTERNS_H

#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Target/Arch.h"

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace tilec {

// One function per family of ops; each adds the patterns of its file.
void populateKernelPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateAtomicPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateBarrierPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateDebugPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateCopyPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateTmaPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWgmmaPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateMatrixPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateWarpPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);
void populateMathPatterns(mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

/// An error unless a `func.func` is a kernel whose attributes `arch` can meet.
mlir::LogicalResult verifyKernel(mlir::Operation *function, const Arch &arch);

/// Says which `arith` and `math` ops the math patterns replace, because upstream's lowering is
/// slow or cannot be selected.
void markIllegalMath(mlir::ConversionTarget &target);

/// Moves `sm.thread_id` and its like to the kernel's entry, one of each: the lowering of
/// `sm.warp_id` is a shuffle, which a divergent branch must not hold.
void hoistIndices(mlir::Operation *kernel);

constexpr unsigned globalSpace = 1, sharedSpace = 3;

mlir::Value constantI32(mlir::OpBuilder &b, mlir::Location loc, int64_t value);

/// An address or descriptor taken apart: a constant that was added becomes part of the instruction.
/// Left as a sum it would be hoisted out of loops and hold a register there.
struct Offset {
  mlir::Value base;
  int64_t bytes = 0;
};
Offset splitOffset(mlir::Value value);
/// "[$operand+offset]", the address in an asm.
std::string memoryText(size_t operand, int64_t offset);

/// The pointer to an address: i32 for shared memory, i64 for global memory.
mlir::Value pointerTo(mlir::OpBuilder &b, mlir::Location loc, mlir::Value address);

/// The elements of a vector; a scalar is its own only element.
llvm::SmallVector<mlir::Value> unpackElements(mlir::OpBuilder &b, mlir::Location loc,
                                              mlir::Value value);
/// The inverse of `unpackElements` for a value of `type`.
mlir::Value packElements(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                         mlir::ValueRange elements);

/// A bit pattern as 32-bit words, and back. The width is below 32 (one word, zero-extended) or a
/// multiple of 32.
llvm::SmallVector<mlir::Value> toWords(mlir::OpBuilder &b, mlir::Location loc, mlir::Value value);
mlir::Value fromWords(mlir::OpBuilder &b, mlir::Location loc, mlir::Type type,
                      mlir::ValueRange words);

mlir::Value callIntrinsic(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef name,
                          mlir::Type type, mlir::ValueRange operands);

/// An asm with side effects. `types` are its results, none to many; returns their values.
llvm::SmallVector<mlir::Value> inlineAsm(mlir::OpBuilder &b, mlir::Location loc,
                                         llvm::StringRef text, llvm::StringRef constraints,
                                         mlir::ValueRange operands, mlir::TypeRange types);

/// An asm that hands `values` (vectors of f32 or i32) on in the same registers.
llvm::SmallVector<mlir::Value> tiedAsm(mlir::OpBuilder &b, mlir::Location loc, llvm::StringRef text,
                                       mlir::ValueRange values);

} // namespace tilec

#endif // TILEC_LIB_CONVERSION_SMTONVVM_PATTERNS_H
