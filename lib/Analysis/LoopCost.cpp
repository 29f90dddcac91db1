//===- LoopCost.cpp - what an iteration costs on each unit of an SM ----------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Analysis/LoopCost.h"

#include "tilec/Dialect/SM/IR/SM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using namespace tilec;

// A Hopper SM: 16-bit multiplications in a cycle by wgmma, and by mma.sync (62 % of them);
// schedulers, each of which issues one instruction of a warp; results of the special-function
// units; bytes of shared memory, of L2 (9 TB/s over 132 SMs at 1.75 GHz) and of device memory (4.25
// TB/s).
static constexpr double kWgmmaMacs = 2048, kMmaMacs = 1270, kSchedulers = 4, kSpecial = 16,
                        kSharedBytes = 128, kL2Bytes = 39, kDeviceBytes = 18.4;
static constexpr double kOverlap = 2.5, kManyTrips = 100;
// What an H200's power limit leaves of the clock under products, in THz.
static constexpr double kSMs = 132, kClock = 1.6e-3;

llvm::StringRef tilec::unitName(Unit unit) {
  static constexpr llvm::StringLiteral names[] = {"tensor", "exp", "issue", "shared", "L2", "HBM"};
  return names[static_cast<size_t>(unit)];
}

Unit LoopCost::binding() const {
  return static_cast<Unit>(std::max_element(cycles.begin(), cycles.end()) - cycles.begin());
}

double LoopCost::predicted() const {
  double sum = 0;
  for (Unit unit : {Unit::Tensor, Unit::Exp, Unit::Issue, Unit::Shared})
    sum += std::pow(of(unit), kOverlap);
  return std::max({std::pow(sum, 1 / kOverlap), of(Unit::L2), of(Unit::HBM)});
}

double LoopCost::teraflops() const {
  return predicted() ? 2 * macs * kSMs * kClock / predicted() : 0;
}

namespace {
/// Counts of a piece of code, before it is known whose bytes are read again.
struct Counts {
  std::array<double, kUnits> cycles = {};
  double macs = 0, copiedBytes = 0;
  double inLoops = 0; // weight of loops whose trips are not known

  double &of(Unit unit) { return cycles[static_cast<size_t>(unit)]; }
  void add(const Counts &other, double times = 1) {
    for (size_t unit = 0; unit < kUnits; ++unit)
      cycles[unit] += times * other.cycles[unit];
    macs += times * other.macs;
    copiedBytes += times * other.copiedBytes;
    inLoops += times * other.inLoops;
  }
  /// Of two sides of a branch the one that weighs less is the cheaper one.
  double weight() const {
    return *std::max_element(cycles.begin(), cycles.end()) + copiedBytes + inLoops;
  }
};

class Counter {
public:
  explicit Counter(func::FuncOp kernel)
      : kernel(kernel), warps(kernel->getAttrOfType<IntegerAttr>("tile.num_warps").getInt()) {}
  std::vector<LoopCost> run();

private:
  Counts countRegion(Region &region);
  void count(Operation &op, Counts &counts);
  void countIf(scf::IfOp op, Counts &counts);
  void countLoop(scf::ForOp op, Counts &counts);
  void countWgmma(sm::WgmmaOp op, Counts &counts);
  void countElementwise(Operation &op, Counts &counts);
  void issue(Counts &counts, double instructions) {
    counts.of(Unit::Issue) += instructions * warps / kSchedulers;
  }
  void special(Counts &counts, double results) {
    counts.of(Unit::Exp) += results * 32 * warps / kSpecial;
    issue(counts, results);
  }
  /// An access of `bytes` by each thread.
  void shared(Counts &counts, double bytes) {
    counts.of(Unit::Shared) += bytes * 32 * warps / kSharedBytes;
    issue(counts, 1);
  }
  void global(Counts &counts, double bytes) {
    counts.of(Unit::HBM) += bytes * 32 * warps / kDeviceBytes;
    issue(counts, 1);
  }
  /// `bytes` into shared memory.
  void copy(Counts &counts, double bytes) {
    counts.copiedBytes += bytes;
    counts.of(Unit::Shared) += bytes / kSharedBytes;
  }
  void note(Location where, bool isLoop, const Counts &counts);

  func::FuncOp kernel;
  double warps; // that execute what is being counted
  std::vector<LoopCost> costs;
};
} // namespace

static double lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

static double bytesOf(Type type) {
  return lanesOf(type) * std::max(8u, getElementTypeOrSelf(type).getIntOrFloatBitWidth()) / 8;
}

/// A product whose only use adds to it is one instruction with that.
static bool isFused(arith::MulFOp op) {
  return op->hasOneUse() && isa<arith::AddFOp, arith::SubFOp>(*op->user_begin());
}

void Counter::countWgmma(sm::WgmmaOp op, Counts &counts) {
  double groups = warps / 4, bits = op.getType().getIntOrFloatBitWidth();
  double macs = groups * 64 * op.getN() * op.getK();
  counts.macs += macs;
  counts.of(Unit::Tensor) += macs / (kWgmmaMacs * 16 / bits);
  double rows = op.getN() + (op.hasRegisterA() ? 0 : 64);
  counts.of(Unit::Shared) += groups * rows * op.getK() * bits / 8 / kSharedBytes;
  issue(counts, 1);
}

void Counter::countElementwise(Operation &op, Counts &counts) {
  if (op.getNumResults() != 1 || isa<arith::ConstantOp>(op))
    return;
  Type type = op.getOperands().empty() ? op.getResult(0).getType() : op.getOperand(0).getType();
  double instructions = lanesOf(type);
  if (getElementTypeOrSelf(type).isInteger(64))
    instructions *= 2;
  if (isa<arith::DivFOp>(op)) {
    special(counts, instructions);
    instructions *= 3;
  }
  issue(counts, instructions);
}

void Counter::count(Operation &op, Counts &counts) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](scf::ForOp loop) { countLoop(loop, counts); })
      .Case([&](scf::IfOp branch) { countIf(branch, counts); })
      .Case([&](scf::WhileOp loop) {
        for (Region &region : loop->getRegions()) {
          Counts body = countRegion(region);
          counts.inLoops += body.weight() * kManyTrips;
          note(loop.getLoc(), /*isLoop=*/true, body);
        }
      })
      .Case([&](sm::WgmmaOp product) { countWgmma(product, counts); })
      .Case([&](sm::MmaOp product) {
        double bits = product.getType().getIntOrFloatBitWidth(), macs = warps * 16 * 8 * 256 / bits;
        counts.macs += macs;
        counts.of(Unit::Tensor) += macs / (kMmaMacs * 16 / bits);
        issue(counts, 1);
      })
      .Case<sm::Exp2Op, sm::Log2Op, sm::RcpOp, sm::RsqrtOp, sm::SqrtOp, sm::SinOp, sm::CosOp,
            sm::TanhOp>(
          [&](auto function) { special(counts, lanesOf(function->getResult(0).getType())); })
      .Case([&](sm::LoadGlobalOp load) { global(counts, bytesOf(load->getResult(0).getType())); })
      .Case([&](sm::StoreGlobalOp store) { global(counts, bytesOf(store.getValue().getType())); })
      .Case([&](sm::LoadSharedOp load) { shared(counts, bytesOf(load->getResult(0).getType())); })
      .Case([&](sm::StoreSharedOp store) { shared(counts, bytesOf(store.getValue().getType())); })
      .Case([&](sm::LdmatrixOp load) { shared(counts, bytesOf(load->getResult(0).getType())); })
      .Case([&](sm::StmatrixOp store) { shared(counts, bytesOf(store.getValue().getType())); })
      .Case([&](sm::ShuffleOp shuffle) { shared(counts, bytesOf(shuffle.getType())); })
      .Case([&](sm::AtomicSharedOp atomic) {
        shared(counts, 2 * bytesOf(atomic.getValue().getType()));
      })
      .Case([&](sm::CpAsyncOp async) {
        copy(counts, static_cast<double>(async.getBytes()) * 32 * warps);
        issue(counts, 1);
      })
      .Case([&](sm::BarrierArriveExpectTxOp expect) {
        if (auto bytes = getConstantIntValue(expect.getBytes()))
          copy(counts, *bytes); // what the loads behind it bring
      })
      .Case([&](sm::CvtPackOp pack) { issue(counts, lanesOf(pack.getValue().getType())); })
      .Case([&](arith::MulFOp product) {
        if (!isFused(product))
          countElementwise(op, counts);
      })
      .Case<vector::ExtractOp, vector::InsertOp, vector::FromElementsOp, vector::ToElementsOp,
            vector::ShuffleOp, vector::BitCastOp, vector::BroadcastOp,
            vector::ExtractStridedSliceOp, vector::InsertStridedSliceOp>(
          [](auto) {}) // registers, known to the compiler
      .Default([&](Operation *other) {
        if (isa<arith::ArithDialect, math::MathDialect>(other->getDialect()))
          countElementwise(*other, counts);
        else
          issue(counts, other->hasTrait<OpTrait::IsTerminator>() ? 0 : 1);
      });
}

/// The cheaper side; the only one if the other is empty; the other one of what a warp rarely votes
/// for.
void Counter::countIf(scf::IfOp op, Counts &counts) {
  double before = warps;
  // The branch that gives registers away is that of the warpgroup whose one thread copies.
  bool roles = llvm::any_of(op.getThenRegion().front(), [](Operation &inner) {
    auto registers = dyn_cast<sm::SetRegistersOp>(inner);
    return registers && !registers.getIncrease();
  });
  if (roles)
    warps = 1;
  Counts then = countRegion(op.getThenRegion());
  warps = before;
  Counts otherwise;
  if (!op.getElseRegion().empty())
    otherwise = countRegion(op.getElseRegion());
  if (roles) {
    counts.add(then);
    counts.add(otherwise);
    return;
  }
  bool isRare = op.getCondition().getDefiningOp<sm::VoteOp>() && !op.getElseRegion().empty();
  bool takeThen = !isRare && (otherwise.weight() == 0 ||
                              (then.weight() > 0 && then.weight() < otherwise.weight()));
  counts.add(takeThen ? then : otherwise);
}

/// A loop of a known number of trips is code of the loop around it.
void Counter::countLoop(scf::ForOp op, Counts &counts) {
  Counts body = countRegion(op.getRegion());
  std::optional<llvm::APInt> trips = op.getStaticTripCount();
  if (trips)
    return counts.add(body, static_cast<double>(trips->getSExtValue()));
  counts.inLoops += body.weight() * kManyTrips;
  note(op.getLoc(), /*isLoop=*/true, body);
}

Counts Counter::countRegion(Region &region) {
  Counts counts;
  for (Operation &op : region.getOps())
    count(op, counts);
  return counts;
}

static std::pair<StringRef, unsigned> lineOf(Location location) {
  auto line = location->findInstanceOf<FileLineColLoc>();
  return line ? std::pair(line.getFilename().getValue(), line.getLine())
              : std::pair(StringRef(), 0u);
}

void Counter::note(Location where, bool isLoop, const Counts &counts) {
  auto found = llvm::find_if(costs, [&](const LoopCost &cost) {
    return isLoop && cost.isLoop && lineOf(cost.where) == lineOf(where);
  });
  if (found == costs.end())
    found = costs.insert(costs.end(), LoopCost{where, isLoop});
  for (size_t unit = 0; unit < kUnits; ++unit)
    found->cycles[unit] += counts.cycles[unit];
  found->macs += counts.macs;
  // Until all loops of the line are known, bytes are kept as cycles of L2.
  found->cycles[static_cast<size_t>(Unit::L2)] += counts.copiedBytes / kL2Bytes;
}

std::vector<LoopCost> Counter::run() {
  note(kernel.getLoc(), /*isLoop=*/false, countRegion(kernel.getBody()));
  for (LoopCost &cost : costs) {
    double &l2 = cost.cycles[static_cast<size_t>(Unit::L2)];
    double &device = cost.cycles[static_cast<size_t>(Unit::HBM)];
    bool readAgain = cost.isLoop && cost.macs > 0;
    (readAgain ? l2 : device) +=
        readAgain ? device * kDeviceBytes / kL2Bytes : l2 * kL2Bytes / kDeviceBytes;
    (readAgain ? device : l2) = 0;
  }
  return std::move(costs);
}

std::vector<LoopCost> tilec::loopCosts(func::FuncOp kernel) { return Counter(kernel).run(); }
