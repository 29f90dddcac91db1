//===- LayoutReshapes.cpp - layouts across split, join, permute, take, stack -===//
// SPDX-License-Identifier: Apache-2.0
//
// These operations move nothing between threads: the layout of the result follows from the
// operand's and the other way round. Where the two ends are asked for layouts that do not
// correspond, a conversion stands in front of the operation or behind it.
//===----------------------------------------------------------------------===//
#include "LayoutGraph.h"
#include "tilec/Layout/Coalesced.h"
#include "tilec/Layout/Reshape.h"

using namespace mlir;
using namespace tilec;
using Layout = std::optional<FragmentLayout>;

/// A layout of `shape` with `axes` in registers, which every operation here can do with.
static FragmentLayout inRegisters(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes, Type element,
                                  int64_t numWarps) {
  SmallVector<int64_t> rest;
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (!llvm::is_contained(axes, static_cast<int64_t>(axis)))
      rest.push_back(extent);
  FragmentLayout layout =
      rest.empty() ? replicated({}, numWarps)
                   : coalesced(rest, std::max(element.getIntOrFloatBitWidth() / 8, 1u), numWarps);
  for (int64_t axis : axes)
    layout = stackAxis(layout, static_cast<int>(axis), shape[axis]);
  return layout;
}

/// The place of an operand whose layout goes with the result's.
unsigned LayoutGraph::reshaped(OpOperand &operand) {
  unsigned site = newNode(cast<RankedTensorType>(operand.get().getType()));
  use(operand, site, /*mayClose=*/true);
  return site;
}

void LayoutGraph::addSplit(tile::SplitOp split) {
  int axis = split.getAxis();
  RankedTensorType type = split.getType();
  int64_t outer = type.getDimSize(axis), inner = type.getDimSize(axis + 1);
  solver.bind(
      reshaped(split.getSourceMutable()), nodeOf(split.getResult()),
      [=](const FragmentLayout &whole) { return splitAxis(whole, axis, outer, inner); },
      [=](const FragmentLayout &parts) { return joinAxes(parts, axis, outer, inner); },
      inRegisters(type.getShape(), {axis, axis + 1}, type.getElementType(), plan.numWarps));
}

void LayoutGraph::addJoin(tile::JoinOp join) {
  int axis = join.getAxis();
  RankedTensorType type = join.getSource().getType();
  int64_t outer = type.getDimSize(axis), inner = type.getDimSize(axis + 1);
  solver.bind(
      nodeOf(join.getResult()), reshaped(join.getSourceMutable()),
      [=](const FragmentLayout &whole) { return splitAxis(whole, axis, outer, inner); },
      [=](const FragmentLayout &parts) { return joinAxes(parts, axis, outer, inner); },
      inRegisters(type.getShape(), {axis, axis + 1}, type.getElementType(), plan.numWarps));
}

void LayoutGraph::addPermute(tile::PermuteOp permute) {
  SmallVector<int64_t> dims(permute.getDims()), back(dims.size());
  for (auto [axis, dim] : llvm::enumerate(dims))
    back[dim] = static_cast<int64_t>(axis);
  RankedTensorType type = permute.getType();
  solver.bind(
      reshaped(permute.getSourceMutable()), nodeOf(permute.getResult()),
      [=](const FragmentLayout &layout) { return Layout(permuteAxes(layout, dims)); },
      [=](const FragmentLayout &layout) { return Layout(permuteAxes(layout, back)); },
      inRegisters(type.getShape(), {}, type.getElementType(), plan.numWarps));
}

/// A scalar is wanted by every thread: all of them hold the tile.
void LayoutGraph::addTake(tile::TakeOp take) {
  RankedTensorType type = take.getSource().getType();
  unsigned site = reshaped(take.getSourceMutable());
  if (!isa<RankedTensorType>(take.getType()))
    return solver.fix(site, replicated(type.getShape(), plan.numWarps));
  int axis = take.getAxis();
  int64_t extent = type.getDimSize(axis);
  solver.bind(
      nodeOf(take.getResult()), site,
      [=](const FragmentLayout &part) { return Layout(stackAxis(part, axis, extent)); },
      [=](const FragmentLayout &whole) { return takeAxis(whole, axis); },
      inRegisters(type.getShape(), {axis}, type.getElementType(), plan.numWarps));
}

void LayoutGraph::addStack(tile::StackOp stack) {
  RankedTensorType type = stack.getType();
  int axis = stack.getAxis();
  int64_t extent = type.getDimSize(axis);
  for (OpOperand &operand : stack->getOpOperands())
    solver.bind(
        reshaped(operand), nodeOf(stack.getResult()),
        [=](const FragmentLayout &part) { return Layout(stackAxis(part, axis, extent)); },
        [=](const FragmentLayout &whole) { return takeAxis(whole, axis); },
        inRegisters(type.getShape(), {axis}, type.getElementType(), plan.numWarps));
}
