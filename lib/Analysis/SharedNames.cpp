//===- SharedNames.cpp - how an author knows a shared tile ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/SharedNames.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec;

SmallVector<StringRef> tilec::axisNames(Location location, size_t rank) {
  SmallVector<StringRef> names;
  if (auto named = location->findInstanceOf<NameLoc>())
    named.getName().getValue().split(names, ", ");
  if (names.size() != rank)
    names.clear();
  return names;
}

std::string tilec::describeTile(Location location, tile::SharedType type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<StringRef> names = axisNames(location, type.getShape().size());
  if (names.empty()) {
    llvm::interleave(type.getShape(), os, "x");
  } else {
    os << "[";
    llvm::interleaveComma(llvm::zip(names, type.getShape()), os, [&](const auto &axis) {
      os << std::get<0>(axis) << "=" << std::get<1>(axis);
    });
    os << "]";
  }
  os << " of " << type.getElementType();
  return text;
}
