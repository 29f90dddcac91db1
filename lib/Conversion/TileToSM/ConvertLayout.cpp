//===- ConvertLayout.cpp - the same tile in other registers -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Within a thread: a table of registers. Within four lanes: whole words by a route that is the same
// in every quad (QuadMove). Where it is not, element by element: for each register of the result
// (or group of narrow ones that stay together, up to a word) and each distance (lane number xored
// with 0 to 3) at which some lane finds its element, the holder picks the register that its reader
// asks for, a shuffle passes it on, and the reader keeps it or not. Who picks what is a bit per
// lane, in constants.
//===----------------------------------------------------------------------===//
#include "QuadMove.h"

#include <map>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kLanes = 32, kQuad = 4, kWordBits = 32;

namespace {
class ConvertLayoutLowering : public TilePattern<tile::ConvertLayoutOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ConvertLayoutOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override;
};

/// A set of threads: per warp, a bit per lane.
using ThreadSet = SmallVector<uint32_t>;

/// Moves elements between the lanes of a quad, `run` neighbouring registers as one.
class QuadMover {
public:
  QuadMover(Emitter e, const KernelState &state, tile::ConvertLayoutOp op, Value source)
      : e(e), state(state), from(layoutOf(op.getSource().getType())), to(layoutOf(op.getType())),
        shape(op.getType().getShape()), source(source) {
    int64_t bits = op.getType().getElementTypeBitWidth();
    for (auto [a, b] : llvm::zip(from.reg, to.reg)) {
      if (a != b || bits == 1 || 2 * run * bits > kWordBits)
        break;
      run *= 2;
    }
    if (run > 1 || (bits > 1 && bits < kWordBits))
      this->source = vector::BitCastOp::create(
          e.builder, e.loc,
          VectorType::get({from.numRegs() / run}, e.builder.getIntegerType(run * bits)), source);
  }

  /// The result.
  Value move(VectorType type) {
    SmallVector<Value> parts;
    if (auto table = quadTable(from, to, shape, run))
      parts = moveInQuad(e, state, *table, source);
    else
      for (int64_t reg = 0, end = to.numRegs(); reg < end; reg += run)
        parts.push_back(moveRegister(reg));
    Value result = vector::FromElementsOp::create(
        e.builder, e.loc,
        VectorType::get({static_cast<int64_t>(parts.size())}, parts.front().getType()), parts);
    return result.getType() == type
               ? result
               : vector::BitCastOp::create(e.builder, e.loc, type, result).getResult();
  }

private:
  /// Registers from `reg` on of the result.
  Value moveRegister(int64_t reg);
  /// For one distance and one register of the holder, the threads that read it.
  using Readers = std::map<std::pair<int64_t, int64_t>, ThreadSet>;
  Readers readersOf(int64_t reg) const;
  /// Whether the thread is in the set; null for all threads.
  Value isIn(const ThreadSet &threads) const;
  Value element(int64_t reg) const {
    return vector::ExtractOp::create(e.builder, e.loc, source, ArrayRef<int64_t>{reg / run});
  }

  Emitter e;
  const KernelState &state;
  FragmentLayout from, to;
  ArrayRef<int64_t> shape;
  Value source;
  int64_t run = 1;
};
} // namespace

QuadMover::Readers QuadMover::readersOf(int64_t reg) const {
  Readers readers;
  for (int64_t warp = 0; warp < state.numWarps; ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      Coord c = to.coords(warp, lane, reg);
      if (llvm::any_of(llvm::zip(c, shape),
                       [](auto pair) { return std::get<0>(pair) >= std::get<1>(pair); }))
        continue; // padding: anything will do
      int64_t held = from.holder(c)->reg, distance = 0;
      while (distance < kQuad && from.coords(warp, lane ^ distance, held) != c)
        ++distance;
      assert(distance < kQuad && "planned as a quad shuffle");
      ThreadSet &threads = readers[{distance, held}];
      threads.resize(state.numWarps, 0);
      threads[warp] |= uint32_t(1) << lane;
    }
  return readers;
}

Value QuadMover::isIn(const ThreadSet &threads) const {
  if (llvm::all_of(threads, [](uint32_t lanes) { return lanes == UINT32_MAX; }))
    return {};
  Value lanes = e.i32(static_cast<int32_t>(threads[0]));
  for (auto [warp, set] : llvm::enumerate(threads))
    if (set != threads[0])
      lanes = e.select(e.compare(arith::CmpIPredicate::eq, state.warp, e.i32(warp)),
                       e.i32(static_cast<int32_t>(set)), lanes);
  Value bit = arith::ShRUIOp::create(e.builder, e.loc, lanes, state.lane);
  return arith::TruncIOp::create(e.builder, e.loc, e.builder.getI1Type(), bit);
}

/// The same threads as seen from the other end of an exchange over `distance`.
static ThreadSet exchanged(const ThreadSet &threads, int64_t distance) {
  ThreadSet result(threads.size(), 0);
  for (auto [target, lanes] : llvm::zip(result, threads))
    for (int64_t lane = 0; lane < kLanes; ++lane)
      if (lanes >> lane & 1)
        target |= uint32_t(1) << (lane ^ distance);
  return result;
}

Value QuadMover::moveRegister(int64_t reg) {
  Value result;
  Readers readers = readersOf(reg);
  for (int64_t distance = 0; distance < kQuad; ++distance) {
    Value sent;
    ThreadSet all(state.numWarps, 0);
    for (auto &[key, threads] : readers) {
      if (key.first != distance)
        continue;
      for (auto [sum, lanes] : llvm::zip(all, threads))
        sum |= lanes;
      Value candidate = element(key.second);
      Value picks = sent ? isIn(exchanged(threads, distance)) : Value();
      sent = picks ? e.select(picks, candidate, sent) : candidate;
    }
    if (!sent)
      continue;
    if (distance != 0)
      sent = shuffleXor(e, sent, distance);
    Value keeps = result ? isIn(all) : Value();
    result = keeps ? e.select(keeps, sent, result) : sent;
  }
  return result ? result : element(0);
}

LogicalResult ConvertLayoutLowering::matchAndRewrite(tile::ConvertLayoutOp op, OpAdaptor adaptor,
                                                     ConversionPatternRewriter &rewriter) const {
  Emitter e(rewriter, op.getLoc());
  FragmentLayout from = layoutOf(op.getSource().getType()), to = layoutOf(op.getType());
  ArrayRef<int64_t> shape = op.getType().getShape();
  if (auto table = registerPermutation(from, to, shape)) {
    rewriter.replaceOp(op, permute(e, adaptor.getSource(), *table));
    return success();
  }
  if (planConversion(from, to, shape) != ConversionKind::QuadShuffle)
    return op.emitOpError("moves elements between threads; run 'tile-materialize-scratch' first");
  QuadMover mover(e, state, op, adaptor.getSource());
  rewriter.replaceOp(op,
                     mover.move(cast<VectorType>(getTypeConverter()->convertType(op.getType()))));
  return success();
}

void tilec::to_sm::populateConvertLayoutPatterns(RewritePatternSet &patterns,
                                                 const TypeConverter &types, KernelState &state) {
  patterns.add<ConvertLayoutLowering>(types, patterns.getContext(), state);
}
