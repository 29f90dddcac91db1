//===- Timeline.cpp - when what happens, by a simple simulation -------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Timeline.h"

using namespace tilec;
using Kind = Item::Kind;

static constexpr int64_t kIterations = 10, kFirstShown = 6, kShown = 3;

namespace {
/// Times of one use of a slot.
struct Use {
  int64_t issued = 0, landed = 0, firstRead = -1, released = 0, releases = 0;
};

class Simulation {
public:
  Simulation(const Overview &overview, const Steady &steady)
      : overview(overview), steady(steady), uses(overview.channels.size()),
        clock(overview.groups, 0), passed(overview.groups, 0), flying(overview.groups) {
    for (auto &channel : uses)
      channel.resize(kIterations + 1);
    result.lanes.push_back("copies");
    for (const protocol::Channel &channel : overview.channels)
      for (int64_t stage = 0; stage < channel.stages; ++stage) {
        if (stage == 0)
          firstLane.push_back(result.lanes.size());
        result.lanes.push_back(channel.name + "[" + std::to_string(stage) + "]");
      }
    tensorLane = result.lanes.size();
    result.lanes.push_back("tensor cores");
    for (int64_t group = 0; group < overview.groups; ++group)
      result.lanes.push_back("warpgroup " + std::to_string(group));
  }
  Timeline run();

private:
  struct Flight {
    int64_t product, end;
  };
  void produce(int64_t iteration);
  void consume(int64_t group, int64_t iteration);
  void visit(const Item &item, int64_t group, int64_t iteration);
  void finishUntil(int64_t group, size_t left, int64_t iteration);
  void waitFor(int64_t group, int64_t time, int64_t iteration);
  /// Use 0 stands for what was there before the first iteration.
  Use &useOf(const Item &item, int64_t iteration) {
    return uses[item.channel][iteration + item.offset + 1];
  }
  void bar(Bar::Kind kind, unsigned lane, int64_t begin, int64_t end, int64_t iteration,
           std::string text = "") {
    if (end > begin)
      result.bars.push_back({kind, lane, begin, end, iteration, std::move(text)});
  }
  void drawSlots();

  const Overview &overview;
  const Steady &steady;
  std::vector<std::vector<Use>> uses;
  std::vector<unsigned> firstLane;
  unsigned tensorLane = 0;
  std::vector<int64_t> clock, passed;
  std::vector<std::vector<Flight>> flying;
  std::vector<int64_t> starts;
  int64_t producer = 0, copyFree = 0, tensorFree = 0;
  Timeline result;
};
} // namespace

void Simulation::produce(int64_t iteration) {
  for (const Item &item : steady.producer) {
    Use &use = useOf(item, iteration);
    int64_t before = iteration + 1 - overview.channels[item.channel].stages;
    if (item.kind == Kind::Acquire && before >= 1)
      producer = std::max(producer, uses[item.channel][before].released);
    if (item.kind != Kind::Load)
      continue;
    int64_t begin = std::max(producer, copyFree);
    copyFree = begin + item.cycles;
    if (use.landed == 0) // the first of several copies into it
      use.issued = begin;
    use.landed = copyFree + kCopyLatency;
    bar(Bar::Kind::Copy, 0, begin, copyFree, iteration, overview.channels[item.channel].name);
  }
}

void Simulation::waitFor(int64_t group, int64_t time, int64_t iteration) {
  bar(Bar::Kind::Waiting, tensorLane + 1 + group, clock[group], time, iteration);
  clock[group] = std::max(clock[group], time);
}

void Simulation::finishUntil(int64_t group, size_t left, int64_t iteration) {
  std::vector<Flight> &mine = flying[group];
  for (; mine.size() > left; mine.erase(mine.begin()))
    waitFor(group, mine.front().end, iteration);
}

void Simulation::visit(const Item &item, int64_t group, int64_t iteration) {
  switch (item.kind) {
  case Kind::Wait: {
    Use &use = useOf(item, iteration);
    waitFor(group, use.landed, iteration);
    if (use.firstRead < 0)
      use.firstRead = clock[group];
    break;
  }
  case Kind::Release: {
    Use &use = useOf(item, iteration);
    use.released = std::max(use.released, clock[group]);
    ++use.releases;
    break;
  }
  case Kind::Issue: {
    int64_t begin = std::max(clock[group], tensorFree);
    tensorFree = begin + item.cycles;
    flying[group].push_back({item.product, tensorFree});
    bar(Bar::Kind::Product, tensorLane, begin, tensorFree, iteration,
        (overview.groups > 1 ? std::to_string(group) + ": " : std::string()) + item.text);
    break;
  }
  case Kind::Finish:
  case Kind::Drain:
    finishUntil(group, item.pending, iteration);
    break;
  case Kind::Work:
    bar(Bar::Kind::Work, tensorLane + 1 + group, clock[group], clock[group] + item.cycles,
        iteration, item.text);
    clock[group] += item.cycles;
    break;
  case Kind::TurnWait:
    waitFor(group, passed[(group + overview.groups - 1) % overview.groups], iteration);
    break;
  case Kind::TurnPass:
    passed[group] = clock[group];
    break;
  case Kind::Acquire:
  case Kind::Load:
  case Kind::Meet:
    break;
  }
}

void Simulation::consume(int64_t group, int64_t iteration) {
  if (group == 0)
    starts.push_back(clock[0]);
  for (const Item &item : steady.consumer)
    visit(item, group, iteration);
}

/// A slot: its copy, the time that it is full and waits, the time until everybody has given it up.
void Simulation::drawSlots() {
  for (size_t channel = 0; channel < uses.size(); ++channel) {
    bool inLoop = llvm::any_of(steady.consumer, [&](const Item &item) {
      return item.kind == Kind::Wait && item.channel == channel;
    });
    if (!inLoop && overview.channels[channel].stages == 1) // loaded once, in front of the loop
      bar(Bar::Kind::Read, firstLane[channel], 0, std::max(copyFree, tensorFree), 0, "held");
    for (int64_t number = 1; number <= kIterations; ++number) {
      const Use &use = uses[channel][number];
      if (use.landed == 0)
        continue;
      int64_t iteration = number - 1;
      unsigned lane = firstLane[channel] + iteration % overview.channels[channel].stages;
      int64_t read = use.firstRead < 0 ? use.landed : std::max(use.firstRead, use.landed);
      bar(Bar::Kind::Copy, lane, use.issued, use.landed, iteration);
      bar(Bar::Kind::Full, lane, use.landed, read, iteration);
      bar(Bar::Kind::Read, lane, read, use.released, iteration, "i=" + std::to_string(iteration));
    }
  }
}

Timeline Simulation::run() {
  for (int64_t iteration = 0; iteration < kIterations; ++iteration) {
    produce(iteration);
    for (int64_t group = 0; group < overview.groups; ++group)
      consume(group, iteration);
  }
  drawSlots();
  result.begin = starts[kFirstShown];
  result.end = starts[kFirstShown + kShown];
  result.period = (result.end - result.begin) / kShown;
  return std::move(result);
}

Timeline tilec::simulate(const Overview &overview, const Steady &steady) {
  return Simulation(overview, steady).run();
}
