//===- Chain.cpp - an accumulator in flight around a loop ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Chain.h"

#include "Rotate.h"

#include "tilec/Analysis/AddressWork.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tilec;

namespace {
/// Rewrites one loop: the first product in front of it, then one product per trip whose
/// predecessor's slots are released, then the last wait.
class Chainer {
public:
  Chainer(ChainedLoop chain, OpBuilder &builder)
      : chain(chain), loop(chain.loop), loc(chain.gemm.getLoc()), builder(builder) {}
  void run();

private:
  Value issue(IRMapping &mapping, Value acc);
  void release(const IRMapping &mapping);
  SmallVector<Value> cursors(const IRMapping &mapping);
  SmallVector<Value> someTrips();
  Value yielded(unsigned index) {
    return cast<scf::YieldOp>(loop.getBody()->getTerminator()).getOperand(index);
  }

  ChainedLoop chain;
  scf::ForOp loop;
  Location loc;
  OpBuilder &builder;
};
} // namespace

/// Clones what stands before the product and starts the product.
Value Chainer::issue(IRMapping &mapping, Value acc) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isa<tile::GemmOp, pipe::ReleaseOp>(op))
      builder.clone(op, mapping);
  tile::GemmOp gemm = chain.gemm;
  return pipe::MmaOp::create(
      builder, loc, pipe::InflightType::get(builder.getContext(), gemm.getType()),
      mapping.lookupOrDefault(gemm.getA()), mapping.lookupOrDefault(gemm.getB()), acc,
      gemm.getTransposeAAttr(), gemm.getTransposeBAttr());
}

void Chainer::release(const IRMapping &mapping) {
  IRMapping copy(mapping);
  for (auto release : loop.getOps<pipe::ReleaseOp>())
    builder.clone(*release.getOperation(), copy);
}

/// The carried values but the accumulator, for the next trip.
SmallVector<Value> Chainer::cursors(const IRMapping &mapping) {
  SmallVector<Value> values;
  for (unsigned index = 0; index < loop.getNumRegionIterArgs(); ++index)
    if (index != chain.carried)
      values.push_back(mapping.lookupOrDefault(yielded(index)));
  return values;
}

/// Carries the accumulator in flight, the next values of the others, and the values with which the
/// slots of the trip before were taken.
SmallVector<Value> Chainer::someTrips() {
  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  SmallVector<Value> start{issue(first, loop.getInitArgs()[chain.carried])};
  llvm::append_range(start, cursors(first));
  SmallVector<BlockArgument> others;
  for (BlockArgument argument : loop.getRegionIterArgs())
    if (argument.getArgNumber() - 1 != chain.carried)
      others.push_back(argument);
  for (BlockArgument argument : others)
    start.push_back(first.lookup(argument));

  Value second = arith::AddIOp::create(builder, loc, loop.getLowerBound(), loop.getStep());
  auto steady =
      scf::ForOp::create(builder, loop.getLoc(), second, loop.getUpperBound(), loop.getStep(),
                         start, [&](OpBuilder &, Location, Value iv, ValueRange carried) {
                           OpBuilder::InsertionGuard guard(builder);
                           builder.setInsertionPointToStart(iv.getParentBlock());
                           IRMapping current, previous;
                           current.map(loop.getInductionVar(), iv);
                           for (auto [index, argument] : llvm::enumerate(others)) {
                             current.map(argument, carried[1 + index]);
                             previous.map(argument, carried[1 + others.size() + index]);
                           }
                           SmallVector<Value> next{issue(current, carried[0])};
                           pipe::MmaDrainOp::create(builder, loc, builder.getI64IntegerAttr(1));
                           release(previous);
                           llvm::append_range(next, cursors(current));
                           for (BlockArgument argument : others)
                             next.push_back(current.lookup(argument));
                           scf::YieldOp::create(builder, loc, next);
                         });
  steady->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  Value done = pipe::MmaWaitOp::create(builder, loc, chain.gemm.getType(), steady.getResult(0),
                                       builder.getI64IntegerAttr(0));
  IRMapping last;
  for (auto [index, argument] : llvm::enumerate(others))
    last.map(argument, steady.getResult(1 + others.size() + index));
  release(last);
  SmallVector<Value> results(steady.getResults().slice(1, others.size()));
  results.insert(results.begin() + chain.carried, done);
  return results;
}

void Chainer::run() {
  replaceUnderTest(loop, builder, [&] { return someTrips(); });
}

std::optional<ChainedLoop> tilec::findChain(scf::ForOp loop) {
  ChainedLoop chain;
  chain.loop = loop;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto gemm = dyn_cast<tile::GemmOp>(op)) {
      if (chain.gemm)
        return std::nullopt;
      chain.gemm = gemm;
    } else if (auto wait = dyn_cast<pipe::WaitOp>(op);
               wait && wait.getChannel().getType().getStages() < 2) {
      return std::nullopt; // the slot of the trip before is still held
    } else if (!isa<pipe::WaitOp, pipe::ReleaseOp>(op) && !isMemoryEffectFree(&op) &&
               !isAddressWork(&op)) {
      return std::nullopt;
    }
  }
  if (!chain.gemm || !isa<tile::SharedType>(chain.gemm.getA().getType()) ||
      !chain.gemm->hasOneUse())
    return std::nullopt;
  auto argument = dyn_cast<BlockArgument>(chain.gemm.getAcc());
  if (!argument || argument.getOwner() != loop.getBody() || !argument.hasOneUse())
    return std::nullopt;
  chain.carried = argument.getArgNumber() - 1;
  if (loop.getBody()->getTerminator()->getOperand(chain.carried) != chain.gemm.getResult())
    return std::nullopt;
  return chain;
}

void tilec::keepInFlight(const ChainedLoop &chain, OpBuilder &builder) {
  Chainer(chain, builder).run();
}
