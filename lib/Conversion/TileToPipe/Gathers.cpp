//===- Gathers.cpp - rows at an index tile, copied by the producer's threads --===//
// SPDX-License-Identifier: Apache-2.0
//
// An index is a fragment, and the consumers' fragments lie over their warps. The producer computes
// index and mask for itself (ProducerLoop.cpp); here is what it can compute.
//===----------------------------------------------------------------------===//
#include "Plan.h"
#include "tilec/Analysis/AddressWork.h"
#include "tilec/Analysis/AxisDivisibility.h"
#include "tilec/Layout/Coalesced.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::to_pipe;

static constexpr int64_t kChunkBytes = 16;

static FragmentLayout indexLayout(tile::SharedType tile, int axis) {
  FragmentLayout layout =
      gatherLayout(tile.getShape(), tile.getLayout().elementBytes, kProducerWarps);
  for (int other = layout.rank - 1; other >= 0; --other)
    if (other != axis)
      layout = layout.slice(other);
  return layout;
}

FragmentLayout to_pipe::indexLayout(tile::GatherCopyOp gather) {
  return ::indexLayout(gather.getTarget().getType(), static_cast<int>(gather.getAxis()));
}

SmallVector<Value> to_pipe::fragmentsOf(tile::GatherCopyOp gather) {
  SmallVector<Value> fragments{gather.getIndex()};
  if (gather.getMask())
    fragments.push_back(gather.getMask());
  return fragments;
}

/// Of copies of the rows along `axis` of the window.
static std::string problemOfRows(Operation *op, tile::WindowOp window, tile::SharedType tile,
                                 size_t axis) {
  auto param = window ? parameterOf(window.getSource()) : BlockArgument();
  if (!param)
    return "the copied rows are not those of a parameter";
  if (isWritten(window.getSource()))
    return "the kernel writes the tensor that this copy reads";
  ArrayRef<int64_t> dims = window.getDims();
  auto rank = static_cast<int64_t>(window.getSource().getType().getShape().size());
  if (dims.back() != rank - 1 || axis + 1 >= dims.size() || dims.size() != tile.getShape().size())
    return "the rows at these indices do not lie one element behind the other";
  int64_t bytes = tile.getLayout().elementBytes;
  auto kernel = op->getParentOfType<tile::KernelOp>();
  auto description =
      cast<DictionaryAttr>(kernel.getLaunch().getAs<ArrayAttr>("params")[param.getArgNumber()]);
  if (!description.contains("aligned") ||
      Divisibility(kernel).of(window.getOffsets()[rank - 1]) * bytes % kChunkBytes != 0 ||
      tile.getShape().back() * bytes % kChunkBytes != 0)
    return "rows of the tensor are not known to be multiples of 16 bytes";
  return "";
}

std::string to_pipe::gatherProblem(tile::GatherCopyOp gather) {
  if (gather.getPad() && !matchPattern(*gather.getPad(), m_AnyZeroFloat()) &&
      !matchPattern(*gather.getPad(), m_Zero()))
    return "cp.async pads with 0 only";
  return problemOfRows(gather, gather.getSource().getDefiningOp<tile::WindowOp>(),
                       gather.getTarget().getType(), gather.getAxis());
}

std::string to_pipe::rowsProblem(tile::CopyOp copy) {
  auto tile = copy.getTarget().getDefiningOp<tile::AllocSharedOp>();
  if (!tile || tile.getType().getShape().size() < 2)
    return "the copy does not fill a tile of rows";
  return problemOfRows(copy, copy.getSource().getDefiningOp<tile::WindowOp>(), tile.getType(),
                       tile.getType().getShape().size() - 2);
}

void to_pipe::copyAsRows(CopyPlan &copy) {
  tile::SharedType type = copy.tile.getType();
  auto axis = static_cast<int64_t>(type.getShape().size()) - 2;
  OpBuilder builder(copy.copy);
  auto rows = RankedTensorType::get(
      {type.getShape()[axis]}, builder.getI32Type(),
      tile::FragAttr::get(builder.getContext(), ::indexLayout(type, static_cast<int>(axis))));
  Location loc = copy.copy.getLoc();
  Value index = tile::IotaOp::create(builder, loc, rows);
  copy.gather = tile::GatherCopyOp::create(builder, loc, copy.window, index, copy.tile, Value(),
                                           builder.getI64IntegerAttr(axis), TypedAttr());
  copy.copy->erase();
  copy.copy = nullptr;
}

//===----------------------------------------------------------------------===//
// What a fragment is computed from
//===----------------------------------------------------------------------===//

/// Why the producer cannot compute `op`, which makes a fragment, for itself; empty if it can.
static std::string fragmentProblem(Operation *op) {
  if (!op)
    return "a loop carries the index of these rows";
  if (op->getNumResults() != 1 || cast<RankedTensorType>(op->getResult(0).getType()).getRank() != 1)
    return "the index of these rows is computed from a tile of more axes";
  if (isa<tile::LoadOp, tile::GatherOp>(op)) {
    auto window = op->getOperand(0).getDefiningOp<tile::WindowOp>();
    if (!window || !parameterOf(window.getSource()))
      return "the index of these rows is not read from a parameter";
    return isWritten(window.getSource()) ? "the kernel writes the tensor that this index comes from"
                                         : "";
  }
  auto broadcast = dyn_cast<tile::BroadcastOp>(op);
  DenseElementsAttr constant;
  bool isOne = isa<tile::IotaOp, tile::ConvertLayoutOp>(op) ||
               (broadcast && broadcast.getDims().empty()) ||
               (matchPattern(op, m_Constant(&constant)) && constant.isSplat()) ||
               (OpTrait::hasElementwiseMappableTraits(op) && isMemoryEffectFree(op) &&
                !matchPattern(op, m_Constant()));
  return isOne ? "" : "the index of these rows depends on a result of the computation";
}

static void collect(Value fragment, FragmentSources &sources) {
  if (sources.fragments.contains(fragment) || sources.problem)
    return;
  Operation *op = fragment.getDefiningOp();
  if (std::string reason = fragmentProblem(op); !reason.empty()) {
    sources.problem = op ? op : fragment.getParentBlock()->getParentOp();
    sources.reason = reason;
    return;
  }
  for (Value operand : op->getOperands())
    if (isa<RankedTensorType>(operand.getType()))
      collect(operand, sources);
    else
      sources.scalars.insert(operand);
  sources.fragments.insert(fragment);
}

FragmentSources to_pipe::sourcesOf(ValueRange fragments) {
  FragmentSources sources;
  for (Value fragment : fragments)
    collect(fragment, sources);
  return sources;
}
