//===- MmaSync.cpp - a gemm on single warps ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands come from shared memory by ldmatrix. In chunks of 16 bytes, an A block is 2 x 2 matrices
// of 8 rows, a pair of B blocks too; lane 8i + r gives the address of row r of matrix i.
//===----------------------------------------------------------------------===//
#include "Gemm.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_sm;

static constexpr int64_t kRows = 16, kColumns = 8;

namespace {
/// A shared operand: reads 2 x 2 matrices at a position along its M or N axis and along K.
class MatrixReader {
public:
  /// `first` is where the warp's share starts along M or N. `kLast`: the tile is stored with K
  /// last. `pairAlongK`: matrices 1 and 3 are further along K than 0 and 2 (B), otherwise 2 and 3
  /// are (A).
  MatrixReader(Emitter e, const KernelState &state, const SharedView &view, bool kLast,
               bool pairAlongK, const ThreadCoord &first)
      : e(e), view(view), kLast(kLast) {
    int64_t chunk = 16 / view.layout.elementBytes;
    ThreadCoord row = laneField(e, state, 0, 3, 1);
    ThreadCoord low = laneField(e, state, 3, 1, 1), high = laneField(e, state, 4, 1, 1);
    ThreadCoord kBlock = pairAlongK ? low : high, mnBlock = pairAlongK ? high : low;
    mn = sum(e, first, scaleBy(mnBlock, kLast ? kColumns : chunk));
    k = scaleBy(kBlock, kLast ? chunk : kColumns);
    (kLast ? mn : k) = sum(e, kLast ? mn : k, row);
    if (mn.max + 1 <= extent())
      addresses.emplace(e, view, coords(mn));
  }

  /// `count` matrices (2 or 4) at `mnOffset` rows or columns and `kOffset` elements.
  Value read(int64_t mnOffset, int64_t kOffset, int64_t count) {
    SmallVector<int64_t> offset{mnOffset, kOffset};
    std::optional<SharedAddress> clamped;
    SharedAddress *where = addresses ? &*addresses : nullptr;
    if (mnOffset + mn.max >= extent()) {
      // Past the tile: the last position stands for all, its products are padding.
      int64_t last = kLast ? extent() - 1 : extent() - kColumns;
      Value position = e.min(e.add(mn.value, mnOffset), e.i32(last));
      where = &clamped.emplace(e, view, coords(anyCoord(position, last)));
      offset[0] = 0;
    } else if (!where) {
      where = &addresses.emplace(e, view, coords(mn));
    }
    if (!kLast)
      std::swap(offset[0], offset[1]);
    auto type = VectorType::get({count}, e.builder.getI32Type());
    UnitAttr transpose = kLast ? UnitAttr() : e.builder.getUnitAttr();
    return sm::LdmatrixOp::create(e.builder, e.loc, type, where->at(offset), transpose);
  }

private:
  ThreadCoord scaleBy(const ThreadCoord &bit, int64_t unit) const {
    return {e.mul(bit.value, unit), unit, unit};
  }
  int64_t extent() const { return view.extents[kLast ? 0 : 1]; }
  SmallVector<ThreadCoord> coords(const ThreadCoord &position) const {
    return kLast ? SmallVector<ThreadCoord>{position, k} : SmallVector<ThreadCoord>{k, position};
  }

  Emitter e;
  SharedView view;
  bool kLast;
  ThreadCoord mn, k;
  std::optional<SharedAddress> addresses;
};

/// Emits the products of one warp.
class MmaEmitter {
public:
  MmaEmitter(Emitter e, const KernelState &state, tile::GemmOp op, const GemmOperands &operands)
      : e(e), op(op), operands(operands), elementA(productOf(op).elementA()),
        kStep(kOfInstruction(elementA)) {
    FragmentLayout acc = layoutOf(op.getAcc().getType());
    Coord covered = acc.coverage();
    for (const Digit &digit : acc.warps)
      if (digit.dim >= 0)
        covered[digit.dim] /= digit.count;
    rowBlocks = covered[0] / kRows;
    columnBlocks = covered[1] / kColumns;
    if (isa<tile::SharedType>(op.getA().getType()))
      a.emplace(e, state, viewOf(e, state, op.getA(), operands.a), !op.getTransposeA(),
                /*pairAlongK=*/false, digitCoord(e, state, acc, 0));
    b.emplace(e, state, viewOf(e, state, op.getB(), operands.b), op.getTransposeB(),
              /*pairAlongK=*/true, digitCoord(e, state, acc, 1));
  }

  Value emit() {
    for (int64_t block = 0; block < rowBlocks * columnBlocks; ++block)
      accumulators.push_back(slice(e, operands.acc, 4 * block, 4));
    int64_t kSteps = op.getK() / kStep;
    Value words = a ? Value() : wordsOfA(e, operands.a);
    for (int64_t step = 0; step < kSteps; ++step) {
      SmallVector<Value> left;
      for (int64_t row = 0; row < rowBlocks; ++row)
        left.push_back(a ? a->read(row * kRows, step * kStep, 4)
                         : registersOfA(e, words, row, step, kSteps));
      for (int64_t column = 0; column < columnBlocks; column += 2)
        multiply(left, column, step);
    }
    return concatenate(e, accumulators);
  }

private:
  /// Columns `column` and the next, if there is one.
  void multiply(ArrayRef<Value> left, int64_t column, int64_t step) {
    int64_t count = std::min<int64_t>(2, columnBlocks - column);
    Value pair = b->read(column * kColumns, step * kStep, 2 * count);
    for (int64_t i = 0; i < count; ++i) {
      Value right = slice(e, pair, 2 * i, 2);
      for (auto [row, block] : llvm::enumerate(left)) {
        Value &acc = accumulators[row * columnBlocks + column + i];
        acc = sm::MmaOp::create(e.builder, e.loc, acc.getType(), block, right, acc,
                                TypeAttr::get(elementA),
                                mixedType(elementA, op.getOperandElementType()));
      }
    }
  }

  Emitter e;
  tile::GemmOp op;
  GemmOperands operands;
  Type elementA;
  int64_t kStep, rowBlocks, columnBlocks;
  std::optional<MatrixReader> a, b;
  SmallVector<Value> accumulators;
};
} // namespace

/// ldmatrix reads rows of 16 bytes and transposes 16-bit elements only.
static LogicalResult checkOperand(tile::GemmOp op, Value operand, bool kLast, StringRef which) {
  auto shared = dyn_cast<tile::SharedType>(operand.getType());
  if (!shared)
    return success();
  SharedLayout layout = shared.getLayout();
  if (!kLast && layout.elementBytes != 2)
    return op.emitOpError() << "expected the " << which << " operand of " << shared.getElementType()
                            << " to be stored with the contracted axis last; transpose it";
  if (layout.rowBytes() % 16 != 0)
    return op.emitOpError() << "expected the " << which
                            << " operand's rows to be multiples of 16 bytes, found "
                            << layout.rowBytes();
  return success();
}

FailureOr<Value> tilec::to_sm::lowerToMmaSync(Emitter e, const KernelState &state, tile::GemmOp op,
                                              const GemmOperands &operands) {
  if (failed(checkOperand(op, op.getA(), !op.getTransposeA(), "first")) ||
      failed(checkOperand(op, op.getB(), op.getTransposeB(), "second")))
    return failure();
  return MmaEmitter(e, state, op, operands).emit();
}
