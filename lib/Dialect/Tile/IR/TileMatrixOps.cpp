//===- TileMatrixOps.cpp - matrix products ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Product.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileMatrixOps.cpp.inc"

static ArrayRef<int64_t> shapeOf(Type type) {
  if (auto shared = dyn_cast<SharedType>(type))
    return shared.getShape();
  return cast<RankedTensorType>(type).getShape();
}

static Type elementOf(Type type) {
  if (auto shared = dyn_cast<SharedType>(type))
    return shared.getElementType();
  return cast<RankedTensorType>(type).getElementType();
}

int64_t GemmOp::getK() { return shapeOf(getA().getType())[getTransposeA() ? 0 : 1]; }

void GemmOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (isa<SharedType>(getA().getType()))
    effects.emplace_back(MemoryEffects::Read::get(), &getAMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getBMutable());
}

LogicalResult tile::verifyProduct(Operation *op, Type typeA, Type typeB, RankedTensorType typeAcc,
                                  bool transposeA, bool transposeB) {
  ArrayRef<int64_t> a = shapeOf(typeA), b = shapeOf(typeB), acc = typeAcc.getShape();
  bool grouped = b.size() == 3;
  if (a.size() != 2 || (b.size() != 2 && !grouped) || acc.size() != 2)
    return op->emitOpError()
           << "expected tiles of rank 2, or a second one of rank 3 that holds a matrix "
              "for each run of rows, found ranks "
           << a.size() << ", " << b.size() << " and " << acc.size();
  int64_t groups = grouped ? b.front() : 1;
  b = b.take_back(2);
  if (transposeA && isa<RankedTensorType>(typeA))
    return op->emitOpError("takes a transposed first operand from shared memory only");
  if (!typeAcc.getElementType().isF32())
    return op->emitOpError() << "expected an f32 accumulator, found " << typeAcc.getElementType();
  Type elementA = elementOf(typeA), elementB = elementOf(typeB);
  auto isFloat8 = [](Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); };
  bool fits = elementA == elementB ? isa<Float16Type, BFloat16Type>(elementA) || isFloat8(elementA)
                                   : isFloat8(elementA) && isFloat8(elementB);
  if (!fits)
    return op->emitOpError()
           << "expected operands of one 16-bit float type or of 8-bit float types, "
              "found "
           << elementA << " and " << elementB;
  int64_t m = a[transposeA ? 1 : 0], k = a[transposeA ? 0 : 1];
  int64_t kOfB = b[transposeB ? 1 : 0], n = b[transposeB ? 0 : 1];
  if (k != kOfB)
    return op->emitOpError() << "contracts axes of different extents: " << k
                             << " of the first operand, " << kOfB << " of the second";
  if (m % groups != 0)
    return op->emitOpError() << "expected a number of rows that the second operand's " << groups
                             << " matrices divide into equal runs, found " << m;
  if (m != acc[0] || n != acc[1])
    return op->emitOpError() << "expected an accumulator of " << m << "x" << n << ", found "
                             << acc[0] << "x" << acc[1];
  return success();
}

LogicalResult GemmOp::verify() {
  return verifyProduct(*this, getA().getType(), getB().getType(), getAcc().getType(),
                       getTransposeA(), getTransposeB());
}

LogicalResult AgainOp::verify() {
  auto yield = dyn_cast<YieldOp>(getBody().front().back());
  if (!yield || getBody().getNumArguments() != 0)
    return emitOpError("expected a body without arguments that ends in tile.yield");
  if (yield.getValue().getType() != getType())
    return emitOpError() << "expected a body that yields " << getType() << ", found "
                         << yield.getValue().getType();
  return success();
}
