//===- IssueAhead.cpp - products two iterations apart -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Products.h"
#include "Rotate.h"
#include "Stages.h"

using namespace mlir;
using namespace tilec;

using OpSet = Stages::OpSet;

scf::ForOp tilec::findProducerLoop(scf::ForOp consumer) {
  scf::ForOp found;
  consumer->getParentOfType<pipe::SpecializeOp>().getProducer().walk([&](scf::ForOp loop) {
    Attribute number = loop->getAttr(pipe::aheadAttrName);
    if (number && number == consumer->getAttr(pipe::aheadAttrName))
      found = loop;
  });
  return found;
}

static Stages stagesOfConsumer(const LoopParts &parts) {
  OpSet first, last;
  for (const OpList &list : {parts.issue, parts.addresses, parts.ends, parts.earlyReleases})
    first.insert(list.begin(), list.end());
  for (const OpList &list : {parts.late, parts.after, parts.lateReleases})
    last.insert(list.begin(), list.end());
  return Stages(parts.loop, std::move(first), std::move(last));
}

namespace {
/// The producer's loop in the stages in which the consumers read its slots.
struct ProducerParts {
  scf::ForOp loop;
  OpList first, middle, last;
  Stages stages() const { return Stages(loop, OpSet(first.begin(), first.end()), OpSet(last.begin(), last.end())); }
};
} // namespace

/// The operation's ring; null if it has none.
static Value channelOf(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<pipe::ChannelType>(operand.getType()) && !isa<pipe::AdvanceOp>(op))
      return operand;
  return {};
}

static FailureOr<ProducerParts> producerOf(const LoopParts &parts, std::string &why) {
  ProducerParts producer{findProducerLoop(parts.loop), {}, {}, {}};
  if (!producer.loop) {
    why = "no loop of the producer fills its rings";
    return failure();
  }
  auto isIn = [](const OpList &list, Operation *op) { return llvm::is_contained(list, op); };
  auto stageOf = [&](Value channel) -> OpList & {
    bool early = false, late = true;
    scf::ForOp loop = parts.loop;
    for (auto wait : loop.getOps<pipe::WaitOp>())
      if (wait.getChannel() == channel) {
        early |= isIn(parts.issue, wait);
        late &= isIn(parts.late, wait);
      }
    return early ? producer.first : late ? producer.last : producer.middle;
  };
  for (Operation &op : producer.loop.getBody()->without_terminator()) {
    Value channel = channelOf(&op);
    (channel ? stageOf(channel) : producer.first).push_back(&op);
  }
  return producer;
}

LogicalResult tilec::canIssueAhead(const LoopParts &parts, std::string &why) {
  FailureOr<ProducerParts> producer = producerOf(parts, why);
  return success(succeeded(producer) && succeeded(producer->stages().check(why)) &&
                 succeeded(stagesOfConsumer(parts).check(why)));
}

/// Elementwise work stays in front of the waits for the products that it covers.
static void keepInFront(const LoopParts &parts, OpBuilder &builder, IRMapping &mapping) {
  scf::ForOp loop = parts.loop;
  for (Value value : loop.getYieldedValues())
    if (isRowStatistic(value) && llvm::is_contained(parts.rest, value.getDefiningOp()))
      pipe::OrderOp::create(builder, loop.getLoc(), mapping.lookup(value));
}

static void writeConsumer(const LoopParts &parts, OpBuilder &builder) {
  auto young = llvm::count_if(parts.issue, [](Operation *op) { return isa<tile::GemmOp>(op); });
  Stages stages = stagesOfConsumer(parts);
  stages.write(builder, [&](IRMapping *first, IRMapping *middle, IRMapping *last) {
    Flying late, early;
    if (last)
      late = issueProducts(builder, parts.late, *last);
    if (first) {
      early = issueProducts(builder, parts.issue, *first);
      cloneAll(builder, parts.addresses, *first);
    }
    if (middle)
      cloneAll(builder, parts.rest, *middle);
    if (middle && (first || last))
      keepInFront(parts, builder, *middle);
    if (last) {
      awaitProducts(builder, late, *last, first ? young : 0);
      cloneAll(builder, parts.lateReleases, *last);
      cloneAll(builder, parts.after, *last);
    }
    if (middle && last)
      stages.handOn(*last, *middle);
    if (middle) {
      cloneAll(builder, parts.casts, *middle); // into registers that a product in flight has read until now
      cloneAll(builder, parts.prepare, *middle);
    }
    if (first) {
      awaitProducts(builder, early, *first, 0);
      cloneAll(builder, parts.earlyReleases, *first);
      cloneAll(builder, parts.ends, *first);
    }
  });
}

static void writeProducer(const ProducerParts &parts, OpBuilder &builder) {
  Stages stages = parts.stages();
  stages.write(builder, [&](IRMapping *first, IRMapping *middle, IRMapping *last) {
    if (last)
      cloneAll(builder, parts.last, *last);
    if (middle && last)
      stages.handOn(*last, *middle);
    if (middle)
      cloneAll(builder, parts.middle, *middle);
    if (first)
      cloneAll(builder, parts.first, *first);
  });
}

void tilec::issueAhead(const LoopParts &parts, OpBuilder &builder) {
  std::string why;
  FailureOr<ProducerParts> producer = producerOf(parts, why);
  writeProducer(*producer, builder);
  writeConsumer(parts, builder);
}
