//===- Scalar.cpp - single elements of global tensors and shared tiles ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Address.h"
#include "Atomic.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec::to_sm;

namespace {
/// Where an element lies and whether it is inside the tensor (null if always).
struct Element {
  Value address, inside;
};
} // namespace

static Element locateGlobal(Emitter e, tile::GlobalType type, ValueRange global,
                            ValueRange indices) {
  size_t rank = indices.size();
  ValueRange extents = global.slice(1, rank), strides = global.drop_front(1 + rank);
  Value offset = e.i64(0), inside;
  for (size_t axis = 0; axis < rank; ++axis) {
    int64_t extent = type.getShape()[axis];
    Value end = ShapedType::isDynamic(extent) ? extents[axis] : e.i64(extent);
    inside = e.both(inside, e.compare(arith::CmpIPredicate::ult, indices[axis], end));
    bool last = axis + 1 == rank;
    offset = e.add(offset, last ? indices[axis] : e.mul(indices[axis], strides[axis]));
  }
  if (matchPattern(inside, m_One()))
    inside = Value();
  return {e.add(global[0], e.mul(offset, storageBytes(type.getElementType()))), inside};
}

/// Indices of a shared tile, or of a part of one, lie inside it.
static Element locateShared(Emitter e, const SharedView &view, ValueRange indices) {
  SmallVector<ThreadCoord> coords;
  for (auto [index, extent] : llvm::zip(indices, view.extents))
    coords.push_back(anyCoord(e.narrow(index), extent - 1));
  SharedAddress address(e, view, coords);
  return {address.at(SmallVector<int64_t>(indices.size(), 0)), {}};
}

/// `memory` is what `handle` was converted to.
static Element locate(Emitter e, const KernelState &state, Value handle, ValueRange memory,
                      ValueRange indices) {
  if (isa<tile::SharedType>(handle.getType()))
    return locateShared(e, viewOf(e, state, handle, memory.front()), indices);
  return locateGlobal(e, cast<tile::GlobalType>(handle.getType()), memory, indices);
}

/// Tells ptxas that all lanes hold the same integer, so that loops and branches on it are uniform.
static Value makeUniform(Emitter e, Value value) {
  auto type = dyn_cast<IntegerType>(value.getType());
  if (!type || type.getWidth() < 32)
    return value;
  if (type.getWidth() == 32)
    return sm::ShuffleOp::create(e.builder, e.loc, sm::ShuffleMode::Idx, value, e.i32(0));
  auto words = VectorType::get({2}, e.builder.getI32Type());
  auto whole = VectorType::get({1}, type);
  Value vector = vector::BroadcastOp::create(e.builder, e.loc, whole, value);
  vector = vector::BitCastOp::create(e.builder, e.loc, words, vector);
  vector = sm::ShuffleOp::create(e.builder, e.loc, sm::ShuffleMode::Idx, vector, e.i32(0));
  vector = vector::BitCastOp::create(e.builder, e.loc, whole, vector);
  return vector::ExtractOp::create(e.builder, e.loc, vector, ArrayRef<int64_t>{0});
}

namespace {
class LoadScalarLowering : public TilePattern<tile::LoadScalarOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::LoadScalarOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Element element = locate(e, state, op.getSource(), adaptor.getSource(), op.getIndices());
    Value value = element.inside ? loadInside(e, op, element) : load(e, op, element);
    bool alone = state.pipe.singleThreaded.contains(op);
    rewriter.replaceOp(op, alone ? value : makeUniform(e, value));
    return success();
  }

private:
  static Value load(Emitter e, tile::LoadScalarOp op, const Element &element) {
    Type type = op.getType(), storage = storageType(type);
    Value value;
    if (isa<tile::SharedType>(op.getSource().getType()))
      value = sm::LoadSharedOp::create(e.builder, e.loc, storage, element.address);
    else
      value = sm::LoadGlobalOp::create(e.builder, e.loc, storage, element.address);
    if (value.getType() != type)
      value = e.compare(arith::CmpIPredicate::ne, value, e.constant(value.getType(), 0));
    return value;
  }

  static Value loadInside(Emitter e, tile::LoadScalarOp op, const Element &element) {
    auto branch = scf::IfOp::create(
        e.builder, e.loc, element.inside,
        [&](OpBuilder &builder, Location loc) {
          Emitter inner(builder, loc);
          scf::YieldOp::create(builder, loc, load(inner, op, element));
        },
        [&](OpBuilder &builder, Location loc) {
          TypedAttr pad = op.getPad() ? cast<TypedAttr>(*op.getPad())
                                      : cast<TypedAttr>(builder.getZeroAttr(op.getType()));
          Value value = arith::ConstantOp::create(builder, loc, pad);
          scf::YieldOp::create(builder, loc, value);
        });
    return branch.getResult(0);
  }
};

/// Whether this thread is the one of the CTA that writes, and the element is there; null if always.
Value writesHere(Emitter e, const KernelState &state, Operation *op, const Element &element) {
  if (state.pipe.singleThreaded.contains(op))
    return element.inside;
  return e.both(element.inside, e.compare(arith::CmpIPredicate::eq, state.thread, e.i32(0)));
}

class StoreScalarLowering : public TilePattern<tile::StoreScalarOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::StoreScalarOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Emitter e(rewriter, op.getLoc());
    Element element = locate(e, state, op.getTarget(), adaptor.getTarget(), op.getIndices());
    Value value = adaptor.getValue().front();
    if (value.getType() != storageType(value.getType()))
      value = arith::ExtUIOp::create(rewriter, op.getLoc(), storageType(value.getType()), value);
    Value writes = writesHere(e, state, op, element);
    if (!writes)
      writes = e.constant(rewriter.getI1Type(), 1);
    bool shared = isa<tile::SharedType>(op.getTarget().getType());
    scf::IfOp::create(rewriter, op.getLoc(), writes, [&](OpBuilder &builder, Location loc) {
      if (shared)
        sm::StoreSharedOp::create(builder, loc, value, element.address);
      else
        sm::StoreGlobalOp::create(builder, loc, value, element.address);
      scf::YieldOp::create(builder, loc);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// The old value is that of the thread that writes; the others see it through shared memory.
class AtomicScalarLowering : public TilePattern<tile::AtomicScalarOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::AtomicScalarOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    auto passesOn = [](Operation *user) {
      auto store = dyn_cast<tile::StoreScalarOp>(user);
      return store && isa<tile::SharedType>(store.getTarget().getType());
    };
    if (op.getOld() && !llvm::all_of(op.getOld().getUsers(), passesOn))
      return op.emitOpError("has its old value in one thread only; run 'tile-materialize-scratch' "
                            "first");
    Emitter e(rewriter, op.getLoc());
    AtomicUpdate update = AtomicUpdate::of(op, static_cast<bool>(op.getOld()));
    if (update.releases())
      sm::BarrierOp::create(rewriter, op.getLoc());
    Element element = locate(e, state, op.getTarget(), adaptor.getTarget(), op.getIndices());
    Value compare = op.getCompare() ? adaptor.getCompare().front() : Value();
    Value old = update.emitIf(e, writesHere(e, state, op, element), adaptor.getValue().front(),
                              element.address, compare);
    if (update.acquires())
      sm::BarrierOp::create(rewriter, op.getLoc());
    if (old)
      rewriter.replaceOp(op, old);
    else
      rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateScalarPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<LoadScalarLowering, StoreScalarLowering, AtomicScalarLowering>(
      types, patterns.getContext(), state);
}
