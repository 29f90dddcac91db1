//===- MaskTest.h - is a mask equal in all elements of a tile? --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A mask that compares positions is the same in most tiles: true in all elements, say. Whether it
// is follows from the least and the greatest value of each side, which are scalars. They are
// computed in i64; where the fragments' own arithmetic might wrap around, the test demands that it
// does not.
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_TILE_TRANSFORMS_MASKTEST_H
#define TILEC_LIB_TILE_TRANSFORMS_MASKTEST_H

#include "tilec/Dialect/Tile/IR/Tile.h"

namespace tilec {

/// Builds the scalar code of one test in front of an operation.
class MaskTest : private mlir::OpBuilder::Listener {
public:
  explicit MaskTest(mlir::Operation *at) : builder(at, this), loc(at->getLoc()) {}

  /// An i1 that holds only if all elements of `mask` (a fragment of i1) are `wanted`; it may be a
  /// constant. Null if the mask is not a comparison of positions.
  mlir::Value build(mlir::Value mask, bool wanted);
  /// Erases what was built, as far as nothing uses it.
  void eraseUnused();

private:
  /// An i64 that is known to lie in [min, max].
  struct Bound {
    mlir::Value value;
    int64_t min, max;
  };
  /// Of all elements of a fragment, or of a box of it.
  struct Interval {
    Bound least, greatest;
  };
  /// Positions first to end - 1 along an axis.
  struct Range {
    int64_t first, end;
  };
  /// Elements of a fragment: a range along each axis. `select(iota < 64, a, b)`, say, is `a` in one
  /// box and `b` in another one.
  using Box = mlir::SmallVector<Range, 4>;

  static Box boxOf(mlir::Value fragment);
  static Box boxOfSource(mlir::tile::BroadcastOp broadcast, const Box &box);
  /// Where the first, and where the second side of the select is chosen; all of the box twice if
  /// that does not follow from a position.
  static std::pair<Box, Box> boxesOf(mlir::arith::SelectOp select, const Box &box);

  mlir::Value holds(mlir::Value mask, bool wanted, const Box &box);
  mlir::Value holds(mlir::arith::SelectOp select, bool wanted, const Box &box);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, const Interval &a, const Interval &b);
  /// a >= b, or a > b
  mlir::Value atLeast(const Bound &a, const Bound &b, bool strictly = false);
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value either(mlir::Value a, mlir::Value b);

  std::optional<Interval> intervalOf(mlir::Value fragment, const Box &box);
  std::optional<Interval> intervalOf(mlir::arith::SelectOp select, const Box &box);
  std::optional<Interval> intervalOfScalar(mlir::Value scalar);
  std::optional<Interval> scaled(const Interval &interval, int64_t factor);
  std::optional<Interval> withoutWrapping(Interval interval, mlir::Type element);
  Bound constant(int64_t value);
  Bound sum(const Bound &a, const Bound &b);
  Bound difference(const Bound &a, const Bound &b);
  Bound lesser(const Bound &a, const Bound &b);
  Bound greater(const Bound &a, const Bound &b);
  mlir::Value truth(bool value);

  template <typename Op, typename... Args> mlir::Value create(Args &&...args) {
    return builder.createOrFold<Op>(loc, std::forward<Args>(args)...);
  }
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint) override {
    created.push_back(op);
  }

  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::SmallVector<mlir::Operation *> created;
  /// What must hold for the intervals to be right.
  mlir::SmallVector<mlir::Value> conditions;
};

} // namespace tilec

#endif // TILEC_LIB_TILE_TRANSFORMS_MASKTEST_H
