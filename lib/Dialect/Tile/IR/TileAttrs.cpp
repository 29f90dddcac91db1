//===- TileAttrs.cpp - layouts as attributes --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::tile;
using tilec::Coord;
using tilec::Digit;
using tilec::FragmentLayout;

#include "tilec/Dialect/Tile/IR/TileEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tilec/Dialect/Tile/IR/TileAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// FragAttr
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> flatten(ArrayRef<Coord> vectors) {
  SmallVector<int64_t> flat;
  for (const Coord &vector : vectors)
    flat.append(vector.begin(), vector.end());
  return flat;
}

static SmallVector<int64_t> flatten(ArrayRef<Digit> digits) {
  SmallVector<int64_t> flat;
  for (const Digit &digit : digits)
    flat.append({digit.dim, digit.count});
  return flat;
}

static void unflatten(ArrayRef<int64_t> flat, int64_t rank, SmallVector<Coord> &vectors) {
  for (; !flat.empty(); flat = flat.drop_front(rank))
    vectors.emplace_back(flat.take_front(rank).begin(), flat.take_front(rank).end());
}

static void unflatten(ArrayRef<int64_t> flat, SmallVector<Digit> &digits) {
  for (; flat.size() >= 2; flat = flat.drop_front(2))
    digits.push_back({static_cast<int>(flat[0]), flat[1]});
}

FragAttr FragAttr::get(MLIRContext *context, const FragmentLayout &layout) {
  return get(context, layout.rank, flatten(layout.reg), flatten(layout.lane), flatten(layout.warp),
             flatten(layout.repeat), flatten(layout.warps));
}

FragmentLayout FragAttr::getLayout() const {
  FragmentLayout layout;
  layout.rank = getRank();
  unflatten(getReg(), getRank(), layout.reg);
  unflatten(getLane(), getRank(), layout.lane);
  unflatten(getWarp(), getRank(), layout.warp);
  unflatten(getRepeat(), layout.repeat);
  unflatten(getWarps(), layout.warps);
  return layout;
}

LogicalResult FragAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t rank,
                               ArrayRef<int64_t> reg, ArrayRef<int64_t> lane,
                               ArrayRef<int64_t> warp, ArrayRef<int64_t> repeat,
                               ArrayRef<int64_t> warps) {
  if (rank < 1)
    return emitError() << "expected a layout of rank 1 or more, found rank " << rank;
  FragmentLayout layout;
  layout.rank = rank;
  unflatten(reg, rank, layout.reg);
  unflatten(lane, rank, layout.lane);
  unflatten(warp, rank, layout.warp);
  unflatten(repeat, layout.repeat);
  unflatten(warps, layout.warps);
  if (std::optional<std::string> fault = layout.verify())
    return emitError() << *fault;
  return success();
}

LogicalResult FragAttr::verifyEncoding(ArrayRef<int64_t> shape, Type elementType,
                                       function_ref<InFlightDiagnostic()> emitError) const {
  if (static_cast<int64_t>(shape.size()) != getRank())
    return emitError() << "expected a layout of rank " << shape.size() << ", found rank "
                       << getRank();
  Coord coverage = getLayout().coverage();
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (coverage[axis] < extent)
      return emitError() << "layout covers " << coverage[axis] << " elements of axis " << axis
                         << ", the tile has " << extent;
  return success();
}

/// Parses `[[a, b], [c, d]]` into a flat list; every inner list has the same length.
static ParseResult parseVectors(AsmParser &parser, SmallVector<int64_t> &flat, int64_t &length) {
  auto parseInner = [&]() -> ParseResult {
    int64_t count = 0;
    auto parseElement = [&]() {
      ++count;
      return parser.parseInteger(flat.emplace_back());
    };
    if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseElement))
      return failure();
    if (length >= 0 && count != length)
      return parser.emitError(parser.getCurrentLocation())
             << "expected " << length << " integers, found " << count;
    length = count;
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseInner);
}

Attribute FragAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> reg, lane, warp, repeat, warps;
  int64_t rank = -1, pair = 2;
  auto field = [&](StringRef name, SmallVector<int64_t> &flat, int64_t &length) {
    return failed(parser.parseKeyword(name)) || failed(parser.parseEqual()) ||
           failed(parseVectors(parser, flat, length));
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || field("reg", reg, rank) || parser.parseComma() ||
      field("lane", lane, rank) || parser.parseComma() || field("warp", warp, rank) ||
      parser.parseComma() || field("repeat", repeat, pair) || parser.parseComma() ||
      field("warps", warps, pair) || parser.parseGreater())
    return {};
  return parser.getChecked<FragAttr>(loc, parser.getContext(), rank, reg, lane, warp, repeat,
                                     warps);
}

static void printVectors(AsmPrinter &printer, ArrayRef<int64_t> flat, int64_t length) {
  printer << "[";
  for (size_t i = 0; i < flat.size(); i += length) {
    printer << (i ? ", [" : "[");
    llvm::interleaveComma(flat.slice(i, length), printer);
    printer << "]";
  }
  printer << "]";
}

void FragAttr::print(AsmPrinter &printer) const {
  auto field = [&](StringRef name, ArrayRef<int64_t> flat, int64_t length) {
    printer << name << " = ";
    printVectors(printer, flat, length);
  };
  printer << "<";
  field("reg", getReg(), getRank());
  field(", lane", getLane(), getRank());
  field(", warp", getWarp(), getRank());
  field(", repeat", getRepeat(), 2);
  field(", warps", getWarps(), 2);
  printer << ">";
}

//===----------------------------------------------------------------------===//
// SwizzleAttr, PipelineAttr
//===----------------------------------------------------------------------===//

LogicalResult SwizzleAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t bytes) {
  if (bytes != 0 && bytes != 32 && bytes != 64 && bytes != 128)
    return emitError() << "expected a swizzle of 0, 32, 64 or 128 bytes, found " << bytes;
  return success();
}

LogicalResult PipelineAttr::verify(function_ref<InFlightDiagnostic()> emitError, int64_t stages) {
  if (stages < 1)
    return emitError() << "expected one stage or more, found " << stages;
  return success();
}
