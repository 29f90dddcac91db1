//===- Gathers.cpp - rows at an index tile, copied by the producer's threads --===//
// SPDX-License-Identifier: Apache-2.0
//
// An index is a fragment, and the consumers' fragments lie over their warps. The producer computes index and
// mask for itself (ProducerLoop.cpp); here is what it can compute.
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

FragmentLayout to_pipe::indexLayout(tile::GatherCopyOp gather) {
  tile::SharedType type = gather.getTarget().getType();
  FragmentLayout layout =
      gatherLayout(type.getShape(), type.getLayout().elementBytes, kProducerWarps);
  for (int axis = layout.rank - 1; axis >= 0; --axis)
    if (axis != static_cast<int>(gather.getAxis()))
      layout = layout.slice(axis);
  return layout;
}

SmallVector<Value> to_pipe::fragmentsOf(tile::GatherCopyOp gather) {
  SmallVector<Value> fragments{gather.getIndex()};
  if (gather.getMask())
    fragments.push_back(gather.getMask());
  return fragments;
}

std::string to_pipe::gatherProblem(tile::GatherCopyOp gather) {
  auto window = gather.getSource().getDefiningOp<tile::WindowOp>();
  auto param = window ? parameterOf(window.getSource()) : BlockArgument();
  if (!param)
    return "the copied rows are not those of a parameter";
  if (isWritten(window.getSource()))
    return "the kernel writes the tensor that this copy reads";
  if (gather.getPad() && !matchPattern(*gather.getPad(), m_AnyZeroFloat()) &&
      !matchPattern(*gather.getPad(), m_Zero()))
    return "cp.async pads with 0 only";
  ArrayRef<int64_t> dims = window.getDims();
  auto rank = static_cast<int64_t>(window.getSource().getType().getShape().size());
  if (dims.back() != rank - 1 || gather.getAxis() + 1 == dims.size())
    return "the rows at these indices do not lie one element behind the other";
  tile::SharedType type = gather.getTarget().getType();
  int64_t bytes = type.getLayout().elementBytes;
  auto kernel = gather->getParentOfType<tile::KernelOp>();
  auto description = cast<DictionaryAttr>(
      kernel.getLaunch().getAs<ArrayAttr>("params")[param.getArgNumber()]);
  if (!description.contains("aligned") ||
      Divisibility(kernel).of(window.getOffsets()[rank - 1]) * bytes % kChunkBytes != 0 ||
      type.getShape().back() * bytes % kChunkBytes != 0)
    return "rows of the tensor are not known to be multiples of 16 bytes";
  return "";
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
