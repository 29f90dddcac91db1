//===- PrintSchedule.cpp - a schedule as text ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Steady.h"

#include "tilec/Conversion/PipeToSM.h"
#include "tilec/Protocol/Picture.h"

#include "llvm/Support/Format.h"

using namespace mlir;
using namespace tilec;
using Kind = Item::Kind;

static std::string textOf(const Item &item) {
  std::string product = "product " + std::to_string(item.product);
  auto groups = [&] {
    return item.pending == 0 ? std::string()
                             : ", " + std::to_string(item.pending) + " younger may go on";
  };
  switch (item.kind) {
  case Kind::Acquire:
    return "acquire  " + item.text;
  case Kind::Load:
    return (item.byThreads ? "gather   " : "load     ") + item.text + ", " +
           std::to_string(item.bytes) + " bytes" + (item.part.empty() ? "" : " into " + item.part);
  case Kind::Wait:
    return "wait     " + item.text;
  case Kind::Release:
    return "release  " + item.text;
  case Kind::Issue:
    return "issue    " + product + ": " + item.text;
  case Kind::Finish:
    return "finish   " + product + groups();
  case Kind::Drain:
    return "finish   all but the " + std::to_string(item.pending) + " youngest products";
  case Kind::Work:
    return "compute  " + item.text;
  case Kind::TurnWait:
    return "turn     wait for it";
  case Kind::TurnPass:
    return "turn     pass it on";
  case Kind::Meet:
    return "meet     the other warpgroups";
  }
  return "";
}

static void printItems(llvm::raw_ostream &os, const std::vector<Item> &items) {
  for (const Item &item : items) {
    std::string cycles = item.cycles ? std::to_string(item.cycles) : "";
    os << llvm::format("  %7s  ", cycles.c_str()) << textOf(item) << "\n";
  }
}

static void printSharedMap(llvm::raw_ostream &os, tile::KernelOp kernel, const Overview &overview) {
  os << "\n   offset     bytes  shared memory\n";
  auto line = [&](int64_t offset, int64_t bytes, const Twine &what) {
    os << llvm::format("%9lld %9lld  ", static_cast<long long>(offset),
                       static_cast<long long>(bytes))
       << what << "\n";
  };
  for (auto [channel, op] : llvm::zip(overview.channels, overview.channelOps)) {
    line(pipe::ChannelOp(op).getOffset().value_or(0), channel.stages * channel.slotBytes,
         Twine(channel.name) + ", " + Twine(channel.stages) +
             (channel.stages == 1 ? " slot of " : " slots of ") + Twine(channel.slotBytes));
    line(pipe::ChannelOp(op).getBarriers().value_or(0), 16 * channel.stages,
         Twine(channel.name) + ", barriers");
  }
  kernel.walk([&](tile::AllocSharedOp alloc) {
    line(alloc.getOffset().value_or(0), alloc.getType().getLayout().bytes(),
         Twine("tile of ") + lineOf(alloc));
  });
}

void tilec::printSchedule(llvm::raw_ostream &os, tile::KernelOp kernel) {
  Overview overview = overviewOf(kernel);
  RoleRegisters registers = roleRegisters(overview.groups, overview.ctasPerSM, overview.producer);
  os << "path       scheduled\n"
     << (overview.producer.threadsCopy ? "roles      1 producer warpgroup, "
                                       : "roles      1 producer thread (of a warpgroup), ")
     << overview.groups
     << (overview.groups == 1 ? " consumer warpgroup, " : " consumer warpgroups, ")
     << overview.ctasPerSM << (overview.ctasPerSM == 1 ? " CTA per SM\n" : " CTAs per SM\n")
     << "registers  " << registers.entry << " at the start; producer " << registers.producer
     << ", consumers " << registers.consumer << "\n";
  for (const protocol::Channel &channel : overview.channels)
    os << "ring       " << channel.name << ": " << channel.stages
       << (channel.stages == 1 ? " slot" : " slots")
       << (channel.threadCopies ? ", filled by " + std::to_string(channel.fillArrivals) +
                                      (channel.fillArrivals == 1 ? " thread" : " threads")
                                : "")
       << ", released by "
       << (channel.threadReaders ? "each warp (threads read it)" : "each warpgroup") << "\n";
  printSharedMap(os, kernel, overview);
  for (const Steady &steady : overview.loops) {
    os << "\none iteration i of the loop at " << lineOf(steady.loop)
       << "; cycles are estimates, of a warpgroup by itself\n";
    if (!steady.producer.empty()) {
      os << "producer\n";
      printItems(os, steady.producer);
    }
    os << (overview.groups == 1 ? "consumer\n" : "each consumer warpgroup\n");
    printItems(os, steady.consumer);
  }
}
