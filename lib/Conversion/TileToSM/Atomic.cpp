//===- Atomic.cpp - atomic operations and fences ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Atomic.h"
#include "Indexed.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static sm::AtomicKind instructionKind(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return sm::AtomicKind::Add;
  case tile::AtomicKind::Max:
    return sm::AtomicKind::Max;
  case tile::AtomicKind::Min:
    return sm::AtomicKind::Min;
  case tile::AtomicKind::And:
    return sm::AtomicKind::And;
  case tile::AtomicKind::Or:
    return sm::AtomicKind::Or;
  case tile::AtomicKind::Exch:
    return sm::AtomicKind::Exch;
  case tile::AtomicKind::Cas:
    return sm::AtomicKind::Cas;
  }
  llvm_unreachable("all kinds are listed");
}

/// One instruction.
static Value emitInstruction(Emitter e, const AtomicUpdate &update, sm::AtomicKind kind,
                             Value value, Value address, Value compare) {
  Type old = update.wantsOld ? value.getType() : Type();
  if (update.shared)
    return sm::AtomicSharedOp::create(e.builder, e.loc, old, kind, update.order, update.scope,
                                      value, address, compare)
        .getOld();
  return sm::AtomicGlobalOp::create(e.builder, e.loc, old, kind, update.order, update.scope, value,
                                    address, compare)
      .getOld();
}

/// `then` where the condition holds, `otherwise` elsewhere; both give a value of `type` if it is
/// not null.
static Value branch(Emitter e, Value condition, Type type, function_ref<Value(Emitter)> then,
                    function_ref<Value(Emitter)> otherwise) {
  auto body = [&](function_ref<Value(Emitter)> emit) {
    return [emit, type](OpBuilder &builder, Location loc) {
      Value result = emit(Emitter(builder, loc));
      scf::YieldOp::create(builder, loc, type ? ValueRange(result) : ValueRange());
    };
  };
  auto choice = scf::IfOp::create(e.builder, e.loc, condition, body(then), body(otherwise));
  return type ? choice.getResult(0) : Value();
}

/// Floats in the order of their bits: those without the sign as signed integers, those with it
/// backwards as unsigned ones. NaN changes nothing.
static Value emitFloatExtreme(Emitter e, const AtomicUpdate &update, Value value, Value address) {
  bool greatest = update.kind == tile::AtomicKind::Max;
  Type i32 = e.builder.getI32Type(), old = update.wantsOld ? i32 : Type();
  Value bits = arith::BitcastOp::create(e.builder, e.loc, i32, value);
  // The bits of a NaN that loses: those of the infinity at the other end.
  Value isNumber = arith::CmpFOp::create(e.builder, e.loc, arith::CmpFPredicate::ORD, value, value);
  constexpr int64_t infinity = 0x7f800000, negative = -int64_t(0x00800000);
  bits = e.select(isNumber, bits, e.i32(greatest ? negative : infinity));
  Value plain = e.compare(arith::CmpIPredicate::sge, bits, e.i32(0));
  Value result = branch(
      e, plain, old,
      [&](Emitter inner) {
        auto kind = greatest ? sm::AtomicKind::Max : sm::AtomicKind::Min;
        return emitInstruction(inner, update, kind, bits, address, {});
      },
      [&](Emitter inner) {
        auto kind = greatest ? sm::AtomicKind::UMin : sm::AtomicKind::UMax;
        return emitInstruction(inner, update, kind, bits, address, {});
      });
  return result ? arith::BitcastOp::create(e.builder, e.loc, value.getType(), result).getOut()
                : Value();
}

Value AtomicUpdate::emit(Emitter e, Value value, Value address, Value compare) const {
  bool extreme = kind == tile::AtomicKind::Max || kind == tile::AtomicKind::Min;
  if (extreme && value.getType().isF32())
    return emitFloatExtreme(e, *this, value, address);
  return emitInstruction(e, *this, instructionKind(kind), value, address, compare);
}

Value AtomicUpdate::emitIf(Emitter e, Value condition, Value value, Value address,
                           Value compare) const {
  if (!condition)
    return emit(e, value, address, compare);
  Type type = wantsOld ? value.getType() : Type();
  auto update = [&](Emitter inner) { return emit(inner, value, address, compare); };
  if (type)
    return branch(e, condition, type, update, [&](Emitter inner) -> Value {
      return arith::ConstantOp::create(inner.builder, inner.loc, inner.builder.getZeroAttr(type));
    });
  scf::IfOp::create(e.builder, e.loc, condition, [&](OpBuilder &builder, Location loc) {
    update(Emitter(builder, loc));
    scf::YieldOp::create(builder, loc);
  });
  return {};
}

namespace {
/// Of threads that hold the same elements, the first one updates memory; in the others, the old
/// value is 0.
class AtomicLowering : public TilePattern<tile::AtomicOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::AtomicOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;

private:
  Value updateTile(Emitter e, tile::AtomicOp op, OneToNOpAdaptor adaptor, IndexedAxis *index,
                   const AtomicUpdate &update) const;
  Value updateRegisters(tile::AtomicOp op, OneToNOpAdaptor adaptor, TileMemory &memory,
                        const AtomicUpdate &update) const;
};
} // namespace

static Value element(Emitter e, ValueRange vector, int64_t reg) {
  if (vector.empty())
    return {};
  return vector::ExtractOp::create(e.builder, e.loc, vector.front(), ArrayRef<int64_t>{reg});
}

/// The old values as one vector; null unless they are wanted.
Value AtomicLowering::updateRegisters(tile::AtomicOp op, OneToNOpAdaptor adaptor,
                                      TileMemory &memory, const AtomicUpdate &update) const {
  Emitter e = memory.e;
  FragmentLayout layout = layoutOf(op.getValue().getType());
  ValueRange none, mask = op.getMask() && !op.getIndex() ? adaptor.getMask() : none,
                   compare = op.getCompare() ? adaptor.getCompare() : none;
  SmallVector<Value> olds;
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
    Coord offset = layout.regCoords(reg);
    Value address = memory.address(offset);
    Value there = memory.isThere(offset);
    if (Value selected = element(e, mask, reg))
      there = e.both(there, selected);
    olds.push_back(update.emitIf(e, there, element(e, adaptor.getValue(), reg), address,
                                 element(e, compare, reg)));
  }
  if (!update.wantsOld)
    return {};
  return vector::FromElementsOp::create(
      e.builder, e.loc, cast<VectorType>(adaptor.getValue().front().getType()), olds);
}

Value AtomicLowering::updateTile(Emitter e, tile::AtomicOp op, OneToNOpAdaptor adaptor,
                                 IndexedAxis *index, const AtomicUpdate &update) const {
  RankedTensorType type = op.getValue().getType();
  FragmentLayout layout = layoutOf(type);
  ArrayRef<int64_t> extents = type.getShape();
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  if (isa<tile::SharedType>(op.getTarget().getType())) {
    SharedView view = viewOf(e, state, op.getTarget(), adaptor.getTarget().front());
    if (index) {
      IndexedShared memory(e, view, extents, *index, coords);
      return updateRegisters(op, adaptor, memory, update);
    }
    SharedMemory memory(e, view, coords);
    return updateRegisters(op, adaptor, memory, update);
  }
  Window window = Window::unpack(adaptor.getTarget());
  WindowFacts facts = state.facts.lookup(op);
  int64_t bytes = storageBytes(type.getElementType());
  if (index) {
    IndexedWindow to(e, window, facts, bytes, extents, *index);
    IndexedGlobal memory(e, to, coords, AccessWay());
    return updateRegisters(op, adaptor, memory, update);
  }
  GlobalMemory memory(e, window, facts, bytes, extents, coords, /*inside=*/false);
  return updateRegisters(op, adaptor, memory, update);
}

LogicalResult AtomicLowering::matchAndRewrite(tile::AtomicOp op, OneToNOpAdaptor adaptor,
                                              ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  FragmentLayout layout = layoutOf(op.getValue().getType());
  AtomicUpdate update = AtomicUpdate::of(op, op.getOld() && !op.getOld().use_empty());
  std::optional<IndexedAxis> index;
  if (op.getIndex()) {
    auto axis = static_cast<int64_t>(*op.getAxis());
    if (failed(checkIndexLayout(op, op.getIndex(), axis, layout)))
      return failure();
    index.emplace(e, IndexOperands{op.getIndex(), adaptor.getIndex().front(),
                                   op.getMask() ? adaptor.getMask().front() : Value(), axis});
    if (auto shared = dyn_cast<tile::SharedType>(op.getTarget().getType()))
      index->limit(e, e.i64(0), e.i64(shared.getShape()[axis]));
  }
  if (update.releases())
    sm::BarrierOp::create(rewriter, op.getLoc());
  auto run = [&](Emitter inner) {
    return updateTile(inner, op, adaptor, index ? &*index : nullptr, update);
  };
  Value old, first = isFirstCopy(e, state, layout);
  Type type = update.wantsOld ? getTypeConverter()->convertType(op.getOld().getType()) : Type();
  if (!first)
    old = run(e);
  else
    old = branch(e, first, type, run, [&](Emitter inner) -> Value {
      if (!type)
        return {};
      return arith::ConstantOp::create(inner.builder, inner.loc, inner.builder.getZeroAttr(type));
    });
  if (update.acquires())
    sm::BarrierOp::create(rewriter, op.getLoc());
  if (!op.getOld())
    rewriter.eraseOp(op);
  else if (old)
    rewriter.replaceOp(op, old);
  else
    rewriter.replaceOp(
        op, arith::ConstantOp::create(
                rewriter, op.getLoc(),
                rewriter.getZeroAttr(getTypeConverter()->convertType(op.getOld().getType())))
                .getResult());
  return success();
}

namespace {
/// Every thread fences: after the barrier it has seen what the others did before.
class FenceLowering : public TilePattern<tile::FenceOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::FenceOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (op.getOrder() != tile::MemoryOrder::Acquire)
      sm::BarrierOp::create(rewriter, op.getLoc());
    sm::FenceOp::create(rewriter, op.getLoc(), static_cast<sm::MemoryOrder>(op.getOrder()),
                        static_cast<sm::MemoryScope>(op.getScope()));
    if (op.getOrder() != tile::MemoryOrder::Release)
      sm::BarrierOp::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateAtomicPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<AtomicLowering, FenceLowering>(types, patterns.getContext(), state);
}
