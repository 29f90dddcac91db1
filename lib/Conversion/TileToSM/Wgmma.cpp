//===- Wgmma.cpp - a gemm on warpgroups -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The accumulator is cut into blocks of 64 rows and at most 256 columns, one chain of wgmma over K
// each. All chains are one group, and the wait ties their registers. The fence ties what was
// written by other instructions, A's registers and the accumulator, so that the writes stay above
// it.
//
// In a grouped product B is several matrices, one for each run of rows. A run is whole blocks, so a
// block's descriptor starts at its run's matrix.
//===----------------------------------------------------------------------===//
#include "Gemm.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kRows = 64, kMaxColumns = 256;

namespace {
/// A shared tile as wgmma reads it, from where the warpgroup's share starts.
class Descriptor {
public:
  /// `first` is the row or column (uniform over the warpgroup) where the share starts, a multiple
  /// of `share`. `matrix`: of a tile of several ones; null for the first one. Fails with a
  /// diagnostic on tiles that no descriptor reaches.
  static FailureOr<Descriptor> create(Emitter e, Operation *op, const SharedView &view,
                                      bool mnMajor, const ThreadCoord &first, int64_t share,
                                      Value matrix = {});
  /// Descriptor for K step `step` of the block `mn` rows or columns into the share, `matrices`
  /// further.
  Value at(Emitter e, int64_t step, int64_t mn, int64_t matrices = 0) const {
    int64_t start = wgmmaStart(layout, mnMajor, step, mn);
    if (matrices != 0)
      start += matrices * wgmmaMatrix(layout);
    return e.add(base, start >> 4);
  }
  bool mnMajor = false;

private:
  SharedLayout layout;
  Value base;
};

/// Blocks of the accumulator that one warpgroup computes.
struct Blocks {
  int64_t rowBlocks, columns; // of a warpgroup
  explicit Blocks(const FragmentLayout &acc) {
    Coord covered = acc.coverage();
    for (const Digit &digit : acc.warps)
      if (digit.dim >= 0)
        covered[digit.dim] /= digit.count;
    rowBlocks = covered[0] / kRows;
    columns = covered[1];
  }
};
} // namespace

/// Address of the first element of a part, which a descriptor can hold if it starts with whole
/// groups of eight rows and whole steps along K, or whole slabs along M or N.
static FailureOr<Value> startOf(Emitter e, Operation *op, const SharedView &view, bool mnMajor) {
  constexpr int64_t kStepBytes = 32;
  if (view.row.max != 0)
    return op->emitOpError(
        "expected an operand that starts at a multiple of 8 rows of its shared tile");
  if (view.column.max == 0)
    return view.base;
  if (mnMajor || view.columnMultiple % kStepBytes != 0)
    return op->emitOpError("expected an operand that starts at a multiple of ")
           << (mnMajor ? view.layout.swizzle : kStepBytes) << " bytes of its shared tile's rows";
  Value slab = e.div(view.column.value, view.layout.swizzle);
  Value inSlab = e.rem(view.column.value, view.layout.swizzle);
  return e.add(view.base, e.add(e.mul(slab, view.layout.slabBytes()), inSlab));
}

FailureOr<Descriptor> Descriptor::create(Emitter e, Operation *op, const SharedView &view,
                                         bool mnMajor, const ThreadCoord &first, int64_t share,
                                         Value matrix) {
  const SharedLayout &layout = view.layout;
  std::string why;
  std::optional<WgmmaOperand> operand = wgmmaOperand(layout, mnMajor, &why);
  if (!operand)
    return op->emitOpError() << why;
  FailureOr<Value> start = startOf(e, op, view, mnMajor);
  if (failed(start))
    return failure();
  Value tile = *start;
  if (first.max != 0) {
    // The start is linear in the share's number for every tile that has a descriptor.
    Value number = e.div(first.value, share);
    tile = e.add(tile, e.mul(number, wgmmaStart(layout, mnMajor, 0, share)));
  }
  if (matrix)
    tile = e.add(tile, e.mul(matrix, wgmmaMatrix(layout)));
  Descriptor result;
  result.mnMajor = mnMajor;
  result.layout = layout;
  result.base = descriptorAt(e, tile, view.isPart, operand->descriptor);
  return result;
}

/// A block's accumulator, a constant where the product overwrites it.
static Value accumulatorOf(Emitter e, Value acc, bool isZero, int64_t first, int64_t count) {
  if (!isZero)
    return slice(e, acc, first, count);
  auto type = VectorType::get({count}, e.builder.getF32Type());
  return arith::ConstantOp::create(e.builder, e.loc, e.builder.getZeroAttr(type));
}

/// Shares of the operands beyond what the shared tile holds would be read from a neighbour.
static LogicalResult checkCoverage(const Product &product) {
  Coord covered = layoutOf(product.acc).coverage();
  if (covered[1] != product.n())
    return product.op->emitOpError() << "expected N to fill the accumulator's layout of "
                                     << covered[1] << " columns for wgmma, found " << product.n();
  if (covered[0] != product.m() && isa<tile::SharedType>(product.a))
    return product.op->emitOpError() << "expected M to fill the accumulator's layout of "
                                     << covered[0] << " rows for wgmma, found " << product.m();
  return success();
}

namespace {
/// Which matrix of a grouped product's B each block of a warpgroup's rows is multiplied by.
class Runs {
public:
  Runs(const Product &product, int64_t rowBlocks)
      : groups(product.groups()), perRun(product.m() / kRows / groups), rowBlocks(rowBlocks) {}

  /// Descriptors that start at different matrices: one, unless a warpgroup's rows are neither whole
  /// runs nor a whole part of one.
  int64_t descriptors() const {
    return groups == 1 || wholeRuns() || perRun % rowBlocks == 0 ? 1 : rowBlocks;
  }
  int64_t descriptorOf(int64_t block) const { return block % descriptors(); }
  /// The matrix where a descriptor starts; null for the first one. `first`: of the warpgroup's
  /// rows.
  Value start(Emitter e, int64_t descriptor, const ThreadCoord &first) const {
    if (groups == 1 || first.max == 0)
      return {};
    Value number = e.div(first.value, rowBlocks * kRows);
    if (wholeRuns())
      return e.mul(number, rowBlocks / perRun);
    return e.div(e.add(e.mul(number, rowBlocks), descriptor), perRun);
  }
  /// Matrices from there to the block's one.
  int64_t further(int64_t block) const { return groups == 1 || !wholeRuns() ? 0 : block / perRun; }

private:
  bool wholeRuns() const { return rowBlocks % perRun == 0; }

  int64_t groups, perRun, rowBlocks;
};

/// Emits the chains of one product.
class WgmmaEmitter {
public:
  WgmmaEmitter(Emitter e, const Product &product, const GemmOperands &operands, bool accInFlight)
      : e(e), product(product), operands(operands), acc(layoutOf(product.acc)), blocks(acc),
        runs(product, blocks.rowBlocks), kSteps(product.k() / kOfInstruction(product.elementB())),
        accInFlight(accInFlight) {
    SplatElementsAttr splat;
    isZero = matchPattern(operands.acc, m_Constant(&splat)) &&
             splat.getSplatValue<APFloat>().isPosZero();
  }

  LogicalResult createDescriptors(const KernelState &state) {
    if (failed(createB(state)))
      return failure();
    if (!isa<tile::SharedType>(product.a))
      return success();
    FailureOr<Descriptor> descriptor = Descriptor::create(
        e, product.op, viewOf(e, state, product.handleA(), operands.a), product.transposeA,
        digitCoord(e, state, acc, 0), blocks.rowBlocks * kRows);
    if (failed(descriptor))
      return failure();
    a = *descriptor;
    return success();
  }

  IssuedProduct issue() {
    IssuedProduct result;
    if (!a)
      result.words = wordsOfA(e, operands.a);
    fence(result.words);
    for (int64_t block = 0; block < blocks.rowBlocks; ++block)
      for (int64_t column = 0; column < blocks.columns; column += kMaxColumns)
        result.chains.push_back(emitChain(block, column, result.words));
    sm::WgmmaCommitOp::create(e.builder, e.loc);
    return result;
  }

private:
  LogicalResult createB(const KernelState &state) {
    for (int64_t number = 0; number < runs.descriptors(); ++number) {
      Value matrix =
          product.groups() == 1 ? Value() : runs.start(e, number, digitCoord(e, state, acc, 0));
      FailureOr<Descriptor> descriptor = Descriptor::create(
          e, product.op, viewOf(e, state, product.handleB(), operands.b), !product.transposeB,
          digitCoord(e, state, acc, 1), blocks.columns, matrix);
      if (failed(descriptor))
        return failure();
      b.push_back(*descriptor);
    }
    return success();
  }

  /// Ties what was just written; an accumulator in flight was written by wgmma, which keeps order.
  void fence(Value &words) {
    SmallVector<Value> written;
    if (words)
      written.push_back(words);
    bool tiesAccumulator = !isZero && !accInFlight;
    if (tiesAccumulator)
      written.push_back(operands.acc);
    auto fence = sm::WgmmaFenceOp::create(e.builder, e.loc, written);
    if (words)
      words = fence.getResult(0);
    if (tiesAccumulator)
      operands.acc = fence->getResults().back();
  }

  Value emitChain(int64_t block, int64_t column, Value words) {
    int64_t columns = std::min(kMaxColumns, blocks.columns - column);
    int64_t first = (block * blocks.columns + column) / 2;
    Value chain = accumulatorOf(e, operands.acc, isZero, first, columns / 2);
    const Descriptor &right = b[runs.descriptorOf(block)];
    for (int64_t step = 0; step < kSteps; ++step) {
      Value left = a ? a->at(e, step, block * kRows) : registersOfA(e, words, block, step, kSteps);
      chain = sm::WgmmaOp::create(
          e.builder, e.loc, chain.getType(), chain, left,
          right.at(e, step, column, runs.further(block)), TypeAttr::get(product.elementA()),
          mixedType(product.elementA(), product.elementB()), flag(a && a->mnMajor),
          flag(right.mnMajor), flag(isZero && step == 0));
    }
    return chain;
  }

  UnitAttr flag(bool set) const { return set ? e.builder.getUnitAttr() : UnitAttr(); }

  Emitter e;
  Product product;
  GemmOperands operands;
  FragmentLayout acc;
  Blocks blocks;
  Runs runs;
  int64_t kSteps;
  bool accInFlight, isZero = false;
  std::optional<Descriptor> a;
  SmallVector<Descriptor> b; // by Runs
};
} // namespace

FailureOr<IssuedProduct> tilec::to_sm::issueWgmma(Emitter e, const KernelState &state,
                                                  const Product &product,
                                                  const GemmOperands &operands, bool accInFlight) {
  if (failed(checkCoverage(product)))
    return failure();
  WgmmaEmitter emitter(e, product, operands, accInFlight);
  if (failed(emitter.createDescriptors(state)))
    return failure();
  return emitter.issue();
}

FailureOr<Value> tilec::to_sm::lowerToWgmma(Emitter e, const KernelState &state, tile::GemmOp op,
                                            const GemmOperands &operands) {
  FailureOr<IssuedProduct> issued =
      issueWgmma(e, state, productOf(op), operands, /*accInFlight=*/false);
  if (failed(issued))
    return failure();
  auto wait =
      sm::WgmmaWaitOp::create(e.builder, e.loc, issued->chains, e.builder.getI64IntegerAttr(0));
  return concatenate(e, llvm::to_vector_of<Value>(wait.getResults()));
}
