//===- Steady.cpp - one steady-state iteration, with estimated cycles -------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Steady.h"

#include "tilec/Protocol/Extract.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilec;
using Kind = Item::Kind;

// Per cycle of an SM: multiply-adds of 16-bit operands; lanes of ordinary instructions; results of
// the special-function units; conversions.
static constexpr int64_t kMacs = 2048, kLanes = 128, kSpecial = 16, kConversions = 64;

std::string tilec::lineOf(Operation *op) {
  auto location = op->getLoc()->findInstanceOf<FileLineColLoc>();
  if (!location)
    return "-"; // made by the compiler
  return (location.getFilename().getValue() + ":" + Twine(location.getLine())).str();
}

namespace {
/// Reads one loop of a role.
class Reader {
public:
  Reader(const Overview &overview, scf::ForOp loop) : overview(overview), loop(loop) {}
  std::vector<Item> run();

private:
  void visit(Operation &op);
  void issue(pipe::MmaOp op);
  void work(Operation &op);
  int64_t offsetOf(Value cursor);
  unsigned numberOf(Value channel) const;
  std::string nameOf(Value operand);
  std::string slotName(const Item &item) const {
    return overview.channels[item.channel].name + (item.offset ? "[i-1]" : "[i]");
  }
  template <typename Op> void slot(Kind kind, Op op) {
    Item item{kind, numberOf(op.getChannel()), offsetOf(op.getCursor())};
    item.text = slotName(item);
    items.push_back(std::move(item));
  }

  const Overview &overview;
  scf::ForOp loop;
  std::vector<Item> items;
  DenseMap<Value, int64_t> products;
};
} // namespace

/// A carried cursor whose next value is another one is that one's value of the iteration before.
int64_t Reader::offsetOf(Value cursor) {
  auto argument = dyn_cast<BlockArgument>(cursor);
  if (!argument || argument.getOwner() != loop.getBody())
    return 0;
  Value next = loop.getBody()->getTerminator()->getOperand(argument.getArgNumber() - 1);
  return isa<BlockArgument>(next) && next != cursor ? offsetOf(next) - 1 : 0;
}

unsigned Reader::numberOf(Value channel) const {
  for (auto [number, op] : llvm::enumerate(overview.channelOps))
    if (pipe::ChannelOp(op).getResult() == channel)
      return number;
  return 0;
}

std::string Reader::nameOf(Value operand) {
  if (isa<RankedTensorType>(operand.getType()))
    return "registers";
  if (auto wait = operand.getDefiningOp<pipe::WaitOp>()) {
    bool here = wait->getParentOp() == loop;
    return overview.channels[numberOf(wait.getChannel())].name + (!here ? ""
                                                                  : offsetOf(wait.getCursor())
                                                                      ? "[i-1]"
                                                                      : "[i]");
  }
  return isa<BlockArgument>(operand) ? "a slot of the iteration before" : "shared memory";
}

void Reader::issue(pipe::MmaOp op) {
  Item item{Kind::Issue};
  item.product = products.size() + 1;
  products[op.getResult()] = item.product;
  auto shape = op.getResult().getType().getTensor().getShape();
  auto a = cast<ShapedType>(
      isa<RankedTensorType>(op.getA().getType())
          ? op.getA().getType()
          : RankedTensorType::get(cast<tile::SharedType>(op.getA().getType()).getShape(),
                                  cast<tile::SharedType>(op.getA().getType()).getElementType()));
  int64_t k = a.getShape()[op.getTransposeA() ? a.getRank() - 2 : a.getRank() - 1];
  int64_t rate = kMacs * 16 / a.getElementTypeBitWidth();
  item.cycles = shape[0] / overview.groups * shape[1] * k / rate;
  item.text = nameOf(op.getA()) + " x " + nameOf(op.getB());
  items.push_back(std::move(item));
}

/// Consecutive elementwise operations are one item; masks count for nothing, most tiles have none.
void Reader::work(Operation &op) {
  Value shaped;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op.getOperands()),
                                         SmallVector<Value>(op.getResults())))
    if (auto type = dyn_cast<RankedTensorType>(value.getType()))
      if (!shaped ||
          type.getNumElements() > cast<RankedTensorType>(shaped.getType()).getNumElements())
        shaped = value;
  if (!shaped || isa<tile::BroadcastOp, tile::IotaOp, arith::ConstantOp>(op))
    return;
  int64_t rate = isa<math::MathDialect>(op.getDialect())  ? kSpecial
                 : isa<arith::TruncFOp, tile::CastOp>(op) ? kConversions
                                                          : kLanes;
  int64_t elements = cast<RankedTensorType>(shaped.getType()).getNumElements() / overview.groups;
  if (items.empty() || items.back().kind != Kind::Work)
    items.push_back(Item{Kind::Work});
  items.back().cycles += isa<scf::IfOp>(op) ? 0 : elements / rate;
  std::string name = isa<scf::IfOp>(op) ? "mask" : op.getName().stripDialect().str();
  if (!StringRef(items.back().text).contains(name))
    items.back().text += (items.back().text.empty() ? "" : " ") + name;
}

/// "rows 64 to 127".
static std::string partText(const TilePart &part, tile::SharedType slot) {
  std::string text =
      "rows " + std::to_string(part.row) + " to " + std::to_string(part.endRow() - 1);
  if (part.columns < slot.getShape().back())
    text +=
        ", columns " + std::to_string(part.column) + " to " + std::to_string(part.endColumn() - 1);
  return text;
}

void Reader::visit(Operation &op) {
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](pipe::AcquireOp acquire) { slot(Kind::Acquire, acquire); })
      .Case([&](pipe::LoadOp load) {
        slot(Kind::Load, load);
        tilec::TilePart part = load.getPart();
        const protocol::Channel &channel = overview.channels[items.back().channel];
        items.back().bytes = channel.slotBytes * part.elements() / channel.slotElements;
        items.back().cycles = items.back().bytes / kCopyBytesPerCycle;
        if (part.elements() < channel.slotElements)
          items.back().part = partText(part, load.getChannel().getType().getSlot());
      })
      .Case([&](pipe::GatherOp gather) {
        slot(Kind::Load, gather);
        items.back().byThreads = true;
        items.back().bytes = overview.channels[items.back().channel].slotBytes;
        items.back().cycles = items.back().bytes / kCopyBytesPerCycle;
      })
      .Case([&](pipe::WaitOp wait) { slot(Kind::Wait, wait); })
      .Case([&](pipe::ReleaseOp release) { slot(Kind::Release, release); })
      .Case([&](pipe::MmaOp mma) { issue(mma); })
      .Case([&](pipe::MmaWaitOp wait) {
        Item item{Kind::Finish};
        item.product = products.lookup(wait.getInflight());
        item.pending = wait.getPending();
        items.push_back(item);
      })
      .Case([&](pipe::MmaDrainOp drain) {
        Item item{Kind::Drain};
        item.pending = drain.getPending();
        items.push_back(item);
      })
      .Case<pipe::TurnWaitOp>([&](auto) { items.push_back(Item{Kind::TurnWait}); })
      .Case<pipe::TurnPassOp>([&](auto) { items.push_back(Item{Kind::TurnPass}); })
      .Case<pipe::RoleBarrierOp>([&](auto) { items.push_back(Item{Kind::Meet}); })
      .Case<pipe::AdvanceOp, pipe::CommitOp, pipe::OrderOp>([](auto) {})
      .Default([&](Operation *) { work(op); });
}

std::vector<Item> Reader::run() {
  for (Operation &op : loop.getBody()->without_terminator())
    visit(op);
  return std::move(items);
}

static bool uses(const std::vector<Item> &items, unsigned channel) {
  return llvm::any_of(items, [&](const Item &item) {
    return item.kind <= Kind::Release && item.channel == channel;
  });
}

static unsigned firstChannel(const std::vector<Item> &items) {
  auto found = llvm::find_if(items, [](const Item &item) { return item.kind <= Kind::Release; });
  return found == items.end() ? 0 : found->channel;
}

Overview tilec::overviewOf(tile::KernelOp kernel) {
  Overview result;
  auto extraction = protocol::extract(kernel);
  if (failed(extraction) || !*extraction)
    return result;
  result.channels = (*extraction)->program.channels;
  result.groups = (*extraction)->program.groups;
  if (auto ctas = kernel->getAttrOfType<IntegerAttr>("tile.ctas_per_sm"))
    result.ctasPerSM = ctas.getInt();
  for (auto channel : kernel.getBody().front().getOps<pipe::ChannelOp>()) {
    result.channelOps.push_back(channel);
    result.producer.threadsCopy |= channel.getCopiers().has_value();
  }
  auto roles = *kernel.getBody().front().getOps<pipe::SpecializeOp>().begin();
  std::vector<std::vector<Item>> feeders;
  auto isItemLoop = [](scf::ForOp loop) {
    return loop->hasAttr(tile::TileDialect::tileLoopAttrName);
  };
  roles.getProducer().walk([&](scf::ForOp loop) {
    result.producer.hasItems |= isItemLoop(loop);
    result.producer.loops += !isItemLoop(loop);
    bool fills = !loop.getOps<pipe::LoadOp>().empty() || !loop.getOps<pipe::GatherOp>().empty();
    if (fills && !isItemLoop(loop))
      feeders.push_back(Reader(result, loop).run());
  });
  roles.getConsumer().walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
    if (loop.getOps<pipe::WaitOp>().empty() || isItemLoop(loop))
      return;
    Steady steady{loop, {}, Reader(result, loop).run()};
    size_t fromHere = std::min(result.loops.size(), feeders.size() - 1);
    if (!feeders.empty() && uses(steady.consumer, firstChannel(feeders[fromHere])))
      steady.producer = feeders[fromHere];
    result.loops.push_back(std::move(steady));
  });
  return result;
}
