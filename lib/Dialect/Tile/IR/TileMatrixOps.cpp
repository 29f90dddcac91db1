//===- TileMatrixOps.cpp - matrix products ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
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

LogicalResult GemmOp::verify() {
  ArrayRef<int64_t> a = shapeOf(getA().getType()), b = shapeOf(getB().getType()),
                    acc = shapeOf(getAcc().getType());
  if (a.size() != 2 || b.size() != 2 || acc.size() != 2)
    return emitOpError() << "expected tiles of rank 2, found ranks " << a.size() << ", " << b.size()
                         << " and " << acc.size();
  if (getTransposeA() && isa<RankedTensorType>(getA().getType()))
    return emitOpError("takes a transposed first operand from shared memory only");
  if (!elementOf(getAcc().getType()).isF32())
    return emitOpError() << "expected an f32 accumulator, found " << elementOf(getAcc().getType());
  Type elementA = elementOf(getA().getType()), elementB = elementOf(getB().getType());
  if (elementA != elementB || !isa<FloatType>(elementA) || elementA.isF32())
    return emitOpError() << "expected operands of one 16- or 8-bit float type, found " << elementA
                         << " and " << elementB;
  int64_t m = a[getTransposeA() ? 1 : 0], k = getK();
  int64_t kOfB = b[getTransposeB() ? 1 : 0], n = b[getTransposeB() ? 0 : 1];
  if (k != kOfB)
    return emitOpError() << "contracts axes of different extents: " << k << " of the first operand, "
                         << kOfB << " of the second";
  if (m != acc[0] || n != acc[1])
    return emitOpError() << "expected an accumulator of " << m << "x" << n << ", found " << acc[0]
                         << "x" << acc[1];
  return success();
}
