//===- ExtractChannels.cpp - what the protocol knows of rings and copies ------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "ExtractChannels.h"

using namespace mlir;
using namespace tilec::protocol;

Channel tilec::protocol::describeChannel(pipe::ChannelOp op, int64_t groups,
                                         int64_t producerWarps) {
  Channel channel;
  channel.stages = op.getType().getStages();
  tilec::SharedLayout slot = op.getType().getSlot().getLayout();
  channel.slotBytes = slot.bytes();
  channel.slotElements = slot.rows() * slot.shape.back();
  channel.threadReaders = op.getThreadReaders();
  channel.arrivals = groups * (channel.threadReaders ? kGroupWarps : 1);
  channel.releaseCount = channel.threadReaders ? kGroupWarps : 1;
  if (op.getCopiers()) {
    channel.threadCopies = true;
    channel.fillArrivals = static_cast<int64_t>(*op.getCopiers());
    channel.commitCount = kWarpThreads * producerWarps;
  }
  if (op.getPosted()) {
    channel.threadCopies = true;
    channel.name = "next item";
  }
  return channel;
}

void tilec::protocol::nameChannels(tile::KernelOp kernel, pipe::SpecializeOp roles,
                                   const DenseMap<Value, unsigned> &numbers,
                                   std::vector<Channel> &channels) {
  auto params = kernel.getLaunch().getAs<ArrayAttr>("params");
  auto nameAfter = [&](auto load) {
    auto window = load.getWindow().template getDefiningOp<tile::WindowOp>();
    auto argument = window ? dyn_cast<BlockArgument>(window.getSource()) : BlockArgument();
    auto found = numbers.find(load.getChannel());
    if (!params || !argument || found == numbers.end() || argument.getArgNumber() >= params.size())
      return;
    auto name =
        cast<DictionaryAttr>(params[argument.getArgNumber()]).template getAs<StringAttr>("name");
    if (name && channels[found->second].name.empty())
      channels[found->second].name = name.str();
  };
  roles.getProducer().walk([&](Operation *op) {
    if (auto load = dyn_cast<pipe::LoadOp>(op))
      nameAfter(load);
    else if (auto gather = dyn_cast<pipe::GatherOp>(op))
      nameAfter(gather);
  });
  for (auto [number, channel] : llvm::enumerate(channels)) {
    if (channel.name.empty())
      channel.name = "channel " + std::to_string(number);
    for (size_t other = 0; other < number; ++other)
      if (channels[other].name == channel.name)
        channel.name += "'";
  }
}

/// A map's box is one slab of the slot.
Step tilec::protocol::describeLoad(pipe::LoadOp op, tile::KernelOp kernel, Step step) {
  tilec::SharedLayout slot = op.getChannel().getType().getSlot().getLayout();
  step.kind = Step::Kind::Load;
  step.amount = slot.bytes();
  step.part = op.getPart();
  int64_t slabElements = (slot.swizzle == 0 ? slot.rowBytes() : slot.swizzle) / slot.elementBytes;
  step.pieces = llvm::divideCeilSigned(step.part.columns, slabElements);
  auto maps = kernel.getLaunch().getAs<ArrayAttr>("maps");
  if (!maps || op.getMap() >= maps.size())
    return step;
  auto box = cast<DictionaryAttr>(maps[op.getMap()]).getAs<ArrayAttr>("box");
  int64_t bytes = slot.elementBytes;
  for (Attribute extent : box ? box.getValue() : ArrayRef<Attribute>())
    bytes *= cast<IntegerAttr>(extent).getInt();
  step.amount = bytes * step.pieces;
  return step;
}
