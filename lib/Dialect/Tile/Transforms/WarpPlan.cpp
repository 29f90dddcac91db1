//===- WarpPlan.cpp - the warps of a kernel and the instruction of each product -===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "WarpPlan.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/bit.h"
#include <numeric>

using namespace mlir;
using namespace tilec;

namespace {
constexpr int64_t wgmmaRows = 64, mmaRows = 16, instructionKBytes = 32, instructionN = 8;
constexpr int64_t wideOperandBytes = 2, narrowestSwizzle = 32;
constexpr int64_t mostWarpgroups = 3, warpsPerGroup = 4;

/// Warps (or warpgroups) along the rows and the columns of an accumulator, and equal copies.
struct Split {
  int64_t rows = 1, columns = 1, copies = 1;

  SmallVector<Digit> digits(bool splitColumns) const {
    SmallVector<Digit> result;
    auto add = [&](int dim, int64_t count) {
      if (count > 1)
        result.push_back({dim, count});
    };
    add(0, rows);
    add(splitColumns ? 1 : -1, columns);
    add(-1, copies);
    return result;
  }
};
} // namespace

static int64_t operandBytes(tile::GemmOp gemm) {
  return gemm.getOperandElementType().getIntOrFloatBitWidth() / 8;
}

/// Instructions read 8-bit operands with the contracted axis last; only wider ones are transposed.
static LogicalResult checkContractedLast(tile::GemmOp gemm) {
  auto check = [&](StringRef which, Value operand, bool contractedFirst) -> LogicalResult {
    if (!contractedFirst)
      return success();
    auto shared = cast<tile::SharedType>(operand.getType());
    ArrayRef<int64_t> shape = shared.getShape().take_back(2);
    return gemm.emitOpError("the ") << which << " operand is " << shape[0] << "x" << shape[1]
                                    << " of " << shared.getElementType()
                                    << " with the contracted axis first, but the tensor cores read "
                                       "8-bit operands with it last; "
                                       "store it as "
                                    << shape[1] << "x" << shape[0] << ", in the tensor too";
  };
  return success(succeeded(check("first", gemm.getA(), gemm.getTransposeA())) &&
                 succeeded(check("second", gemm.getB(), !gemm.getTransposeB())));
}

/// Reports the rule of the tensor cores that the product breaks, if any.
static LogicalResult checkInstructionExists(tile::GemmOp gemm) {
  int64_t instructionK = instructionKBytes / operandBytes(gemm);
  auto fail = [&]() {
    return gemm.emitOpError("no tensor core instruction fits this product of ")
           << gemm.getM() << "x" << gemm.getK() << " and " << gemm.getK() << "x" << gemm.getN()
           << ": ";
  };
  if (gemm.getK() % instructionK != 0)
    return fail() << "the contracted extent is " << gemm.getK() << ", expected a multiple of "
                  << instructionK << "; pad the axis to "
                  << llvm::alignTo(gemm.getK(), instructionK);
  if (gemm.getN() % instructionN != 0)
    return fail() << "the result has " << gemm.getN() << " columns, expected a multiple of "
                  << instructionN << "; pad the axis to "
                  << llvm::alignTo(gemm.getN(), instructionN);
  if (gemm.getTransposeA() && isa<RankedTensorType>(gemm.getA().getType()))
    return fail() << "a fragment operand is transposed; store it to a shared tile first";
  return operandBytes(gemm) == 1 ? checkContractedLast(gemm) : success();
}

/// Warpgroups that M rows keep busy; 0 if wgmma does not fit.
static int64_t warpgroupsFor(int64_t m) {
  if (m % wgmmaRows != 0)
    return 0;
  int64_t groups = mostWarpgroups;
  while ((m / wgmmaRows) % groups != 0)
    --groups;
  return groups;
}

/// The widest swizzle (0: none fits) of a tile whose last axis is the operand's M or N: the columns
/// of each of `parts` warpgroups must be whole slabs.
static int64_t mnMajorSwizzle(int64_t extent, int64_t parts) {
  return widestSwizzle(extent / parts, wideOperandBytes);
}

/// Plans `gemm` on wgmma with `groups` warpgroups, or says in `reason` why that does not work.
static std::optional<GemmPlan> planWgmma(tile::GemmOp gemm, int64_t groups, std::string &reason) {
  int64_t m = gemm.getM(), n = gemm.getN();
  if (groups == 0 || m % wgmmaRows != 0) {
    reason = "M is " + std::to_string(m) + ", not a multiple of 64";
    return std::nullopt;
  }
  if (int64_t rows = m / gemm.getGroups(); rows % wgmmaRows != 0) {
    reason = "a run of rows for one matrix is " + std::to_string(rows) + ", not a multiple of 64";
    return std::nullopt;
  }
  Split split;
  split.rows = std::gcd(m / wgmmaRows, groups);
  int64_t rest = groups / split.rows;
  bool splitN = rest > 1 && n % (instructionN * rest) == 0;
  (splitN ? split.columns : split.copies) = rest;

  GemmPlan plan;
  plan.wgmma = true;
  if (!gemm.getTransposeB()) {
    plan.maxSwizzleB = mnMajorSwizzle(n, split.columns);
    if (plan.maxSwizzleB < narrowestSwizzle && n != instructionN) {
      reason = "N is " + std::to_string(n) + ", stored last and not a multiple of " +
               std::to_string(narrowestSwizzle / wideOperandBytes * split.columns);
      return std::nullopt;
    }
  }
  plan.accumulator = wgmmaAccumulator(m, n, split.digits(/*splitColumns=*/true));
  auto fragmentA = operandBytes(gemm) == 1 ? wgmmaOperand8 : wgmmaAccumulator;
  plan.fragmentA = fragmentA(m, gemm.getK(), split.digits(/*splitColumns=*/false));
  return plan;
}

/// Plans `gemm` on mma.sync: warps over rows as far as there are blocks of 16, then over columns.
static GemmPlan planMma(tile::GemmOp gemm, int64_t numWarps) {
  Split split;
  split.rows = std::gcd<int64_t>(numWarps, llvm::divideCeil(gemm.getM(), mmaRows));
  split.columns = std::gcd(numWarps / split.rows, gemm.getN() / instructionN);
  split.copies = numWarps / split.rows / split.columns;
  GemmPlan plan;
  plan.accumulator = mmaAccumulator(gemm.getM(), gemm.getN(), split.digits(/*splitColumns=*/true));
  auto fragmentA = operandBytes(gemm) == 1 ? mmaOperand8 : mmaAccumulator;
  plan.fragmentA = fragmentA(gemm.getM(), gemm.getK(), split.digits(/*splitColumns=*/false));
  return plan;
}

/// Without a product: 32 elements of the largest tile per thread, 4 to 8 warps.
static int64_t warpsForTiles(tile::KernelOp kernel) {
  int64_t elements = 1;
  kernel.walk([&](Operation *op) {
    for (Type type : op->getResultTypes()) {
      if (auto tensor = dyn_cast<RankedTensorType>(type))
        elements = std::max(elements, tensor.getNumElements());
      if (auto shared = dyn_cast<tile::SharedType>(type))
        elements = std::max(elements, ShapedType::getNumElements(shared.getShape()));
    }
  });
  return std::clamp<int64_t>(llvm::bit_ceil<uint64_t>(llvm::divideCeil(elements, 1024)), 4, 8);
}

/// Warpgroups of the kernel: as many as the product with the most rows keeps busy; 0 if none can
/// run on wgmma or the requested warps are no whole warpgroups.
static int64_t kernelWarpgroups(ArrayRef<tile::GemmOp> gemms, int64_t requestedWarps) {
  int64_t groups = 0;
  std::string ignored;
  for (tile::GemmOp gemm : gemms)
    if (int64_t needed = warpgroupsFor(gemm.getM()); planWgmma(gemm, needed, ignored))
      groups = std::max(groups, needed);
  if (requestedWarps == 0 || groups == 0)
    return groups;
  return requestedWarps % warpsPerGroup == 0 ? requestedWarps / warpsPerGroup : 0;
}

FailureOr<WarpPlan> tilec::planWarps(tile::KernelOp kernel, int64_t requestedWarps) {
  SmallVector<tile::GemmOp> gemms;
  kernel.walk([&](tile::GemmOp gemm) { gemms.push_back(gemm); });
  for (tile::GemmOp gemm : gemms)
    if (failed(checkInstructionExists(gemm)))
      return failure();

  WarpPlan plan;
  int64_t groups = kernelWarpgroups(gemms, requestedWarps);
  if (requestedWarps != 0)
    plan.numWarps = requestedWarps;
  else if (groups != 0)
    plan.numWarps = groups * warpsPerGroup;
  else if (gemms.empty())
    plan.numWarps = warpsForTiles(kernel);

  for (tile::GemmOp gemm : gemms) {
    std::string reason;
    std::optional<GemmPlan> wgmma =
        planWgmma(gemm, groups != 0 ? groups : warpgroupsFor(gemm.getM()), reason);
    if (wgmma && groups == 0) {
      wgmma.reset();
      reason = std::to_string(requestedWarps) + " warps are no whole warpgroups";
    }
    if (!wgmma && gemm.isGrouped())
      return gemm.emitOpError("a grouped product runs on wgmma only, and ")
             << reason
             << "; make each run a multiple of 64 rows, and warps, if asked for, a multiple of 4";
    plan.gemms[gemm] = wgmma ? *wgmma : planMma(gemm, plan.numWarps);
    if (!wgmma)
      remark::missed(gemm.getLoc(), remark::RemarkOpts::name("wgmma").category("gemm"))
          << ("runs on mma.sync: " + reason);
  }
  return plan;
}
