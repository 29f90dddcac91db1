//===- Lowering.h - shared by the op families of TileToLinalg ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_CONVERSION_TILETOLINALG_LOWERING_H
#define TILEC_LIB_CONVERSION_TILETOLINALG_LOWERING_H

#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace tilec::host {
using namespace mlir;

/// What the handles of the kernel being lowered stand for.
struct KernelState {
  /// The memref of a global tensor or a shared tile.
  DenseMap<Value, Value> buffers;
  llvm::StringMap<Value> dims;
  Value programId;
  /// The number of CTAs; null where the kernel does not ask for it.
  Value numPrograms;

  /// The memref of `handle`, or an error at `user` if it does not come straight from a kernel
  /// argument or an allocation.
  FailureOr<Value> buffer(Operation *user, Value handle) const;
};

/// How an element type lies in global memory: a byte for i1, itself otherwise.
Type memoryType(Type element);

/// A value of `memoryType(type)` as `type`.
Value fromMemory(OpBuilder &b, Location loc, Value element, Type type);
/// An element of a global tensor, at indices inside it, as `type`.
Value loadElement(OpBuilder &b, Location loc, Value memref, ValueRange indices, Type type);
void storeElement(OpBuilder &b, Location loc, Value element, Value memref, ValueRange indices);
/// Whether `indices` (i64) are inside `memref`; also gives them as index values.
Value isInside(OpBuilder &b, Location loc, Value memref, ValueRange indices,
               SmallVectorImpl<Value> &converted);
/// `pad`, or 0 of `type`.
Value padConstant(OpBuilder &b, Location loc, std::optional<TypedAttr> pad, Type type);

/// Each replaces `op`'s results (the caller erases `op`) or emits an error.
LogicalResult lower(tile::AllocSharedOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::LoadOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::StoreOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::CopyOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::LoadScalarOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::StoreScalarOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::GatherOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::GatherCopyOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::ScatterOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::GemmOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::AtomicOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::AtomicScalarOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::FenceOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::ScanOp op, OpBuilder &b, KernelState &state);
LogicalResult lowerArgMax(tile::ReduceOp op, OpBuilder &b);
LogicalResult lower(tile::ReduceOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::IotaOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::BroadcastOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::ConvertLayoutOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::SplitOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::JoinOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::PermuteOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::TakeOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::StackOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::SliceOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::PrintOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::CheckOp op, OpBuilder &b, KernelState &state);
LogicalResult lower(tile::CastOp op, OpBuilder &b, KernelState &state);

/// `arith.select` of tensors by a scalar condition: the condition is repeated, because only ops
/// whose operands all are tensors count as elementwise.
void lowerScalarSelect(arith::SelectOp op, OpBuilder &b);

/// The part of a window that is there, as indices of the window.
struct WindowBox {
  Value tensor;              ///< memref of the global tensor
  SmallVector<Value> origin; ///< i64, per tensor dimension
  SmallVector<int64_t> dims; ///< tensor dimension of each window axis
  SmallVector<Value> begin;  ///< index, per window axis
  SmallVector<Value> end;    ///< index, exclusive; may be at or below `begin`: nothing is there
  SmallVector<Value> bound;  ///< i64, per window axis: the first coordinate past what is there
  Value whole;               ///< i1: every element is there
  Value fixedInside;         ///< i1: the other dimensions are inside the tensor; null: always
};

/// Computes the box where `b` stands. `window` must be a `tile.window`.
FailureOr<WindowBox> resolveWindow(Operation *user, Value window, OpBuilder &b, KernelState &state);

/// Index of the tensor element behind `indices` of the window.
SmallVector<Value> tensorIndices(const WindowBox &box, ValueRange indices, OpBuilder &b,
                                 Location loc);

/// Loops over begin..end, last axis innermost.
void forEachIndex(OpBuilder &b, Location loc, ValueRange begin, ValueRange end,
                  function_ref<void(OpBuilder &, ValueRange)> body);

/// The address of a constant text that ends in a 0 byte.
Value textAddress(OpBuilder &b, Location loc, StringRef text);

/// The memref of a shared tile with its rows counted along the leading axes of `shape`.
Value splitRows(OpBuilder &b, Location loc, Value shared, ArrayRef<int64_t> shape);

/// An index constant.
Value indexConstant(OpBuilder &b, Location loc, int64_t value);

//===----------------------------------------------------------------------===//
// Structured ops. Only Structured.cpp includes the linalg headers.
//===----------------------------------------------------------------------===//

/// An elementwise or reducing `linalg.generic`: one map per operand, and the output's.
struct GenericSpec {
  SmallVector<Value> inputs; ///< all tensors or all memrefs
  Value output;              ///< tensor (initial value) or memref
  SmallVector<AffineMap> maps;
  unsigned numLoops;
  SmallVector<unsigned> reductions = {}; ///< loops that reduce
};

/// Builds it; `body` gets the elements, the output's last, and returns the new element. Returns the
/// result tensor, or nothing for memrefs.
Value buildGeneric(OpBuilder &b, Location loc, const GenericSpec &spec,
                   function_ref<Value(OpBuilder &, Location, ValueRange)> body);
/// Position along loop `dim`, inside a body, as i32.
Value buildPosition(OpBuilder &b, Location loc, int64_t dim);
Value buildEmpty(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Type element);
/// A tensor filled with `scalar`, or (memref `target`) fills it and returns nothing.
Value buildSplat(OpBuilder &b, Location loc, ArrayRef<int64_t> shape, Value scalar);
void buildFill(OpBuilder &b, Location loc, Value scalar, Value target);
/// `acc` + `lhs` * `rhs`, all f32 tensors.
Value buildMatmul(OpBuilder &b, Location loc, Value lhs, Value rhs, Value acc);
/// The same, where `rhs` holds a matrix for each of equal runs of rows.
Value buildGroupedMatmul(OpBuilder &b, Location loc, Value lhs, Value rhs, Value acc);
/// The tensor held by `buffer`, which nothing else reads or writes from here on.
Value buildOwnedTensor(OpBuilder &b, Location loc, Value buffer);

} // namespace tilec::host

#endif // TILEC_LIB_CONVERSION_TILETOLINALG_LOWERING_H
