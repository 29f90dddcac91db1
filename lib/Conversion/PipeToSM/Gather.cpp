//===- Gather.cpp - rows at an index tile into a slot by cp.async -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All threads of the producer copy, 16 bytes at a time; the commit of the slot makes each of them
// arrive at the slot's barrier when its copies have landed (Channel.cpp).
//===----------------------------------------------------------------------===//
#include "../TileToSM/Indexed.h"
#include "Patterns.h"
#include "tilec/Layout/Coalesced.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kChunkBytes = 16;

namespace {
class PipeGatherLowering : public TilePattern<pipe::GatherOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(pipe::GatherOp op, OneToNOpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;
};
} // namespace

/// Rows in order, counted from one number that nobody knows: their addresses are computed where
/// they are used. Outside of the loop they would hold more registers than a producer has.
static Value opaqueRows(Emitter e, FragmentLayout rows, Value index) {
  Value first = vector::ExtractOp::create(e.builder, e.loc, index, ArrayRef<int64_t>{0});
  first = sm::OpaqueOp::create(e.builder, e.loc, first);
  SmallVector<Value> all;
  for (int64_t reg = 0, end = rows.numRegs(); reg < end; ++reg)
    all.push_back(e.add(first, rows.regCoords(reg).front()));
  return vector::FromElementsOp::create(e.builder, e.loc, cast<VectorType>(index.getType()), all);
}

LogicalResult PipeGatherLowering::matchAndRewrite(pipe::GatherOp op, OneToNOpAdaptor adaptor,
                                                  ConversionPatternRewriter &rewriter) const {
  tile::SharedType type = op.getChannel().getType().getSlot();
  int64_t bytes = storageBytes(type.getElementType()), length = kChunkBytes / bytes;
  FragmentLayout layout = gatherLayout(type.getShape(), bytes, state.producerWarps);
  if (failed(checkIndexLayout(op, op.getIndex(), op.getAxis(), layout)))
    return failure();
  Emitter e(rewriter, op.getLoc());
  Value mask = op.getMask() ? adaptor.getMask().front() : Value();
  Value positions = adaptor.getIndex().front();
  if (state.pipe.inOrder.contains(op))
    positions = opaqueRows(e, layoutOf(op.getIndex().getType()), positions);
  IndexedAxis index(e, {op.getIndex(), positions, mask, static_cast<int64_t>(op.getAxis())});
  IndexedWindow from(e, Window::unpack(adaptor.getWindow()), state.facts.lookup(op), bytes,
                     type.getShape(), index);
  Channel channel(op.getChannel().getType(), adaptor.getChannel());
  SharedView to{slotAddress(e, channel, Cursor(adaptor.getCursor())),
                type.getLayout(),
                llvm::to_vector(type.getShape()),
                llvm::to_vector(type.getShape()),
                zeroCoord(e),
                zeroCoord(e)};
  bool wholeChunks =
      from.facts.contiguousAxis == layout.rank - 1 && from.facts.alignment % kChunkBytes == 0 &&
      vectorLength(layout, from.facts.contiguousAxis, bytes, from.extents) == length &&
      vectorLength(layout, to) == length;
  if (!wholeChunks)
    return op.emitOpError("expected rows of 16-byte pieces that start at multiples of 16 bytes");
  SmallVector<ThreadCoord> coords = threadCoords(e, state, layout);
  auto copy = [&] { copyRowsAsync(e, from, to, layout, coords, length, /*inside=*/false); };
  if (Value first = isFirstCopy(e, state, layout))
    scf::IfOp::create(rewriter, op.getLoc(), first, [&](OpBuilder &builder, Location loc) {
      copy();
      scf::YieldOp::create(builder, loc);
    });
  else
    copy();
  rewriter.eraseOp(op);
  return success();
}

void tilec::to_sm::populatePipeGatherPatterns(RewritePatternSet &patterns,
                                              const TypeConverter &types, KernelState &state) {
  patterns.add<PipeGatherLowering>(types, patterns.getContext(), state);
}
