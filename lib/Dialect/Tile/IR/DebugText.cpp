//===- DebugText.cpp - what kernels print, on every target ----------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Dialect/Tile/IR/DebugText.h"

#include "llvm/Support/Path.h"

using namespace mlir;

std::string tilec::escapeFormat(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '%' ? "%%" : std::string(1, c);
  return result;
}

std::string tilec::printFormat(tile::PrintOp op) {
  std::string format = escapeFormat(op.getLabel());
  if (auto tensor = dyn_cast<RankedTensorType>(op.getValue().getType()))
    for (int64_t axis = 0; axis < tensor.getRank(); ++axis)
      format += axis == 0 ? "[%d" : ", %d";
  format += isa<RankedTensorType>(op.getValue().getType()) ? "] = " : " = ";
  Type element = getElementTypeOrSelf(op.getValue().getType());
  format += isa<FloatType>(element) ? "%.9g" : element.isInteger(64) ? "%lld" : "%d";
  return format + " (CTA %lld)\n";
}

std::string tilec::checkText(tile::CheckOp op) {
  std::string where;
  op.getLoc()->walk([&](Location location) {
    auto line = dyn_cast<FileLineColLoc>(location);
    if (!line)
      return WalkResult::advance();
    where = (llvm::sys::path::filename(line.getFilename().getValue()) + ":" +
             Twine(line.getLine()) + ": ")
                .str();
    return WalkResult::interrupt();
  });
  return where + "check failed: " + op.getMessage().str();
}
