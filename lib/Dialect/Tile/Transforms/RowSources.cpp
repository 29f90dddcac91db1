//===- RowSources.cpp - where an operand's rows come from ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "RowSources.h"
#include "tilec/Analysis/AddressWork.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;

/// Row number of a part of a shared tile of two axes that has whole rows; nothing if it is another
/// part.
static std::optional<int64_t> firstRowOf(tile::SliceOp slice, tile::SharedType whole) {
  APInt row, column;
  if (slice.getOffsets().size() != 2 || !matchPattern(slice.getOffsets()[0], m_ConstantInt(&row)) ||
      !matchPattern(slice.getOffsets()[1], m_ConstantInt(&column)) || !column.isZero() ||
      slice.getType().getShape().back() != whole.getShape().back())
    return std::nullopt;
  return row.getSExtValue();
}

/// True if nobody writes the tensor, and rows end where it does.
static bool isReadable(tile::WindowOp window) {
  tile::GlobalType source = window.getSource().getType();
  APInt limit;
  bool ends = window.getLimits().empty() ||
              (matchPattern(window.getLimits().back(), m_ConstantInt(&limit)) &&
               limit.getSExtValue() >= source.getShape().back());
  return ends && !ShapedType::isDynamic(source.getShape().back()) && !isWritten(window.getSource());
}

/// Adds the windows that copies bring into `tile`, a shared tile or a part of one; false if
/// something else writes it.
static bool addCopies(Value tile, int64_t first, tile::GemmOp reader, SmallVectorImpl<Rows> &rows) {
  auto type = cast<tile::SharedType>(tile.getType());
  for (Operation *user : tile.getUsers()) {
    if (isa<tile::GemmOp, tile::LoadOp>(user))
      continue;
    if (auto slice = dyn_cast<tile::SliceOp>(user)) {
      std::optional<int64_t> row = firstRowOf(slice, type);
      if (!row || !addCopies(slice, first + *row, reader, rows))
        return false;
      continue;
    }
    auto copy = dyn_cast<tile::CopyOp>(user);
    auto window = copy ? copy.getSource().getDefiningOp<tile::WindowOp>() : tile::WindowOp();
    Operation *reads = user->getBlock()->findAncestorOpInBlock(*reader);
    if (!window || copy.getTarget() != tile || copy.getPad() || !isReadable(window) || !reads ||
        !user->isBeforeInBlock(reads) ||
        window.getType().getShape().back() != type.getShape().back())
      return false;
    rows.push_back({window, first, type.getLayout().rows()});
  }
  return true;
}

SmallVector<Rows> tilec::rowsOf(Value operand, tile::GemmOp reader) {
  SmallVector<Rows> rows;
  if (auto load = operand.getDefiningOp<tile::LoadOp>()) {
    if (load.getPad())
      return {};
    if (auto window = load.getSource().getDefiningOp<tile::WindowOp>())
      return isReadable(window) ? SmallVector<Rows>{{window, 0, load.getType().getDimSize(0)}}
                                : SmallVector<Rows>();
    operand = load.getSource();
  }
  if (!operand.getDefiningOp<tile::AllocSharedOp>() || !addCopies(operand, 0, reader, rows))
    return {};
  llvm::sort(rows, [](const Rows &a, const Rows &b) { return a.first < b.first; });
  int64_t next = 0;
  for (const Rows &part : rows) {
    if (part.first != next)
      return {};
    next += part.count;
  }
  bool isAll = next == cast<tile::SharedType>(operand.getType()).getLayout().rows();
  return isAll ? rows : SmallVector<Rows>();
}
