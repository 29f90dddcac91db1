//===- TileDialect.cpp - registration and discardable attributes ------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::tile;

#include "tilec/Dialect/Tile/IR/TileDialect.cpp.inc"

namespace {
/// Prints layouts as `#frag`, `#frag1`, ...: in full they are longer than the operations.
struct LayoutAliases : OpAsmDialectInterface {
  using OpAsmDialectInterface::OpAsmDialectInterface;

  AliasResult getAlias(Attribute attribute, raw_ostream &os) const override {
    if (!isa<FragAttr>(attribute))
      return AliasResult::NoAlias;
    os << "frag";
    return AliasResult::FinalAlias;
  }
};
} // namespace

void TileDialect::initialize() {
  addInterfaces<LayoutAliases>();
  registerTypes();
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileAtomicOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileCastOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileDebugOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileGatherOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileKernelOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileMatrixOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileMemoryOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileReductionOps.cpp.inc"
      ,
#define GET_OP_LIST
#include "tilec/Dialect/Tile/IR/TileShapeOps.cpp.inc"
      >();
}

Operation *TileDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                            Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

static LogicalResult verifyPositive(Operation *op, NamedAttribute attribute) {
  auto value = dyn_cast<IntegerAttr>(attribute.getValue());
  if (!value || value.getInt() < 0)
    return op->emitOpError() << "expected '" << attribute.getName().getValue()
                             << "' to be a non-negative integer, found " << attribute.getValue();
  return success();
}

LogicalResult TileDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == numWarpsAttrName || name == sharedBytesAttrName || name == "tile.ctas_per_sm")
    return verifyPositive(op, attribute);
  if (name == pipelineAttrName && !isa<PipelineAttr>(attribute.getValue()))
    return op->emitOpError() << "expected 'tile.pipeline' to be #tile.pipeline<stages = N>, found "
                             << attribute.getValue();
  if (name == tileLoopAttrName && (!isa<scf::ForOp>(op) || !isa<UnitAttr>(attribute.getValue())))
    return op->emitOpError()
           << "expected 'tile.tile_loop' to be a unit attribute on an scf.for, found "
           << attribute.getValue();
  if (name == followsAttrName && !isa<FloatAttr>(attribute.getValue()))
    return op->emitOpError() << "expected 'tile.follows' to be a number, found "
                             << attribute.getValue();
  if (name == launchAttrName && !isa<DictionaryAttr>(attribute.getValue()))
    return op->emitOpError() << "expected 'tile.launch' to be a dictionary, found "
                             << attribute.getValue();
  return success();
}
