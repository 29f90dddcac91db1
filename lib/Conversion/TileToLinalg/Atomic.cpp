//===- Atomic.cpp - atomic operations and fences --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// CTAs run on several threads, so global memory is updated with the CPU's atomic instructions.
// Their order is acquire and release whatever the kernel asks for.
//
//===----------------------------------------------------------------------===//
#include "Indexed.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using tile::AtomicKind;

namespace tilec::host {

static arith::AtomicRMWKind instructionKind(AtomicKind kind, bool isFloat) {
  switch (kind) {
  case AtomicKind::Add:
    return isFloat ? arith::AtomicRMWKind::addf : arith::AtomicRMWKind::addi;
  case AtomicKind::Max:
    return isFloat ? arith::AtomicRMWKind::maxnumf : arith::AtomicRMWKind::maxs;
  case AtomicKind::Min:
    return isFloat ? arith::AtomicRMWKind::minnumf : arith::AtomicRMWKind::mins;
  case AtomicKind::And:
    return arith::AtomicRMWKind::andi;
  case AtomicKind::Or:
    return arith::AtomicRMWKind::ori;
  case AtomicKind::Exch:
  case AtomicKind::Cas: // not asked for
    return arith::AtomicRMWKind::assign;
  }
  llvm_unreachable("all kinds are listed");
}

/// A function of the module that `build` gives a body. Bufferization does not know what LLVM's own
/// operations do to memory, but calls it does.
static LLVM::LLVMFuncOp helper(Operation *user, StringRef name, LLVM::LLVMFunctionType type,
                               function_ref<Value(OpBuilder &, Location, ValueRange)> build) {
  auto module = user->getParentOfType<ModuleOp>();
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  Location loc = module.getLoc();
  auto function = LLVM::LLVMFuncOp::create(b, loc, name, type, LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Value result = build(b, loc, entry->getArguments());
  LLVM::ReturnOp::create(b, loc, result ? ValueRange(result) : ValueRange());
  return function;
}

/// cmpxchg(address, compare, value), which returns the old value.
static LLVM::LLVMFuncOp exchangeIn(Operation *user, Type element) {
  Type pointer = LLVM::LLVMPointerType::get(user->getContext());
  auto type = LLVM::LLVMFunctionType::get(element, {pointer, element, element});
  std::string name = "tile.exchange.i" + std::to_string(element.getIntOrFloatBitWidth());
  return helper(user, name, type, [](OpBuilder &b, Location loc, ValueRange arguments) -> Value {
    Value swap =
        LLVM::AtomicCmpXchgOp::create(b, loc, arguments[0], arguments[1], arguments[2],
                                      LLVM::AtomicOrdering::acq_rel, LLVM::AtomicOrdering::acquire);
    return LLVM::ExtractValueOp::create(b, loc, swap, 0);
  });
}

static Value addressOf(OpBuilder &b, Location loc, Value memory, ValueRange indices) {
  auto parts = memref::ExtractStridedMetadataOp::create(b, loc, memory);
  Value offset = parts.getOffset();
  for (auto [index, stride] : llvm::zip(indices, parts.getStrides()))
    offset = arith::AddIOp::create(b, loc, offset, arith::MulIOp::create(b, loc, index, stride));
  Type i64 = b.getI64Type(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  Value start = memref::ExtractAlignedPointerAsIndexOp::create(b, loc, memory);
  start = arith::IndexCastOp::create(b, loc, i64, start);
  Value base = LLVM::IntToPtrOp::create(b, loc, pointer, start);
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  Value position = arith::IndexCastOp::create(b, loc, i64, offset);
  return LLVM::GEPOp::create(b, loc, pointer, element, base, ValueRange(position));
}

/// What `op` does to one element; returns the old value. `compare` is null but for cas.
static Value update(OpBuilder &b, Operation *op, AtomicKind kind, Value value, Value compare,
                    Value memory, ValueRange indices) {
  Location loc = op->getLoc();
  if (kind != AtomicKind::Cas)
    return memref::AtomicRMWOp::create(
        b, loc, instructionKind(kind, isa<FloatType>(value.getType())), value, memory, indices);
  LLVM::LLVMFuncOp exchange = exchangeIn(op, value.getType());
  return LLVM::CallOp::create(b, loc, exchange,
                              ValueRange{addressOf(b, loc, memory, indices), compare, value})
      .getResult();
}

namespace {
/// One operation with its old values, if they are wanted.
struct TileUpdate {
  mutable tile::AtomicOp op; // accessors of operations are not const
  Value olds;                // memref of the tile's shape, or null

  void element(OpBuilder &b, Value memory, ValueRange indices, ValueRange target) const;
};
} // namespace

/// Updates `memory` at `target` with the element of the tile at `indices`.
void TileUpdate::element(OpBuilder &b, Value memory, ValueRange indices, ValueRange target) const {
  Location loc = op.getLoc();
  auto extract = [&](Value tile) -> Value {
    return tile ? tensor::ExtractOp::create(b, loc, tile, indices).getResult() : Value();
  };
  Value old =
      update(b, op, op.getKind(), extract(op.getValue()), extract(op.getCompare()), memory, target);
  if (olds)
    memref::StoreOp::create(b, loc, old, olds, indices);
}

/// Without an index: where the tile lies.
static LogicalResult updateInPlace(const TileUpdate &tile, OpBuilder &b, KernelState &state) {
  tile::AtomicOp op = tile.op;
  Location loc = op.getLoc();
  std::optional<WindowBox> box;
  Value memory;
  SmallVector<Value> begin, end;
  if (isa<tile::WindowType>(op.getTarget().getType())) {
    FailureOr<WindowBox> found = resolveWindow(op, op.getTarget(), b, state);
    if (failed(found))
      return failure();
    box = *found;
    memory = box->tensor;
    begin = box->begin;
    end = box->end;
  } else {
    FailureOr<Value> found = state.buffer(op, op.getTarget());
    if (failed(found))
      return failure();
    memory = *found;
    for (int64_t size : op.getValue().getType().getShape()) {
      begin.push_back(indexConstant(b, loc, 0));
      end.push_back(indexConstant(b, loc, size));
    }
  }
  forEachIndex(b, loc, begin, end, [&](OpBuilder &nested, ValueRange indices) {
    auto here = [&](OpBuilder &inner) {
      SmallVector<Value> target(indices);
      if (box)
        target = tensorIndices(*box, indices, inner, loc);
      tile.element(inner, memory, indices, target);
    };
    if (!op.getMask())
      return here(nested);
    Value selected = tensor::ExtractOp::create(nested, loc, op.getMask(), indices);
    scf::IfOp::create(nested, loc, selected, [&](OpBuilder &inner, Location) {
      here(inner);
      scf::YieldOp::create(inner, loc);
    });
  });
  return success();
}

static LogicalResult updateAtIndex(const TileUpdate &tile, OpBuilder &b, KernelState &state) {
  tile::AtomicOp op = tile.op;
  FailureOr<Indexed> memory =
      indexedTile(op, op.getTarget(), op.getValue().getType().getShape(), op.getIndex(),
                  op.getMask(), static_cast<int64_t>(*op.getAxis()), b, state);
  if (failed(memory))
    return failure();
  memory->forEachThere(b, [&](OpBuilder &nested, ValueRange indices, ValueRange target) {
    tile.element(nested, memory->memory, indices, target);
  });
  return success();
}

LogicalResult lower(tile::AtomicOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getValue().getType();
  TileUpdate tile{op, {}};
  if (op.getOld()) {
    tile.olds = memref::AllocOp::create(
        b, loc, MemRefType::get(type.getShape(), type.getElementType()), b.getI64IntegerAttr(64));
    buildFill(b, loc, padConstant(b, loc, std::nullopt, type.getElementType()), tile.olds);
  }
  if (failed(op.getIndex() ? updateAtIndex(tile, b, state) : updateInPlace(tile, b, state)))
    return failure();
  if (op.getOld())
    op.getOld().replaceAllUsesWith(buildOwnedTensor(b, loc, tile.olds));
  return success();
}

LogicalResult lower(tile::AtomicScalarOp op, OpBuilder &b, KernelState &state) {
  Location loc = op.getLoc();
  FailureOr<Value> memory = state.buffer(op, op.getTarget());
  if (failed(memory))
    return failure();
  SmallVector<Value> indices;
  Value inside = isInside(b, loc, *memory, op.getIndices(), indices);
  auto choice = scf::IfOp::create(
      b, loc, inside,
      [&](OpBuilder &nested, Location) {
        scf::YieldOp::create(
            nested, loc,
            update(nested, op, op.getKind(), op.getValue(), op.getCompare(), *memory, indices));
      },
      [&](OpBuilder &nested, Location) {
        scf::YieldOp::create(nested, loc,
                             padConstant(nested, loc, std::nullopt, op.getValue().getType()));
      });
  if (op.getOld())
    op.getOld().replaceAllUsesWith(choice.getResult(0));
  return success();
}

LogicalResult lower(tile::FenceOp op, OpBuilder &b, KernelState &) {
  auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(op.getContext()), {});
  LLVM::LLVMFuncOp fence =
      helper(op, "tile.fence", type, [](OpBuilder &body, Location loc, ValueRange) -> Value {
        LLVM::FenceOp::create(body, loc, LLVM::AtomicOrdering::acq_rel, StringRef());
        return {};
      });
  LLVM::CallOp::create(b, op.getLoc(), fence, ValueRange());
  return success();
}

} // namespace tilec::host
