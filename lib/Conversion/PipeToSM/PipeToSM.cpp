//===- PipeToSM.cpp - types and facts of the pipe lowering --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Patterns.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tilec::to_sm;

void tilec::to_sm::addPipeConversions(TypeConverter &types) {
  auto twoWords = [](Type type, SmallVectorImpl<Type> &result) {
    result.append(2, IntegerType::get(type.getContext(), 32));
    return success();
  };
  types.addConversion([=](pipe::ChannelType type, SmallVectorImpl<Type> &result) {
    return twoWords(type, result);
  });
  types.addConversion(
      [=](pipe::CursorType type, SmallVectorImpl<Type> &result) { return twoWords(type, result); });
  types.addConversion(
      [&types](pipe::InflightType type) { return types.convertType(type.getTensor()); });
}

static int64_t integerOr(Operation *op, StringRef name, int64_t absent) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : absent;
}

static LogicalResult collectRoles(pipe::SpecializeOp op, KernelState &state) {
  op.getProducer().walk([&](Operation *inner) {
    state.pipe.singleThreaded.insert(inner);
    state.pipe.producerLoops +=
        isa<scf::ForOp>(inner) && !inner->hasAttr(tile::TileDialect::tileLoopAttrName);
  });
  if (state.producerWarps > 0)
    return success();
  return op.emitOpError() << "stands in a kernel without '" << pipe::producerWarpsAttrName
                          << "', the number of the producer's warps";
}

static LogicalResult collectChannel(pipe::ChannelOp op, KernelState &state) {
  if (!op.getOffset() || !op.getBarriers())
    return op.emitOpError("has no place in shared memory; run 'tile-allocate-shared' first");
  ChannelPlace place;
  place.slots = *op.getOffset();
  place.barriers = *op.getBarriers();
  place.stages = op.getType().getStages();
  place.byWarps = op.getThreadReaders();
  place.copiers = static_cast<int64_t>(op.getCopiers().value_or(0));
  place.posted = op.getPosted();
  state.pipe.threadsCopy |= place.copiers != 0;
  if (!place.byWarps && state.numWarps % kGroupWarps != 0)
    return op.emitOpError() << "is released by whole warpgroups, expected a number of consumer "
                               "warps that is a multiple of 4, found "
                            << state.numWarps;
  state.pipe.channels.insert({op, place});
  return success();
}

LogicalResult tilec::to_sm::collectPipe(tile::KernelOp kernel, KernelState &state) {
  state.ctasPerSM = integerOr(kernel, sm::SMDialect::ctasPerSMAttrName, 1);
  state.producerWarps = integerOr(kernel, pipe::producerWarpsAttrName, 0);
  WalkResult result = kernel.walk([&](Operation *op) {
    auto channel = dyn_cast<pipe::ChannelOp>(op);
    auto roles = dyn_cast<pipe::SpecializeOp>(op);
    if (auto gather = dyn_cast<pipe::GatherOp>(op))
      if (gather.getIndex().getDefiningOp<tile::IotaOp>())
        state.pipe.inOrder.insert(op);
    state.pipe.hasTurns |= isa<pipe::TurnWaitOp>(op);
    state.pipe.hasItems |= isa<pipe::HandOverOp>(op);
    bool failed = (channel && mlir::failed(collectChannel(channel, state))) ||
                  (roles && mlir::failed(collectRoles(roles, state)));
    return failed ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

void tilec::to_sm::populatePipePatterns(RewritePatternSet &patterns, const TypeConverter &types,
                                        KernelState &state) {
  populateChannelPatterns(patterns, types, state);
  populatePipeLoadPatterns(patterns, types, state);
  populatePipeGatherPatterns(patterns, types, state);
  populatePipeMmaPatterns(patterns, types, state);
  populateRolePatterns(patterns, types, state);
}
