//===- Copy.cpp - copies between windows and shared tiles -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Copy.h"
#include "Access.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
class CopyLowering : public TilePattern<tile::CopyOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::CopyOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;
};

/// A window and a shared tile of one shape.
struct Transfer {
  Emitter e;
  const KernelState &state;
  Window window;
  WindowFacts facts;
  SharedView view; // with the window's axes
  Type storage;
  TypedAttr pad; // null: zero

  int64_t bytes() const { return view.layout.elementBytes; }
  int64_t lastAxis() const { return static_cast<int64_t>(view.extents.size()) - 1; }
  /// Elements of a chunk: the most in 16 bytes that divide a row.
  int64_t chunkLength() const;
  /// Calls `body` for each of the thread's chunks, with the memory and the offset of its first
  /// element. `inside`: the whole window is there.
  void forEachChunk(
      Emitter e, int64_t length, bool inside,
      function_ref<void(GlobalMemory &, SharedAddress &, Bounds &, ArrayRef<int64_t>)> body) const;
};
} // namespace

/// Elements of the longest access that every row of the part consists of.
static int64_t chunkLengthOf(const SharedView &view) {
  int64_t length = 1, bytes = view.layout.elementBytes;
  while (view.extents.back() % (2 * length) == 0 && 2 * length * bytes <= 16 &&
         view.columnMultiple % (2 * length * bytes) == 0)
    length *= 2;
  return length;
}

int64_t Transfer::chunkLength() const { return chunkLengthOf(view); }

void Transfer::forEachChunk(
    Emitter e, int64_t length, bool inside,
    function_ref<void(GlobalMemory &, SharedAddress &, Bounds &, ArrayRef<int64_t>)> body) const {
  for (ChunkGroup &group : spreadChunks(e, state, view.extents, length)) {
    GlobalMemory global(e, window, facts, bytes(), view.extents, group.coords, inside);
    SharedAddress shared(e, view, group.coords);
    Bounds bounds(e, window, view.extents, group.coords);
    for (ArrayRef<int64_t> step : group.steps) {
      if (!group.active || step != ArrayRef<int64_t>(group.steps.back())) {
        body(global, shared, bounds, step);
        continue;
      }
      scf::IfOp::create(e.builder, e.loc, group.active, [&](OpBuilder &builder, Location loc) {
        body(global, shared, bounds, step);
        scf::YieldOp::create(builder, loc);
      });
    }
  }
}

//===----------------------------------------------------------------------===//
// Window to shared
//===----------------------------------------------------------------------===//

/// How many bytes of a chunk are there: whole chunks but for the last of a row.
static Value sourceBytes(const Transfer &t, Emitter e, Bounds &bounds, int64_t length,
                         ArrayRef<int64_t> step) {
  int64_t last = t.lastAxis();
  Value there, bytes = e.i32(length * t.bytes());
  for (int64_t axis = 0; axis <= last; ++axis)
    there = e.both(there, bounds.axis(axis, step[axis]));
  if (!there)
    return bytes;
  if (t.facts.boundMultiple % length != 0)
    bytes = e.mul(e.min(bounds.remaining(last, step[last]), e.i32(length)), t.bytes());
  return e.select(there, bytes, e.i32(0));
}

static void copyAsync(const Transfer &t, Emitter e, int64_t length, bool inside) {
  int64_t chunkBytes = length * t.bytes();
  t.forEachChunk(
      e, length, inside,
      [&](GlobalMemory &global, SharedAddress &shared, Bounds &bounds, ArrayRef<int64_t> step) {
        Value bytes = inside ? e.i32(chunkBytes) : sourceBytes(t, e, bounds, length, step);
        sm::CpAsyncOp::create(e.builder, e.loc, shared.at(step), global.address(step), bytes,
                              e.builder.getI64IntegerAttr(chunkBytes));
      });
}

/// Element by element through registers, a chunk at a time into shared memory.
static void copyElements(const Transfer &t, Emitter e, int64_t length) {
  OpBuilder &builder = e.builder;
  TypedAttr pad = t.pad ? t.pad : cast<TypedAttr>(builder.getZeroAttr(t.storage));
  auto load = [&](GlobalMemory &global, ArrayRef<int64_t> offset) -> Value {
    Value address = global.address(offset), there = global.isThere(offset);
    if (!there)
      return global.load(t.storage, address);
    auto branch = scf::IfOp::create(
        builder, e.loc, there,
        [&](OpBuilder &, Location loc) {
          scf::YieldOp::create(builder, loc, global.load(t.storage, address));
        },
        [&](OpBuilder &, Location loc) {
          scf::YieldOp::create(builder, loc,
                               arith::ConstantOp::create(builder, loc, pad).getResult());
        });
    return branch.getResult(0);
  };
  t.forEachChunk(
      e, length, /*inside=*/false,
      [&](GlobalMemory &global, SharedAddress &shared, Bounds &, ArrayRef<int64_t> step) {
        SmallVector<Value> elements;
        SmallVector<int64_t> offset(step);
        for (int64_t i = 0; i < length; ++i, ++offset.back())
          elements.push_back(load(global, offset));
        Value chunk = vector::FromElementsOp::create(
            builder, e.loc, VectorType::get({length}, t.storage), elements);
        sm::StoreSharedOp::create(builder, e.loc, chunk, shared.at(step));
      });
}

static void createIf(Emitter e, Value condition, function_ref<void(Emitter)> then,
                     function_ref<void(Emitter)> otherwise) {
  auto region = [&](function_ref<void(Emitter)> body) {
    return [body](OpBuilder &builder, Location loc) {
      body(Emitter(builder, loc));
      scf::YieldOp::create(builder, loc);
    };
  };
  scf::IfOp::create(e.builder, e.loc, condition, region(then), region(otherwise));
}

static void copyToShared(const Transfer &t) {
  int64_t length = t.chunkLength(), chunkBytes = length * t.bytes();
  auto elements = [&](Emitter e) { copyElements(t, e, length); };
  auto whole = [&](Emitter e) { copyAsync(t, e, length, /*inside=*/true); };
  auto part = [&](Emitter e) { copyAsync(t, e, length, /*inside=*/false); };
  bool zeroPad = !t.pad || t.pad == TypedAttr(Builder(t.pad.getContext()).getZeroAttr(t.storage));
  if (t.facts.contiguousAxis != t.lastAxis() || chunkBytes < 4)
    return elements(t.e);
  bool aligned = t.facts.alignment % chunkBytes == 0;
  Value inside = isInside(t.e, t.window, t.view.extents);
  Value test = aligned
                   ? Value()
                   : isAlignedTo(t.e, t.window, t.view.extents, t.facts.contiguousAxis, chunkBytes);
  Value fast = t.e.both(inside, test);
  if (!fast)
    return whole(t.e);
  if (aligned && zeroPad)
    return createIf(t.e, fast, whole, part);
  createIf(t.e, fast, whole, elements);
}

//===----------------------------------------------------------------------===//
// Shared to window, shared to shared
//===----------------------------------------------------------------------===//

static void copyFromShared(const Transfer &t, Emitter e, int64_t length, bool inside) {
  auto type = VectorType::get({length}, t.storage);
  t.forEachChunk(
      e, length, inside,
      [&](GlobalMemory &global, SharedAddress &shared, Bounds &, ArrayRef<int64_t> step) {
        Value chunk = sm::LoadSharedOp::create(e.builder, e.loc, type, shared.at(step));
        Value address = global.address(step), there = global.isThere(step);
        if (!there)
          return global.store(chunk, address);
        scf::IfOp::create(e.builder, e.loc, there, [&](OpBuilder &builder, Location loc) {
          global.store(chunk, address);
          scf::YieldOp::create(builder, loc);
        });
      });
}

static void copyToWindow(const Transfer &t) {
  int64_t length = t.facts.contiguousAxis == t.lastAxis() ? t.chunkLength() : 1;
  int64_t elements = ShapedType::getNumElements(t.view.extents);
  int64_t accesses = elements / length / t.state.numThreads();
  AccessPlan plan = planAccess(t.e, t.window, t.facts, t.view.extents, t.bytes(), length, accesses);
  auto fast = [&](Emitter e) { copyFromShared(t, e, plan.fastLength, /*inside=*/true); };
  auto slow = [&](Emitter e) { copyFromShared(t, e, plan.slowLength, /*inside=*/false); };
  if (!plan.hasSlow)
    return fast(t.e);
  if (!plan.hasFast)
    return slow(t.e);
  createIf(t.e, plan.fast, fast, slow);
}

static void copyWithinShared(Emitter e, const KernelState &state, tile::CopyOp op, Value source,
                             Value target) {
  SharedView from = viewOf(e, state, op.getSource(), source);
  SharedView to = viewOf(e, state, op.getTarget(), target);
  int64_t length = std::min(chunkLengthOf(from), chunkLengthOf(to));
  Type element = cast<tile::SharedType>(op.getSource().getType()).getElementType();
  auto type = VectorType::get({length}, storageType(element));
  for (ChunkGroup &group : spreadChunks(e, state, from.extents, length)) {
    SharedAddress read(e, from, group.coords), write(e, to, group.coords);
    for (ArrayRef<int64_t> step : group.steps) {
      auto copy = [&] {
        Value chunk = sm::LoadSharedOp::create(e.builder, e.loc, type, read.at(step));
        sm::StoreSharedOp::create(e.builder, e.loc, chunk, write.at(step));
      };
      if (!group.active || step != ArrayRef<int64_t>(group.steps.back())) {
        copy();
        continue;
      }
      scf::IfOp::create(e.builder, e.loc, group.active, [&](OpBuilder &builder, Location loc) {
        copy();
        scf::YieldOp::create(builder, loc);
      });
    }
  }
}

LogicalResult CopyLowering::matchAndRewrite(tile::CopyOp op, OneToNOpAdaptor adaptor,
                                            ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  auto from = dyn_cast<tile::SharedType>(op.getSource().getType());
  auto to = dyn_cast<tile::SharedType>(op.getTarget().getType());
  if (from && to) {
    copyWithinShared(e, state, op, adaptor.getSource().front(), adaptor.getTarget().front());
    rewriter.eraseOp(op);
    return success();
  }
  ValueRange window = from ? adaptor.getTarget() : adaptor.getSource();
  ValueRange tile = from ? adaptor.getSource() : adaptor.getTarget();
  tile::SharedType type = from ? from : to;
  Value handle = from ? op.getSource() : op.getTarget();
  auto shape =
      cast<tile::WindowType>((from ? op.getTarget() : op.getSource()).getType()).getShape();
  SharedView view = viewOf(e, state, handle, tile.front());
  view.setExtents(shape);
  Type storage = storageType(type.getElementType());
  TypedAttr pad = op.getPad() ? cast<TypedAttr>(*op.getPad()) : TypedAttr();
  if (pad && pad.getType() != storage) // i1, a byte in memory
    pad = IntegerAttr::get(storage, cast<IntegerAttr>(pad).getValue().getZExtValue());
  Transfer transfer{e, state, Window::unpack(window), state.facts.lookup(op), view, storage, pad};
  if (from) {
    copyToWindow(transfer);
  } else {
    copyToShared(transfer);
    sm::CpAsyncCommitOp::create(rewriter, op.getLoc());
  }
  rewriter.eraseOp(op);
  return success();
}

void tilec::to_sm::populateCopyPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<CopyLowering>(types, patterns.getContext(), state);
}
