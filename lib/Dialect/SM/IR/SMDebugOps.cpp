//===- SMDebugOps.cpp - printing and ending a kernel with an error --------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::sm;

#define GET_OP_CLASSES
#include "tilec/Dialect/SM/IR/SMDebugOps.cpp.inc"

/// The values that the format asks for, as the letters that end their places: 'd', 'l', 'g'; '?'
/// for one that there is not.
static std::string placesOf(StringRef format) {
  std::string places;
  for (size_t i = format.find('%'); i != StringRef::npos; i = format.find('%', i)) {
    StringRef rest = format.drop_front(++i);
    if (rest.starts_with("%")) {
      ++i;
      continue;
    }
    rest = rest.ltrim(".0123456789");
    places += rest.starts_with("d")     ? 'd'
              : rest.starts_with("lld") ? 'l'
              : rest.starts_with("g")   ? 'g'
                                        : '?';
  }
  return places;
}

LogicalResult PrintOp::verify() {
  std::string expected;
  for (Type type : getValues().getTypes())
    expected += type.isF32() ? 'g' : type.isInteger(64) ? 'l' : 'd';
  if (placesOf(getFormat()) == expected)
    return success();
  return emitOpError(
             "expected a format with %d, %lld or %g for each value of type i32, i64 or f32, "
             "found ")
         << getFormatAttr() << " for (" << getValues().getTypes() << ")";
}
