//===- Extract.cpp - the protocol of a kernel in `pipe` ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Protocol/Extract.h"

#include "ExtractChannels.h"
#include "TripSymbols.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec::protocol;
using Kind = Step::Kind;

static bool isItemLoop(scf::ForOp loop) {
  return isa<pipe::SpecializeOp>(loop->getParentOp()) &&
         loop->hasAttr(tile::TileDialect::tileLoopAttrName);
}

namespace {
class Extractor {
public:
  Extractor(tile::KernelOp kernel, pipe::SpecializeOp roles) : kernel(kernel), roles(roles) {
    if (auto warps = kernel->getAttrOfType<IntegerAttr>(pipe::producerWarpsAttrName))
      producerWarps = warps.getInt();
  }
  FailureOr<Extraction> run();

private:
  void addChannel(pipe::ChannelOp op);
  void visitBlock(Block &block, std::vector<Step> &out);
  void visit(Operation *op, std::vector<Step> &out);
  bool visitRole(Operation *op, Step step, std::vector<Step> &out);
  bool visitProduct(Operation *op, Step step, std::vector<Step> &out);
  void visitLoop(scf::ForOp loop, std::vector<Step> &out);
  void visitItem(scf::ForOp loop, std::vector<Step> &out);
  void visitHandOver(pipe::HandOverOp op, std::vector<Step> &out);
  void visitBranch(scf::IfOp branch, std::vector<Step> &out);
  void visitReads(Operation *op, Step step, std::vector<Step> &out);
  void visitRewrites(scf::ForOp loop, std::vector<Step> &out);
  Condition conditionOf(Value condition);
  Var var(Value value) { return vars.try_emplace(value, vars.size() + 1).first->second; }
  /// Slots are handles of shared memory that do not come from an allocation.
  bool isSlot(Value value) {
    return isa<tile::SharedType>(value.getType()) && !value.getDefiningOp<tile::AllocSharedOp>();
  }
  bool isTracked(Value value) {
    return isa<pipe::CursorType, pipe::InflightType>(value.getType()) || isSlot(value);
  }

  tile::KernelOp kernel;
  pipe::SpecializeOp roles;
  Extraction result;
  TripSymbols symbols;
  DenseMap<Value, unsigned> channels, guards;
  DenseMap<Value, Var> vars;
  SmallVector<Value> itemsFrom; // of each role's loop over work items
  int64_t producerWarps = 1;
  bool failed = false;
};
} // namespace

void Extractor::addChannel(pipe::ChannelOp op) {
  Channel channel = describeChannel(op, result.program.groups, producerWarps);
  channel.source = result.sources.size();
  result.sources.push_back(op);
  channels[op] = result.program.channels.size();
  result.program.channels.push_back(channel);
}

bool Extractor::visitRole(Operation *op, Step step, std::vector<Step> &out) {
  auto slotOp = [&](Kind kind, auto typed) {
    step.kind = kind;
    auto found = channels.find(typed.getChannel());
    if (found == channels.end()) {
      op->emitOpError("expected a channel that the kernel makes outside of its roles");
      failed = true;
      return false;
    }
    step.channel = found->second;
    step.cursor = var(typed.getCursor());
    return true;
  };
  bool known =
      llvm::TypeSwitch<Operation *, bool>(op)
          .Case([&](pipe::AcquireOp acquire) {
            step.amount = acquire.getBytes();
            return slotOp(Kind::Acquire, acquire);
          })
          .Case([&](pipe::LoadOp typed) {
            bool good = slotOp(Kind::Load, typed);
            step = describeLoad(typed, kernel, step);
            return good;
          })
          .Case([&](pipe::GatherOp gather) { // each warp's copies land by themselves
            tilec::SharedLayout slot = gather.getChannel().getType().getSlot().getLayout();
            step.amount = slot.bytes();
            step.part = {0, slot.rows(), 0, slot.shape.back()};
            step.pieces = producerWarps;
            return slotOp(Kind::Load, gather);
          })
          .Case([&](pipe::PostOp post) {
            tilec::SharedLayout slot = post.getChannel().getType().getSlot().getLayout();
            step.amount = slot.bytes();
            step.part = {0, slot.rows(), 0, slot.shape.back()};
            return slotOp(Kind::Load, post);
          })
          .Case([&](pipe::CommitOp commit) {
            auto channel = commit.getChannel().getDefiningOp<pipe::ChannelOp>();
            step.pieces = channel && channel.getPosted() ? 1 : producerWarps;
            return slotOp(Kind::Commit, commit);
          })
          .Case<sm::FenceProxyOp>([&](auto) { return step.kind = Kind::Fence, true; })
          .Case([&](pipe::ReleaseOp release) { return slotOp(Kind::Release, release); })
          .Case([&](pipe::WaitOp wait) {
            step.result = var(wait.getSlot());
            return slotOp(Kind::Wait, wait);
          })
          .Case([&](pipe::AdvanceOp advance) {
            step.result = var(advance.getResult());
            return slotOp(Kind::Advance, advance);
          })
          .Case([&](pipe::CursorOp cursor) {
            step.kind = Kind::Start;
            step.result = var(cursor.getResult());
            return true;
          })
          .Case<pipe::RoleBarrierOp>([&](auto) { return step.kind = Kind::RoleBarrier, true; })
          .Case<pipe::TurnWaitOp>([&](auto) { return step.kind = Kind::TurnWait, true; })
          .Case<pipe::TurnPassOp>([&](auto) { return step.kind = Kind::TurnPass, true; })
          .Default([&](Operation *other) {
            step.kind = Kind::CtaBarrier;
            return other->getName().getStringRef() == "sm.barrier";
          });
  if (known)
    out.push_back(std::move(step));
  return known;
}

bool Extractor::visitProduct(Operation *op, Step step, std::vector<Step> &out) {
  if (auto mma = dyn_cast<pipe::MmaOp>(op)) {
    step.kind = Kind::Issue;
    step.result = var(mma.getResult());
    for (Value operand : {Value(mma.getA()), Value(mma.getB())})
      if (isSlot(operand))
        step.slots.push_back(var(operand));
    if (isa<RankedTensorType>(mma.getA().getType()))
      step.registers = var(mma.getA());
    if (isa<pipe::InflightType>(mma.getAcc().getType()))
      step.product = var(mma.getAcc());
  } else if (auto wait = dyn_cast<pipe::MmaWaitOp>(op)) {
    step.kind = Kind::Collect;
    step.product = var(wait.getInflight());
    step.amount = wait.getPending();
  } else if (auto drain = dyn_cast<pipe::MmaDrainOp>(op)) {
    step.kind = Kind::Drain;
    step.amount = drain.getPending();
  } else {
    return false;
  }
  out.push_back(std::move(step));
  return true;
}

/// A product that is waited for on the spot waits for all others too.
void Extractor::visitReads(Operation *op, Step step, std::vector<Step> &out) {
  bool product = isa<tile::GemmOp>(op);
  for (Value operand : op->getOperands())
    if (isSlot(operand))
      step.slots.push_back(var(operand));
  if (!step.slots.empty()) {
    step.kind = Kind::Read;
    step.byThreads = !product;
    out.push_back(step);
  }
  if (product) {
    Step drain;
    drain.kind = Kind::Drain;
    drain.source = step.source;
    out.push_back(drain);
  }
}

/// Register operands that a loop carries get their next value at the end of a trip: a wait ties
/// what its product reads, so until then the next value stands in other registers.
void Extractor::visitRewrites(scf::ForOp loop, std::vector<Step> &out) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (auto [argument, next] : llvm::zip(loop.getRegionIterArgs(), yield.getOperands())) {
    bool isOperand = llvm::any_of(argument.getUsers(), [&, argument = argument](Operation *user) {
      auto mma = dyn_cast<pipe::MmaOp>(user);
      return mma && mma.getA() == argument;
    });
    Operation *definition = next.getDefiningOp();
    if (!isOperand || !definition || !loop->isProperAncestor(definition))
      continue;
    Step step;
    step.kind = Kind::Rewrite;
    step.source = result.sources.size();
    result.sources.push_back(definition);
    step.registers = var(argument);
    out.push_back(std::move(step));
  }
}

static bool onlyReads(const std::vector<Step> &steps) {
  return llvm::all_of(steps, [](const Step &step) { return step.kind == Kind::Read; });
}

static void append(std::vector<Step> &out, std::vector<Step> &more) {
  out.insert(out.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// The channel of the numbers that the loop follows; none where items come in fixed turns.
static Value sourceOfItems(scf::ForOp loop) {
  auto all = loop.getOps<pipe::GoToItemOp>();
  if (all.empty())
    return {};
  Value item = (*all.begin()).getItem();
  for (auto post : loop.getOps<pipe::PostOp>())
    if (post.getValue() == item)
      return post.getChannel();
  auto load = item.getDefiningOp<tile::LoadScalarOp>();
  auto wait = load ? load.getSource().getDefiningOp<pipe::WaitOp>() : pipe::WaitOp();
  return wait ? wait.getChannel() : item;
}

/// A role's loop over work items: what it does for one, from the start. Each item begins as the
/// first one does, because the one before ends with empty rings and hands over what is behind its
/// last uses.
void Extractor::visitItem(scf::ForOp loop, std::vector<Step> &out) {
  for (auto [argument, next] : llvm::zip(loop.getRegionIterArgs(), loop.getYieldedValues())) {
    if (!isTracked(argument))
      continue;
    Step start;
    if (auto handOver = next.getDefiningOp<pipe::HandOverOp>())
      start.cursor = var(handOver.getCursor());
    start.kind = Kind::Start;
    start.source = result.sources.size();
    result.sources.push_back(loop);
    start.result = var(argument);
    out.push_back(std::move(start));
  }
  visitBlock(*loop.getBody(), out);
  itemsFrom.push_back(sourceOfItems(loop));
  for (Value next : loop.getBody()->getTerminator()->getOperands())
    if (isTracked(next) && !next.getDefiningOp<pipe::HandOverOp>()) {
      loop.emitOpError(
          "expected each work item to go on where 'pipe.hand_over' of the one before says");
      failed = true;
      return;
    }
}

void Extractor::visitHandOver(pipe::HandOverOp op, std::vector<Step> &out) {
  for (Value channel : op.getChannels()) {
    Step step;
    step.kind = Kind::HandOver;
    step.source = result.sources.size();
    result.sources.push_back(op);
    step.channel = channels.lookup(channel);
    step.cursor = var(op.getCursor());
    out.push_back(std::move(step));
  }
}

void Extractor::visitLoop(scf::ForOp loop, std::vector<Step> &out) {
  Step step;
  step.kind = Kind::Loop;
  step.source = result.sources.size();
  result.sources.push_back(loop);
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  for (unsigned i = 0; i < loop.getNumRegionIterArgs(); ++i) {
    Value argument = loop.getRegionIterArgs()[i];
    if (isTracked(argument))
      step.carried.push_back({var(loop.getInitArgs()[i]), var(argument), var(yield.getOperand(i)),
                              var(loop.getResult(i))});
  }
  visitBlock(*loop.getBody(), step.body);
  visitRewrites(loop, step.body);
  if (step.carried.empty() && onlyReads(step.body))
    return append(out, step.body);
  step.trips = symbols.trips(loop);
  out.push_back(std::move(step));
}

Condition Extractor::conditionOf(Value condition) {
  Condition result;
  if (std::optional<Trips> trips = symbols.someTrips(condition)) {
    result.kind = Condition::Kind::SomeTrips;
    result.trips = *trips;
  } else if (Value known = symbols.inBothRoles(condition);
             known != condition || !roles->isAncestor(condition.getParentBlock()->getParentOp())) {
    result.kind = Condition::Kind::Guard;
    result.guard = guards.try_emplace(known, guards.size()).first->second;
  }
  return result;
}

void Extractor::visitBranch(scf::IfOp branch, std::vector<Step> &out) {
  Step step;
  step.kind = Kind::If;
  step.source = result.sources.size();
  result.sources.push_back(branch);
  for (Value value : branch.getResults())
    if (unsigned i = cast<OpResult>(value).getResultNumber(); isTracked(value))
      step.carried.push_back({var(branch.thenYield().getOperand(i)), 0,
                              var(branch.elseYield().getOperand(i)), var(value)});
  visitBlock(*branch.thenBlock(), step.body);
  if (branch.elseBlock())
    visitBlock(*branch.elseBlock(), step.otherwise);
  if (step.carried.empty() && onlyReads(step.body) && onlyReads(step.otherwise)) {
    append(out, step.body);
    return append(out, step.otherwise);
  }
  step.condition = conditionOf(branch.getCondition());
  out.push_back(std::move(step));
}

void Extractor::visit(Operation *op, std::vector<Step> &out) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return isItemLoop(loop) ? visitItem(loop, out) : visitLoop(loop, out);
  if (auto handOver = dyn_cast<pipe::HandOverOp>(op))
    return visitHandOver(handOver, out);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch, out);
  Step step;
  step.source = result.sources.size();
  result.sources.push_back(op);
  if (visitRole(op, step, out) || visitProduct(op, step, out))
    return;
  visitReads(op, step, out);
}

void Extractor::visitBlock(Block &block, std::vector<Step> &out) {
  for (Operation &op : block) { // a role's block has no terminator
    if (op.hasTrait<OpTrait::IsTerminator>())
      break;
    visit(&op, out);
  }
}

FailureOr<Extraction> Extractor::run() {
  auto warps = kernel->getAttrOfType<IntegerAttr>(tile::TileDialect::numWarpsAttrName);
  result.program.groups = warps ? std::max<int64_t>(1, warps.getInt() / kGroupWarps) : 1;
  roles.walk([&](scf::ForOp loop) {
    if (!isItemLoop(loop))
      symbols.add(loop);
  });
  for (Operation &op : kernel.getBody().front()) {
    if (auto channel = dyn_cast<pipe::ChannelOp>(op))
      addChannel(channel);
    if (isa<pipe::CursorOp>(op)) { // each role starts from it
      visit(&op, result.program.producer);
      visit(&op, result.program.consumer);
    }
  }
  nameChannels(kernel, roles, channels, result.program.channels);
  visitBlock(roles.getProducer().front(), result.program.producer);
  visitBlock(roles.getConsumer().front(), result.program.consumer);
  if (!llvm::all_equal(itemsFrom)) {
    roles.emitOpError(
        "expected both roles to go on with the work item whose number the producer posts");
    failed = true;
  }
  result.program.symbols = symbols.count();
  result.program.guards = guards.size();
  if (failed)
    return failure();
  return std::move(result);
}

FailureOr<std::optional<Extraction>> tilec::protocol::extract(tile::KernelOp kernel) {
  auto roles = kernel.getBody().front().getOps<pipe::SpecializeOp>();
  if (roles.empty())
    return std::optional<Extraction>();
  FailureOr<Extraction> result = Extractor(kernel, *roles.begin()).run();
  if (failed(result))
    return failure();
  return std::optional<Extraction>(std::move(*result));
}
