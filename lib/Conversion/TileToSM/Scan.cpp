//===- Scan.cpp - prefixes within a warp ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The bits and digits of the layout that move along the axis are visited from the smallest step to
// the largest. At each, blocks of elements that are already scanned are put together into larger
// ones: in registers the later block starts from what the earlier ones sum up to, between lanes an
// exchange tells each half what the other sums up to. Counts of flags are small: several of them
// are exchanged in fields of one word.
//===----------------------------------------------------------------------===//
#include "Address.h"

#include "llvm/Support/MathExtras.h"

#include <map>

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

namespace {
/// A step along the axis: a digit of the register number, or a bit of the lane's.
struct Step {
  int64_t unit;
  int64_t count = 1, weight = 1; // of the register number: digit = reg / weight % count
  int lane = -1;                 // the bit
};

/// How elements are combined.
class Combiner {
public:
  Combiner(Emitter e, tile::ScanKind kind, Type element) : e(e), kind(kind), element(element) {}

  /// A null value changes nothing.
  Value combine(Value a, Value b) const;
  Value identity() const;
  /// NaN is passed over by a maximum.
  Value prepare(Value a) const {
    bool passes = kind == tile::ScanKind::Max && isa<FloatType>(element);
    return passes ? combine(a, identity()) : a;
  }

private:
  Emitter e;
  tile::ScanKind kind;
  Type element;
};

/// Elements of a thread that lie next to each other along the axis, in the order of the scan.
struct Block {
  SmallVector<int64_t> regs;
  Value total;  // of the elements in all lanes that the steps so far tell apart
  Value offset; // what all of them start from, not yet added; null: nothing
};

class Scanner {
public:
  /// `countsFlags`: the source's elements are 0 or 1, and their sum is asked for.
  Scanner(Emitter e, const KernelState &state, tile::ScanOp op, bool countsFlags)
      : e(e), state(state), op(op), layout(layoutOf(op.getType())),
        axis(static_cast<int>(op.getAxis())),
        combiner(e, op.getKind(), op.getType().getElementType()), countsFlags(countsFlags) {}

  /// The registers of the result. `start`: null or what each register's warp starts from.
  SmallVector<Value> run(Value source, Value start);

private:
  SmallVector<Step> steps() const;
  void load(Value source);
  void mergeRegisters(const Step &step);
  void mergeLanes(ArrayRef<Step> run);
  void mergeFields(ArrayRef<Step> run, ArrayRef<Block *> members, int64_t bits);
  void addOffset(const Block &block, Value offset);

  Emitter e;
  const KernelState &state;
  tile::ScanOp op;
  FragmentLayout layout;
  int axis;
  Combiner combiner;
  bool countsFlags;
  int64_t covered = 1;         // elements that a block's total sums up
  SmallVector<Value> prefixes; // by register; null: nothing before it
  SmallVector<Value> elements;
  std::map<int64_t, Block> blocks; // by the register number without the digits of past steps
};
} // namespace

Value Combiner::combine(Value a, Value b) const {
  if (!a || !b)
    return a ? a : b;
  bool isFloat = isa<FloatType>(element);
  if (kind == tile::ScanKind::Sum)
    return isFloat ? arith::AddFOp::create(e.builder, e.loc, a, b)->getResult(0) : e.add(a, b);
  return isFloat ? arith::MaxNumFOp::create(e.builder, e.loc, a, b)->getResult(0) : e.max(a, b);
}

Value Combiner::identity() const {
  TypedAttr value = cast<TypedAttr>(e.builder.getZeroAttr(element));
  if (kind == tile::ScanKind::Max) {
    if (auto type = dyn_cast<FloatType>(element))
      value = FloatAttr::get(type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/true));
    else
      value = e.builder.getIntegerAttr(element,
                                       APInt::getSignedMinValue(element.getIntOrFloatBitWidth()));
  }
  return arith::ConstantOp::create(e.builder, e.loc, value);
}

/// In the order of their units. Warps are no steps: what they start from comes from outside.
SmallVector<Step> Scanner::steps() const {
  SmallVector<Step> result;
  int64_t weight = 1;
  for (const Coord &vector : layout.reg) {
    if (vector[axis] != 0)
      result.push_back({vector[axis], 2, weight});
    weight *= 2;
  }
  for (auto [bit, vector] : llvm::enumerate(layout.lane))
    if (vector[axis] != 0)
      result.push_back({vector[axis], 1, 1, static_cast<int>(bit)});
  int64_t unit = layout.atomExtents()[axis];
  for (const Digit &digit : layout.repeat) {
    if (digit.dim == axis) {
      result.push_back({unit, digit.count, weight});
      unit *= digit.count;
    }
    weight *= digit.count;
  }
  llvm::sort(result, [](const Step &a, const Step &b) { return a.unit < b.unit; });
  return result;
}

/// One block per register; padding replaced.
void Scanner::load(Value source) {
  RankedTensorType type = op.getType();
  std::optional<Bounds> bounds;
  if (layout.coverage()[axis] > type.getDimSize(axis))
    bounds.emplace(e, type.getShape(), threadCoords(e, state, layout));
  for (int64_t reg = 0, end = layout.numRegs(); reg < end; ++reg) {
    Value value = vector::ExtractOp::create(e.builder, e.loc, source, ArrayRef<int64_t>{reg});
    value = combiner.prepare(value);
    if (bounds)
      if (Value there = bounds->axis(axis, layout.regCoords(reg)[axis]))
        value = e.select(there, value, combiner.identity());
    elements.push_back(value);
    prefixes.push_back(op.getExclusive() ? Value() : value);
    blocks[reg] = {{reg}, value, {}};
  }
}

void Scanner::addOffset(const Block &block, Value offset) {
  if (!offset)
    return;
  for (int64_t reg : block.regs)
    prefixes[reg] = combiner.combine(offset, prefixes[reg]);
}

void Scanner::mergeRegisters(const Step &step) {
  std::map<int64_t, Block> merged;
  std::map<int64_t, SmallVector<int64_t>> groups; // keys of the blocks in the order of the scan
  for (auto &[key, block] : blocks)
    groups[key - key / step.weight % step.count * step.weight].push_back(key);
  for (auto &[key, members] : groups) {
    if (op.getReverse())
      std::reverse(members.begin(), members.end());
    Block whole;
    for (int64_t member : members) {
      Block &block = blocks[member];
      addOffset(block, combiner.combine(whole.total, block.offset));
      whole.total = combiner.combine(whole.total, block.total);
      whole.regs.append(block.regs);
    }
    merged[key] = std::move(whole);
  }
  blocks = std::move(merged);
}

/// Steps between lanes, as many as follow each other. Totals of as many blocks as fit are exchanged
/// in one word.
void Scanner::mergeLanes(ArrayRef<Step> run) {
  int64_t bits = 32, perWord = 1;
  if (countsFlags) {
    bits = llvm::Log2_64(static_cast<uint64_t>(covered) << run.size()) + 1;
    perWord = std::max<int64_t>(32 / bits, 1);
  }
  SmallVector<Block *> members;
  for (auto &[key, block] : blocks)
    members.push_back(&block);
  for (ArrayRef<Block *> rest = members; !rest.empty();) {
    ArrayRef<Block *> word = rest.take_front(perWord);
    mergeFields(run, word, bits);
    rest = rest.drop_front(word.size());
  }
}

/// The later half, seen in the order of the scan, starts from the total of the earlier one.
void Scanner::mergeFields(ArrayRef<Step> run, ArrayRef<Block *> members, int64_t bits) {
  Value total = members.front()->total, offset;
  for (auto [field, member] : llvm::enumerate(members.drop_front()))
    total = e.bitOr(total, e.shiftLeft(member->total, (field + 1) * bits));
  for (const Step &step : run) {
    Value bit = e.bitAnd(state.lane, int64_t(1) << step.lane);
    Value isLater = e.compare(op.getReverse() ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne,
                              bit, e.i32(0));
    Value other = shuffleXor(e, total, int64_t(1) << step.lane);
    offset = combiner.combine(e.select(isLater, other, combiner.identity()), offset);
    total = combiner.combine(total, other);
  }
  auto fieldOf = [&](Value word, int64_t field) {
    Value rest = field == 0 ? word : e.shiftRight(word, field * bits);
    bool isLast = field + 1 == static_cast<int64_t>(members.size());
    return isLast ? rest : e.bitAnd(rest, (int64_t(1) << bits) - 1);
  };
  for (auto [field, member] : llvm::enumerate(members)) {
    member->total = fieldOf(total, field);
    member->offset = combiner.combine(fieldOf(offset, field), member->offset);
  }
}

SmallVector<Value> Scanner::run(Value source, Value start) {
  load(source);
  SmallVector<Step> all = steps();
  for (ArrayRef<Step> rest = all; !rest.empty();) {
    ArrayRef<Step> lanes = rest.take_while([](const Step &step) { return step.lane >= 0; });
    if (lanes.empty()) {
      mergeRegisters(rest.front());
      covered *= rest.front().count;
      rest = rest.drop_front();
    } else {
      mergeLanes(lanes);
      covered <<= lanes.size();
      rest = rest.drop_front(lanes.size());
    }
  }
  for (auto &[key, block] : blocks) {
    Value offset = block.offset;
    if (start) {
      int64_t reg = layout.sliceRegister(axis, block.regs.front());
      offset = combiner.combine(
          vector::ExtractOp::create(e.builder, e.loc, start, ArrayRef<int64_t>{reg}), offset);
    }
    addOffset(block, offset);
  }
  for (Value &prefix : prefixes)
    if (!prefix)
      prefix = combiner.identity();
  return prefixes;
}

/// True for a sum of flags that were made 32-bit numbers.
static bool countsFlags(tile::ScanOp op) {
  auto extended = op.getSource().getDefiningOp<arith::ExtUIOp>();
  return op.getKind() == tile::ScanKind::Sum && op.getType().getElementType().isInteger(32) &&
         extended && getElementTypeOrSelf(extended.getIn()).isInteger(1);
}

namespace {
class ScanLowering : public TilePattern<tile::ScanOp> {
public:
  using TilePattern::TilePattern;
  LogicalResult matchAndRewrite(tile::ScanOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    FragmentLayout layout = layoutOf(op.getType());
    if (layoutOf(op.getSource().getType()) != layout)
      return op.emitOpError("expected one layout; a tile.convert_layout is missing");
    if (layout.warpsSplit(static_cast<int>(op.getAxis())) && !op.getStart())
      return op.emitOpError("scans over several warps; run 'tile-materialize-scratch' first");
    Emitter e(rewriter, op.getLoc());
    SmallVector<Value> results =
        Scanner(e, state, op, countsFlags(op)).run(adaptor.getSource(), adaptor.getStart());
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, getTypeConverter()->convertType(op.getType()), results);
    return success();
  }
};
} // namespace

void tilec::to_sm::populateScanPatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  patterns.add<ScanLowering>(types, patterns.getContext(), state);
}
