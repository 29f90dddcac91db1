//===- TileTypes.cpp - handles of global and shared memory ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;

#define GET_TYPEDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"

void TileDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tilec/Dialect/Tile/IR/TileTypes.cpp.inc"
      >();
}

static bool isElement(Type type) {
  return isa<Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type) ||
         (type.isSignlessInteger() &&
          llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth()));
}

static LogicalResult verifyElement(function_ref<InFlightDiagnostic()> emitError, Type type) {
  if (!isElement(type))
    return emitError() << "expected an element type of f32, f16, bf16, f8E4M3FN, f8E5M2, i1, i8, "
                          "i16, i32 or i64, found "
                       << type;
  return success();
}

static LogicalResult verifyStatic(function_ref<InFlightDiagnostic()> emitError,
                                  ArrayRef<int64_t> shape, StringRef what) {
  for (int64_t extent : shape)
    if (extent <= 0)
      return emitError() << "expected a " << what << " of positive static extents";
  if (shape.empty())
    return emitError() << "expected a " << what << " of rank 1 or more";
  return success();
}

static ParseResult parseShaped(AsmParser &parser, SmallVector<int64_t> &shape, Type &elementType,
                               bool allowDynamic) {
  return failure(parser.parseLess() || parser.parseDimensionList(shape, allowDynamic) ||
                 parser.parseType(elementType));
}

static void printShaped(AsmPrinter &printer, ArrayRef<int64_t> shape, Type elementType) {
  printer << "<";
  printer.printDimensionList(shape);
  printer << (shape.empty() ? "" : "x") << elementType;
}

//===----------------------------------------------------------------------===//
// GlobalType, WindowType
//===----------------------------------------------------------------------===//

Type GlobalType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShaped(parser, shape, elementType, /*allowDynamic=*/true) || parser.parseGreater())
    return {};
  return parser.getChecked<GlobalType>(loc, parser.getContext(), shape, elementType);
}

void GlobalType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
  printer << ">";
}

LogicalResult GlobalType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType) {
  if (shape.empty())
    return emitError() << "expected a global tensor of rank 1 or more";
  return verifyElement(emitError, elementType);
}

Type WindowType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShaped(parser, shape, elementType, /*allowDynamic=*/false) || parser.parseGreater())
    return {};
  return parser.getChecked<WindowType>(loc, parser.getContext(), shape, elementType);
}

void WindowType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
  printer << ">";
}

LogicalResult WindowType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType) {
  if (failed(verifyStatic(emitError, shape, "window")))
    return failure();
  return verifyElement(emitError, elementType);
}

//===----------------------------------------------------------------------===//
// SharedType
//===----------------------------------------------------------------------===//

Type SharedType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type elementType;
  SwizzleAttr swizzle;
  SMLoc loc = parser.getCurrentLocation();
  if (parseShaped(parser, shape, elementType, /*allowDynamic=*/false) ||
      (succeeded(parser.parseOptionalComma()) && parser.parseAttribute(swizzle)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<SharedType>(loc, parser.getContext(), shape, elementType, swizzle);
}

void SharedType::print(AsmPrinter &printer) const {
  printShaped(printer, getShape(), getElementType());
  if (getSwizzle())
    printer << ", " << getSwizzle();
  printer << ">";
}

LogicalResult SharedType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> shape, Type elementType, SwizzleAttr) {
  if (failed(verifyStatic(emitError, shape, "shared tile")))
    return failure();
  return verifyElement(emitError, elementType);
}

LogicalResult SharedType::verifyRows(function_ref<InFlightDiagnostic()> emitError) const {
  tilec::SharedLayout layout = getLayout();
  if (layout.swizzle != 0 && layout.rowBytes() % layout.swizzle != 0)
    return emitError() << "expected the last axis to be a multiple of the swizzle's "
                       << layout.swizzle << " bytes, found " << layout.rowBytes() << " bytes";
  return success();
}

tilec::SharedLayout SharedType::getLayout() const {
  int64_t bits = getElementType().getIntOrFloatBitWidth();
  return {SmallVector<int64_t>(getShape()), std::max<int64_t>(1, bits / 8),
          getSwizzle() ? getSwizzle().getBytes() : 0};
}
