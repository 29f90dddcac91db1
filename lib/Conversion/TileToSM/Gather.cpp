//===- Gather.cpp - rows and elements at an index tile ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Indexed.h"
#include "QuadExchange.h"
#include "Unaligned.h"
#include "tilec/Layout/Coalesced.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

/// Emits `body` under the condition; without a test if it is null.
static void emitIf(Emitter e, Value condition, function_ref<void()> body) {
  if (!condition)
    return body();
  scf::IfOp::create(e.builder, e.loc, condition, [&](OpBuilder &builder, Location loc) {
    body();
    scf::YieldOp::create(builder, loc);
  });
}

template <typename Op, typename Adaptor>
static IndexedAxis indexOf(Emitter e, Op op, Adaptor adaptor) {
  Value mask = op.getMask() ? adaptor.getMask().front() : Value();
  return IndexedAxis(
      e, {op.getIndex(), adaptor.getIndex().front(), mask, static_cast<int64_t>(op.getAxis())});
}

/// Limits the index to what the view shows, and gives the longest vector along its rows.
static int64_t limitToTile(Emitter e, const SharedView &memory, const FragmentLayout &layout,
                           IndexedAxis &index) {
  index.limit(e, e.i64(0), e.i64(memory.extents[index.axis()]));
  bool wholeRows = index.isRows() && index.axis() != layout.rank - 1;
  return wholeRows ? vectorLength(layout, memory) : 1;
}

//===----------------------------------------------------------------------===//
// Into registers
//===----------------------------------------------------------------------===//

namespace {
class GatherLowering : public TilePattern<tile::GatherOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentLayout layout = layoutOf(op.getType());
    if (failed(checkIndexLayout(op, op.getIndex(), op.getAxis(), layout)))
      return failure();
    Emitter e(rewriter, op.getLoc());
    IndexedAxis index = indexOf(e, op, adaptor);
    Value carried = isa<tile::SharedType>(op.getSource().getType())
                        ? gatherShared(e, op, adaptor.getSource().front(), index)
                        : gatherWindow(e, op, Window::unpack(adaptor.getSource()), index);
    rewriter.replaceOp(op, fromCarried(e, carried, registers(op)));
    return success();
  }

private:
  VectorType registers(tile::GatherOp op) const {
    return cast<VectorType>(getTypeConverter()->convertType(op.getType()));
  }
  Value gatherShared(Emitter e, tile::GatherOp op, Value tile, IndexedAxis &index) const;
  Value gatherWindow(Emitter e, tile::GatherOp op, const Window &window, IndexedAxis &index) const;
};
} // namespace

static TypedAttr padOf(tile::GatherOp op) {
  if (op.getPad())
    return cast<TypedAttr>(*op.getPad());
  return Builder(op.getContext()).getZeroAttr(op.getType().getElementType());
}

Value GatherLowering::gatherShared(Emitter e, tile::GatherOp op, Value tile,
                                   IndexedAxis &index) const {
  FragmentLayout layout = layoutOf(op.getType());
  ArrayRef<int64_t> extents = op.getType().getShape();
  SharedView view = viewOf(e, state, op.getSource(), tile);
  int64_t length = limitToTile(e, view, layout, index);
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  auto load = [&](bool inside) -> SmallVector<Value> {
    IndexedShared memory(e, view, extents, index, coords, inside);
    return {loadCarried(memory, layout, registers(op), length, padOf(op))};
  };
  Value all = index.allThere(e, extents, coords);
  return choose(e, all, [&] { return load(true); }, [&] { return load(false); }).front();
}

Value GatherLowering::gatherWindow(Emitter e, tile::GatherOp op, const Window &window,
                                   IndexedAxis &index) const {
  FragmentLayout layout = layoutOf(op.getType());
  VectorType type = registers(op);
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  IndexedWindow from(e, window, state.facts.lookup(op), storageBytes(type.getElementType()),
                     op.getType().getShape(), index);
  auto load = [&](AccessWay way) -> SmallVector<Value> {
    IndexedGlobal memory(e, from, coords, way);
    return {loadCarried(memory, layout, type, way.length, padOf(op))};
  };
  AccessPlan plan = from.plan(e, layout, coords);
  return accessWindow(e, from.tile(), layout, coords, plan, load).front();
}

//===----------------------------------------------------------------------===//
// Into shared memory
//===----------------------------------------------------------------------===//

namespace {
class GatherCopyLowering : public TilePattern<tile::GatherCopyOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::GatherCopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;
};

/// Rows of a window and the shared tile that takes them; `layout` says which thread copies what.
struct RowTransfer {
  Emitter e;
  const IndexedWindow &from;
  SharedView to;
  FragmentLayout layout;
  SmallVector<ThreadCoord> coords;
  Type storage;
  TypedAttr pad;

  bool padsWithZero() const {
    return pad == TypedAttr(Builder(pad.getContext()).getZeroAttr(storage));
  }
  void copy() const;
  void copyAsync(int64_t length, bool inside) const {
    copyRowsAsync(e, from, to, layout, coords, length, inside);
  }
  void copyThroughRegisters() const;
  void copyRuns(AccessWay way) const;
};
} // namespace

/// Bytes of the chunk at `offset` that are there: whole chunks but for the last of a row.
static Value sourceBytes(Emitter e, const IndexedWindow &from, Bounds &bounds, int64_t length,
                         ArrayRef<int64_t> offset) {
  int64_t last = static_cast<int64_t>(offset.size()) - 1;
  Value bytes = e.i32(length * from.bytes);
  Value there = e.both(bounds.at(offset), from.index.isThere(offset));
  if (!there)
    return bytes;
  if (from.facts.boundMultiple % length != 0)
    bytes = e.mul(e.min(bounds.remaining(last, offset[last]), e.i32(length)), from.bytes);
  return e.select(there, bytes, e.i32(0));
}

void tilec::to_sm::copyRowsAsync(Emitter e, const IndexedWindow &from, const SharedView &to,
                                 const FragmentLayout &layout, ArrayRef<ThreadCoord> coords,
                                 int64_t length, bool inside) {
  Bounds tileBounds(e, from.extents, coords);
  Bounds bounds = inside ? tileBounds : Bounds(e, from.window, from.extents, coords);
  IndexedGlobal source(e, from, coords, {length});
  SharedAddress target(e, to, coords);
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; reg += length) {
    Coord offset = layout.regCoords(reg);
    Value read = source.address(offset), write = target.at(offset);
    Value bytes = inside
                      ? e.select(from.index.isThere(offset), e.i32(length * from.bytes), e.i32(0))
                      : sourceBytes(e, from, bounds, length, offset);
    emitIf(e, tileBounds.at(offset), [&] {
      sm::CpAsyncOp::create(e.builder, e.loc, write, read, bytes,
                            e.builder.getI64IntegerAttr(length * from.bytes));
    });
  }
}

/// The vector at `address`, or the pad where the condition does not hold.
static Value loadOrPad(Emitter e, IndexedGlobal &source, VectorType type, Value address,
                       Value there, TypedAttr pad) {
  UnalignedVector pieces(e, type, address);
  auto load = [&]() -> SmallVector<Value> {
    return source.isSplit() ? pieces.loadPieces() : SmallVector<Value>{source.load(type, address)};
  };
  auto padding = [&]() -> SmallVector<Value> {
    if (source.isSplit())
      return pieces.padPieces(pad);
    auto full = DenseElementsAttr::get(type, {Attribute(pad)});
    return {arith::ConstantOp::create(e.builder, e.loc, full)};
  };
  SmallVector<Value> values = there ? choose(e, there, load, padding) : load();
  return source.isSplit() ? pieces.join(values) : values.front();
}

/// Each vector is read, or padded, and written, in pieces where the tile's rows start at odd
/// addresses.
void RowTransfer::copyRuns(AccessWay way) const {
  const int64_t piece = std::min(way.length, vectorLength(layout, to));
  IndexedGlobal source(e, from, coords, way);
  SharedMemory target(e, to, coords);
  auto type = VectorType::get({way.length}, storage);
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; reg += way.length) {
    Coord offset = layout.regCoords(reg);
    Value read = source.address(offset), inTile = target.isThere(offset);
    Value there = source.isThere(offset);
    SmallVector<Value> writes;
    for (int64_t at = 0; at < way.length; at += piece, offset.back() += piece)
      writes.push_back(target.address(offset));
    emitIf(e, inTile, [&] {
      Value needed = there == inTile ? Value() : there;
      Value row = loadOrPad(e, source, type, read, needed, pad);
      for (auto [number, write] : llvm::enumerate(writes))
        target.store(slice(e, row, static_cast<int64_t>(number) * piece, piece), write);
    });
  }
}

void RowTransfer::copyThroughRegisters() const {
  accessWindow(e, from.tile(), layout, coords, from.plan(e, layout, coords), [&](AccessWay way) {
    copyRuns(way);
    return SmallVector<Value>();
  });
}

void RowTransfer::copy() const {
  const int64_t last = layout.rank - 1;
  int64_t length =
      std::min(vectorLength(layout, from.facts.contiguousAxis, from.bytes, from.extents),
               vectorLength(layout, to));
  int64_t chunkBytes = length * from.bytes;
  if (from.facts.contiguousAxis != last || chunkBytes < 4 || !padsWithZero())
    return copyThroughRegisters();
  if (from.facts.alignment % chunkBytes == 0)
    return copyAsync(length, /*inside=*/false);
  WindowTile window = from.tile();
  Value test =
      e.both(from.isInside(e), isAlignedTo(e, window.window, window.extents, last, chunkBytes));
  auto body = [](function_ref<void()> emit) {
    return [emit]() {
      emit();
      return SmallVector<Value>();
    };
  };
  choose(e, test, body([&] { copyAsync(length, /*inside=*/true); }),
         body([&] { copyThroughRegisters(); }));
}

LogicalResult GatherCopyLowering::matchAndRewrite(tile::GatherCopyOp op, OneToNOpAdaptor adaptor,
                                                  ConversionPatternRewriter &rewriter) const {
  tile::SharedType type = op.getTarget().getType();
  Type storage = storageType(type.getElementType());
  FragmentLayout layout =
      coalesced(type.getShape(), storageBytes(type.getElementType()), state.numWarps);
  if (failed(checkIndexLayout(op, op.getIndex(), op.getAxis(), layout)))
    return failure();
  Emitter e(rewriter, op.getLoc());
  IndexedAxis index = indexOf(e, op, adaptor);
  IndexedWindow from(e, Window::unpack(adaptor.getSource()), state.facts.lookup(op),
                     storageBytes(type.getElementType()), type.getShape(), index);
  TypedAttr pad = op.getPad() ? cast<TypedAttr>(*op.getPad()) : rewriter.getZeroAttr(storage);
  if (pad.getType() != storage) // i1, a byte in memory
    pad = IntegerAttr::get(storage, cast<IntegerAttr>(pad).getValue().getZExtValue());
  RowTransfer transfer{e,
                       from,
                       viewOf(e, state, op.getTarget(), adaptor.getTarget().front()),
                       layout,
                       threadCoords(e, state, layout),
                       storage,
                       pad};
  emitIf(e, isFirstCopy(e, state, layout), [&] { transfer.copy(); });
  sm::CpAsyncCommitOp::create(rewriter, op.getLoc());
  rewriter.eraseOp(op);
  return success();
}

//===----------------------------------------------------------------------===//
// Out of registers
//===----------------------------------------------------------------------===//

namespace {
/// Of threads that hold the same elements, the first one stores.
class ScatterLowering : public TilePattern<tile::ScatterOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ScatterOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentLayout layout = layoutOf(op.getValue().getType());
    if (failed(checkIndexLayout(op, op.getIndex(), op.getAxis(), layout)))
      return failure();
    Emitter e(rewriter, op.getLoc());
    IndexedAxis index = indexOf(e, op, adaptor);
    Value value = adaptor.getValue().front();
    if (isa<tile::SharedType>(op.getTarget().getType()))
      scatterShared(e, op, value, adaptor.getTarget().front(), index);
    else
      scatterWindow(e, op, value, Window::unpack(adaptor.getTarget()), index);
    rewriter.eraseOp(op);
    return success();
  }

private:
  void scatterShared(Emitter e, tile::ScatterOp op, Value value, Value tile,
                     IndexedAxis &index) const;
  void scatterWindow(Emitter e, tile::ScatterOp op, Value value, const Window &window,
                     IndexedAxis &index) const;
};
} // namespace

void ScatterLowering::scatterShared(Emitter e, tile::ScatterOp op, Value value, Value tile,
                                    IndexedAxis &index) const {
  FragmentLayout layout = layoutOf(op.getValue().getType());
  ArrayRef<int64_t> extents = op.getValue().getType().getShape();
  SharedView view = viewOf(e, state, op.getTarget(), tile);
  int64_t length = limitToTile(e, view, layout, index);
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  emitIf(e, isFirstCopy(e, state, layout), [&] {
    IndexedShared memory(e, view, extents, index, coords);
    storeRegisters(memory, layout, value, length);
  });
}

void ScatterLowering::scatterWindow(Emitter e, tile::ScatterOp op, Value value,
                                    const Window &window, IndexedAxis &index) const {
  auto type = cast<RankedTensorType>(op.getValue().getType());
  FragmentLayout layout = layoutOf(type);
  IndexedWindow to(e, window, state.facts.lookup(op), storageBytes(type.getElementType()),
                   type.getShape(), index);
  // All lanes of a warp exchange before any of them is kept back by its indices. The rows that a
  // lane holds, and so the index's layout, stay the same.
  if (auto exchange = QuadExchange::plan(layout, to.facts.contiguousAxis, type.getElementType(),
                                         type.getShape())) {
    value = exchange->apply(e, state, value);
    layout = exchange->to;
  }
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  emitIf(e, isFirstCopy(e, state, layout), [&] {
    accessWindow(e, to.tile(), layout, coords, to.plan(e, layout, coords), [&](AccessWay way) {
      IndexedGlobal memory(e, to, coords, way);
      storeRegisters(memory, layout, value, way.length);
      return SmallVector<Value>();
    });
  });
}

void tilec::to_sm::populateGatherPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                          KernelState &state) {
  patterns.add<GatherLowering, GatherCopyLowering, ScatterLowering>(types, patterns.getContext(),
                                                                    state);
}
