//===- CheckSlices.cpp - which parts of shared tiles can be used how -------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "CheckSlices.h"
#include "tilec/Analysis/AxisDivisibility.h"

#include <numeric>

using namespace mlir;
using namespace tilec;

namespace {
/// Rows after which every swizzle starts again; bytes that ldmatrix reads of a row, that wgmma
/// reads along K, and of the narrowest swizzle.
constexpr int64_t phaseRows = 8, chunkBytes = 16, stepBytes = 32, narrowestSwizzle = 32;

/// What divides where a part of a tile starts, in rows and in bytes of a row; 0 is divided by
/// everything.
struct Start {
  int64_t rows = 0, bytes = 0;
};

class Checker {
public:
  Checker(tile::KernelOp kernel, WarpPlan &plan)
      : kernel(kernel), plan(plan), divisibility(kernel) {}
  LogicalResult run();

private:
  LogicalResult checkCopy(tile::SliceOp slice, tile::CopyOp copy);
  LogicalResult checkOperand(tile::GemmOp gemm, GemmPlan &gemmPlan, bool first);
  Start startOf(tile::SliceOp slice) const;

  tile::KernelOp kernel;
  WarpPlan &plan;
  Divisibility divisibility;
};
} // namespace

Start Checker::startOf(tile::SliceOp slice) const {
  Start start;
  if (auto outer = slice.getSource().getDefiningOp<tile::SliceOp>())
    start = startOf(outer);
  tile::SharedType whole = slice.getSource().getType();
  int64_t bytes = std::max<int64_t>(whole.getElementType().getIntOrFloatBitWidth() / 8, 1);
  start.bytes = std::gcd(start.bytes, divisibility.of(slice.getOffsets().back()) * bytes);
  int64_t stride = 1;
  for (int64_t axis = static_cast<int64_t>(whole.getShape().size()) - 2; axis >= 0; --axis) {
    start.rows = std::gcd(start.rows, divisibility.of(slice.getOffsets()[axis]) * stride);
    stride *= whole.getShape()[axis];
  }
  return start;
}

static tile::SharedType wholeTile(tile::SliceOp slice) {
  while (auto outer = slice.getSource().getDefiningOp<tile::SliceOp>())
    slice = outer;
  return slice.getSource().getType();
}

/// Rows of a part of more than two axes are not all next to each other.
LogicalResult Checker::checkCopy(tile::SliceOp slice, tile::CopyOp copy) {
  Value other = copy.getSource() == slice.getResult() ? copy.getTarget() : copy.getSource();
  auto window = dyn_cast<tile::WindowType>(other.getType());
  size_t rank = slice.getType().getShape().size();
  if (!window || window.getShape().size() == rank || rank <= 2)
    return success();
  return copy.emitOpError("expected a window with the ")
         << rank << " axes of this part of a shared tile, found " << window.getShape().size()
         << "; copy into a part of a tile of two axes";
}

LogicalResult Checker::checkOperand(tile::GemmOp gemm, GemmPlan &gemmPlan, bool first) {
  auto slice = (first ? gemm.getA() : gemm.getB()).getDefiningOp<tile::SliceOp>();
  if (!slice)
    return success();
  Start start = startOf(slice);
  if (!first && gemm.isGrouped()) // each matrix starts there
    start.rows = std::gcd(start.rows, wholeTile(slice).getShape().take_back(2)[0]);
  bool contractedLast = first ? !gemm.getTransposeA() : gemm.getTransposeB();
  auto fail =
      [&](int64_t needed, const char *unit, int64_t found) {
        InFlightDiagnostic error =
            gemm.emitOpError("the ")
            << (first ? "first" : "second")
            << " operand is a part of a shared tile that has to start at a "
            << "multiple of " << needed << " " << unit
            << " of it, but is only known to start at a multiple of " << found
            << "; start it at a multiple of a constant, or copy it into a tile of its own";
        error.attachNote(slice.getLoc()) << "the part";
        return failure();
      };
  if (!gemmPlan.wgmma) // any row, which starts where the rows before it end
    start.bytes = std::gcd(start.bytes, wholeTile(slice).getLayout().rowBytes());
  if (!gemmPlan.wgmma)
    return start.bytes % chunkBytes == 0 ? success()
                                         : fail(chunkBytes, "bytes of a row", start.bytes);
  if (start.rows % phaseRows != 0)
    return fail(phaseRows, "rows", start.rows);
  int64_t needed = contractedLast ? stepBytes : narrowestSwizzle;
  if (start.bytes % needed != 0)
    return fail(needed, "bytes of a row", start.bytes);
  if (!contractedLast && start.bytes != 0) { // starts with a whole slab
    int64_t &limit = first ? gemmPlan.maxSwizzleA : gemmPlan.maxSwizzleB;
    limit = std::min(limit, start.bytes & -start.bytes);
  }
  return success();
}

LogicalResult Checker::run() {
  WalkResult result = kernel.walk([&](tile::SliceOp slice) {
    for (Operation *user : slice->getUsers())
      if (auto copy = dyn_cast<tile::CopyOp>(user); copy && failed(checkCopy(slice, copy)))
        return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (auto &[op, gemmPlan] : plan.gemms)
    for (bool first : {true, false})
      if (failed(checkOperand(cast<tile::GemmOp>(op), gemmPlan, first)))
        return failure();
  return success();
}

LogicalResult tilec::checkSlices(tile::KernelOp kernel, WarpPlan &plan) {
  return Checker(kernel, plan).run();
}
