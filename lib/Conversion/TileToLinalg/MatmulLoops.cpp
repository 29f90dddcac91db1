//===- MatmulLoops.cpp - f32 products as register-blocked vector loops ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A block of rows x columns of the result stays in registers while k runs. 4 rows by 2 vectors of 8
// need 8 accumulators, 2 vectors of B and 1 repeated element of A: 11 of AVX2's 16 registers, and
// enough independent chains for two FMA units of latency 4. Rows and columns left over take smaller
// blocks of the same shape. A batch of products is a loop of them.
//
//===----------------------------------------------------------------------===//
#include "tilec/Conversion/TileToLinalg.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Pass/Pass.h"

#define DEBUG_TYPE "host-matmul-loops"

using namespace mlir;

namespace {
struct HostMatmulLoopsPass : PassWrapper<HostMatmulLoopsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(HostMatmulLoopsPass)

  StringRef getArgument() const override { return DEBUG_TYPE; }
  StringRef getDescription() const override {
    return "f32 linalg.matmul and batch_matmul to register-blocked vector loops";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    tilec::registerTileToLinalgDialects(registry);
  }
  void runOnOperation() override;
};

/// A block of the result: `rows` times `vectors` vectors of `lanes` elements.
struct BlockShape {
  int64_t rows, vectors, lanes;
  int64_t columns() const { return vectors * lanes; }
};

/// Emits the loops of one product, or of a batch of them.
class MatmulEmitter {
public:
  MatmulEmitter(linalg::LinalgOp op)
      : b(op), loc(op.getLoc()), lhs(op.getDpsInputs()[0]), rhs(op.getDpsInputs()[1]),
        acc(op.getDpsInits()[0]) {
    ArrayRef<int64_t> shape = cast<MemRefType>(acc.getType()).getShape();
    if (shape.size() == 3)
      batch = shape.front();
    numRows = shape[shape.size() - 2];
    numColumns = shape.back();
    depth = cast<MemRefType>(lhs.getType()).getShape().back();
  }

  void emit();

private:
  /// A position in a matrix, of the batch's current one.
  SmallVector<Value> at(Value row, Value column) {
    SmallVector<Value> position{row, column};
    if (number)
      position.insert(position.begin(), number);
    return position;
  }
  void emitProduct();
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b, loc, value); }
  Value plus(Value x, int64_t y) { return y == 0 ? x : arith::AddIOp::create(b, loc, x, index(y)); }
  VectorType vectorType(const BlockShape &shape) {
    return VectorType::get(shape.lanes, b.getF32Type());
  }

  /// All blocks of these columns: full blocks of rows, then single rows.
  void emitColumns(int64_t begin, int64_t end, int64_t vectors, int64_t lanes);
  void emitRows(Value column, int64_t begin, int64_t end, const BlockShape &shape);
  void emitBlock(Value row, Value column, const BlockShape &shape);
  /// The accumulators after one more k.
  SmallVector<Value> step(Value row, Value column, Value k, ValueRange sums,
                          const BlockShape &shape);
  scf::ForOp loop(int64_t begin, int64_t end, int64_t step, ValueRange carried = {});

  OpBuilder b;
  Location loc;
  Value lhs, rhs, acc, number;
  std::optional<int64_t> batch;
  int64_t numRows, numColumns, depth;
};
} // namespace

static constexpr int64_t blockRows = 4, blockVectors = 2, vectorLanes = 8;

scf::ForOp MatmulEmitter::loop(int64_t begin, int64_t end, int64_t step, ValueRange carried) {
  return scf::ForOp::create(b, loc, index(begin), index(end), index(step), carried);
}

void MatmulEmitter::emit() {
  if (batch) {
    scf::ForOp products = loop(0, *batch, 1);
    b.setInsertionPointToStart(products.getBody());
    number = products.getInductionVar();
  }
  emitProduct();
}

void MatmulEmitter::emitProduct() {
  int64_t wide = blockVectors * vectorLanes;
  int64_t wideEnd = numColumns / wide * wide, vectorEnd = numColumns / vectorLanes * vectorLanes;
  emitColumns(0, wideEnd, blockVectors, vectorLanes);
  emitColumns(wideEnd, vectorEnd, 1, vectorLanes);
  emitColumns(vectorEnd, numColumns, 1, 1);
}

void MatmulEmitter::emitColumns(int64_t begin, int64_t end, int64_t vectors, int64_t lanes) {
  if (begin == end)
    return;
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp columns = loop(begin, end, vectors * lanes);
  b.setInsertionPointToStart(columns.getBody());
  int64_t blockEnd = numRows / blockRows * blockRows;
  emitRows(columns.getInductionVar(), 0, blockEnd, {blockRows, vectors, lanes});
  emitRows(columns.getInductionVar(), blockEnd, numRows, {1, vectors, lanes});
}

void MatmulEmitter::emitRows(Value column, int64_t begin, int64_t end, const BlockShape &shape) {
  if (begin == end)
    return;
  OpBuilder::InsertionGuard guard(b);
  scf::ForOp rows = loop(begin, end, shape.rows);
  b.setInsertionPointToStart(rows.getBody());
  emitBlock(rows.getInductionVar(), column, shape);
}

void MatmulEmitter::emitBlock(Value row, Value column, const BlockShape &shape) {
  SmallVector<Value> sums;
  for (int64_t r = 0; r < shape.rows; ++r)
    for (int64_t v = 0; v < shape.vectors; ++v)
      sums.push_back(vector::LoadOp::create(b, loc, vectorType(shape), acc,
                                            at(plus(row, r), plus(column, v * shape.lanes))));
  scf::ForOp depthLoop = loop(0, depth, 1, sums);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(depthLoop.getBody());
    Value k = depthLoop.getInductionVar();
    scf::YieldOp::create(b, loc, step(row, column, k, depthLoop.getRegionIterArgs(), shape));
  }
  for (auto [i, sum] : llvm::enumerate(depthLoop.getResults())) {
    int64_t r = i / shape.vectors, v = i % shape.vectors;
    vector::StoreOp::create(b, loc, sum, acc, at(plus(row, r), plus(column, v * shape.lanes)));
  }
}

SmallVector<Value> MatmulEmitter::step(Value row, Value column, Value k, ValueRange sums,
                                       const BlockShape &shape) {
  SmallVector<Value> columns, result;
  for (int64_t v = 0; v < shape.vectors; ++v)
    columns.push_back(vector::LoadOp::create(b, loc, vectorType(shape), rhs,
                                             at(k, plus(column, v * shape.lanes))));
  for (int64_t r = 0; r < shape.rows; ++r) {
    Value element = memref::LoadOp::create(b, loc, lhs, at(plus(row, r), k));
    Value repeated = vector::BroadcastOp::create(b, loc, vectorType(shape), element);
    for (int64_t v = 0; v < shape.vectors; ++v)
      result.push_back(
          vector::FMAOp::create(b, loc, repeated, columns[v], sums[r * shape.vectors + v]));
  }
  return result;
}

void HostMatmulLoopsPass::runOnOperation() {
  SmallVector<linalg::LinalgOp> products;
  getOperation()->walk([&](linalg::LinalgOp op) {
    if (!isa<linalg::MatmulOp, linalg::BatchMatmulOp>(op))
      return;
    auto isBuffer = [](Type type) {
      auto memref = dyn_cast<MemRefType>(type);
      return memref && memref.hasStaticShape() && memref.getElementType().isF32() &&
             memref.getLayout().isIdentity();
    };
    if (llvm::all_of(op->getOperandTypes(), isBuffer))
      products.push_back(op);
  });
  for (linalg::LinalgOp op : products) {
    MatmulEmitter(op).emit();
    op.erase();
  }
}

std::unique_ptr<Pass> tilec::createHostMatmulLoopsPass() {
  return std::make_unique<HostMatmulLoopsPass>();
}
