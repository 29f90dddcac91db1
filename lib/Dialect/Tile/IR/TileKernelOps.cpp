//===- TileKernelOps.cpp - kernels and launch-time values -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_OP_CLASSES
#include "tilec/Dialect/Tile/IR/TileKernelOps.cpp.inc"

//===----------------------------------------------------------------------===//
// KernelOp
//===----------------------------------------------------------------------===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false,
                                           getFunctionTypeAttrName(), getArgAttrsAttrName(),
                                           getResAttrsAttrName());
}

DictionaryAttr KernelOp::getLaunch() {
  return (*this)->getAttrOfType<DictionaryAttr>(TileDialect::launchAttrName);
}

LogicalResult KernelOp::verify() {
  if (!getResultTypes().empty())
    return emitOpError("returns nothing; write results through an output parameter");
  for (auto [index, type] : llvm::enumerate(getArgumentTypes()))
    if (!isa<GlobalType>(type) && !type.isIntOrFloat())
      return emitOpError() << "expected parameter " << index
                           << " to be a !tile.global tensor or a scalar, found " << type;
  return success();
}

//===----------------------------------------------------------------------===//
// DimOp
//===----------------------------------------------------------------------===//

LogicalResult DimOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (!kernel || !kernel.getLaunch())
    return success();
  auto dims = kernel.getLaunch().getAs<ArrayAttr>("dims");
  if (!dims || !llvm::is_contained(dims.getValue(), getNameAttr()))
    return emitOpError() << "names the launch-time dimension '" << getName()
                         << "', which 'tile.launch' does not declare";
  return success();
}
