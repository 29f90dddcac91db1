//===- TilePart.h - a rectangle of a shared tile ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LAYOUT_TILEPART_H
#define TILEC_LAYOUT_TILEPART_H

#include <cstdint>

namespace tilec {

/// Elements of a shared tile. Rows are counted along all axes but the last, columns along that one.
struct TilePart {
  int64_t row = 0, rows = 0, column = 0, columns = 0;

  int64_t endRow() const { return row + rows; }
  int64_t endColumn() const { return column + columns; }
  int64_t elements() const { return rows * columns; }
  bool overlaps(const TilePart &other) const {
    return row < other.endRow() && other.row < endRow() && column < other.endColumn() &&
           other.column < endColumn();
  }
};

} // namespace tilec

#endif // TILEC_LAYOUT_TILEPART_H
