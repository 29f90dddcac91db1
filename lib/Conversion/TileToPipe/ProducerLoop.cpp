//===- ProducerLoop.cpp - what the producer computes in its loop --------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ProducerLoop.h"
#include "tilec/Analysis/AddressWork.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static bool isFragment(Value value) { return isa<RankedTensorType>(value.getType()); }

/// Clones into the current block what `values` need from the loop's body, in order; what is mapped
/// already is not cloned again.
static void cloneAddressWork(scf::ForOp loop, ValueRange values, IRMapping &mapping,
                             OpBuilder &at) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  for (Value value : values)
    (void)getBackwardSlice(value, &slice, options);
  for (Operation &op : loop.getBody()->without_terminator())
    if (slice.contains(&op) && (op.getNumResults() == 0 || !mapping.contains(op.getResult(0))))
      at.clone(op, mapping);
}

/// True if a value that `value` is computed from in the loop is one of `carried`.
static bool dependsOn(scf::ForOp loop, Value value, const SetVector<BlockArgument> &carried) {
  SmallVector<Value> open{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      if (carried.contains(argument))
        return true;
      continue;
    }
    Operation *op = next.getDefiningOp();
    if (loop->isProperAncestor(op) && seen.insert(op).second)
      llvm::append_range(open, usedFromOutside(op));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Fragments
//===----------------------------------------------------------------------===//

Value ProducerFragments::get(Value fragment, const IRMapping &mapping, OpBuilder &at) {
  if (Value mine = known.lookup(fragment))
    return mine;
  Operation *op = fragment.getDefiningOp();
  if (auto conversion = dyn_cast<tile::ConvertLayoutOp>(op)) {
    Value source = get(conversion.getSource(), mapping, at);
    return known[fragment] = source;
  }
  auto old = cast<RankedTensorType>(fragment.getType());
  auto type = RankedTensorType::get(old.getShape(), old.getElementType(),
                                    tile::FragAttr::get(at.getContext(), layout));
  DenseElementsAttr constant;
  if (matchPattern(op, m_Constant(&constant)))
    return known[fragment] = arith::ConstantOp::create(
               at, op->getLoc(), DenseElementsAttr::get(type, constant.getSplatValue<Attribute>()));
  IRMapping here(mapping);
  for (Value operand : op->getOperands())
    if (isFragment(operand))
      here.map(operand, get(operand, mapping, at));
  Operation *clone = op->clone(here);
  clone->getResult(0).setType(type);
  at.insert(clone);
  return known[fragment] = clone->getResult(0);
}

ProducerFragments &Fragments::in(const FragmentLayout &layout) {
  for (ProducerFragments &set : sets)
    if (set.layout == layout)
      return set;
  return sets.emplace_back(ProducerFragments{layout, llvm::DenseMap<Value, Value>()});
}

SmallVector<Value> Fragments::missingScalars(tile::GatherCopyOp gather) {
  SmallVector<Value> open = fragmentsOf(gather), scalars;
  ProducerFragments &mine = in(indexLayout(gather));
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!isFragment(value))
      scalars.push_back(value);
    else if (!mine.known.contains(value))
      llvm::append_range(open, value.getDefiningOp()->getOperands());
  }
  return scalars;
}

void to_pipe::layOutForConsumers(tile::KernelOp kernel, LoopPlan &step) {
  SetVector<Value> read;
  for (CopyPlan &copy : step.copies)
    if (copy.gather)
      read.insert_range(sourcesOf(fragmentsOf(copy.gather)).fragments);
  if (read.empty())
    return;
  SmallVector<tile::ConvertLayoutOp> conversions;
  kernel.walk([&](tile::ConvertLayoutOp op) { conversions.push_back(op); });
  for (tile::ConvertLayoutOp op : conversions) {
    FragmentSources sources = sourcesOf(op.getSource());
    if (read.contains(op.getResult()) || sources.problem ||
        llvm::none_of(sources.fragments, [&](Value value) { return read.contains(value); }))
      continue;
    OpBuilder at(op);
    auto layout = cast<tile::FragAttr>(cast<RankedTensorType>(op.getType()).getEncoding());
    ProducerFragments mine{layout.getLayout(), llvm::DenseMap<Value, Value>()};
    op.getResult().replaceAllUsesWith(mine.get(op.getSource(), IRMapping(), at));
    op.erase();
  }
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

ProducerLoop::ProducerLoop(LoopPlan &step, OpBuilder &before) : step(step), loop(step.loop) {
  for (CopyPlan &copy : step.copies) {
    if (!copy.gather)
      continue;
    for (Value fragment : sourcesOf(fragmentsOf(copy.gather)).fragments)
      if (loop.isDefinedOutsideOfLoop(fragment))
        (void)fragments.in(indexLayout(copy.gather)).get(fragment, IRMapping(), before);
  }
  findReads();
  if (!ahead.empty())
    first = read(before, loop.getLowerBound());
}

/// What the loop's gathers read from memory, but for what only goes into another such read.
void ProducerLoop::findReads() {
  for (CopyPlan &copy : step.copies) {
    SmallVector<Value> open;
    if (copy.gather)
      open = fragmentsOf(copy.gather);
    while (!open.empty()) {
      Value fragment = open.pop_back_val();
      if (!isFragment(fragment) || loop.isDefinedOutsideOfLoop(fragment))
        continue;
      Read item{fragment, indexLayout(copy.gather)};
      auto isSame = [&](const Read &other) {
        return other.fragment == fragment && other.layout == item.layout;
      };
      if (!isa<tile::LoadOp, tile::GatherOp>(fragment.getDefiningOp()))
        llvm::append_range(open, fragment.getDefiningOp()->getOperands());
      else if (llvm::none_of(ahead, isSame))
        ahead.push_back(item);
    }
  }
  auto isCarried = [&](const Read &item) { return dependsOn(loop, item.fragment, step.carried); };
  if (llvm::any_of(ahead, isCarried))
    ahead.clear();
}

/// The fragments of `ahead` for the iteration `iv`. Behind the last one they are those that a
/// window reads outside of its tensor.
SmallVector<Value> ProducerLoop::read(OpBuilder &at, Value iv) {
  SmallVector<Value> result, scalars;
  for (const Read &item : ahead)
    llvm::append_range(scalars, sourcesOf(item.fragment).scalars);
  IRMapping there;
  there.map(loop.getInductionVar(), iv);
  cloneAddressWork(loop, scalars, there, at);
  Fragments mine = fragments;
  for (const Read &item : ahead)
    result.push_back(mine.in(item.layout).get(item.fragment, there, at));
  return result;
}

SmallVector<Value> ProducerLoop::start() {
  SmallVector<Value> values;
  for (BlockArgument argument : step.carried)
    values.push_back(loop.getTiedLoopInit(argument)->get());
  llvm::append_range(values, first);
  return values;
}

void ProducerLoop::enter(OpBuilder &body, Value iv, ValueRange carried) {
  mapping.map(loop.getInductionVar(), iv);
  for (auto [argument, value] : llvm::zip(step.carried, carried))
    mapping.map(argument, value);
  if (!ahead.empty())
    following = read(body, arith::AddIOp::create(body, loop.getLoc(), iv, loop.getStep()));
  for (auto [item, value] : llvm::zip(ahead, carried.drop_front(step.carried.size())))
    fragments.in(item.layout).known[item.fragment] = value;
  SmallVector<Value> needed;
  for (CopyPlan &copy : step.copies) {
    needed.push_back(copy.window);
    if (copy.gather)
      llvm::append_range(needed, fragments.missingScalars(copy.gather));
  }
  cloneAddressWork(loop, needed, mapping, body);
}

SmallVector<Value> ProducerLoop::next(OpBuilder &body) {
  SmallVector<Value> carried, values;
  for (BlockArgument argument : step.carried)
    carried.push_back(loop.getTiedLoopYieldedValue(argument)->get());
  cloneAddressWork(loop, carried, mapping, body);
  for (Value value : carried)
    values.push_back(mapping.lookupOrDefault(value));
  llvm::append_range(values, following);
  return values;
}
