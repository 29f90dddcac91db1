//===- Counter.h - the walk that counts one role -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#ifndef TILEC_LIB_PROTOCOL_COUNTER_H
#define TILEC_LIB_PROTOCOL_COUNTER_H

#include "Counts.h"

#include <set>

namespace tilec::protocol {

/// Where a cursor stands.
struct Place {
  Affine position;
  int64_t ring = 0; // stages of the ring that it went round; 0 before the first advance
};
/// A slot that was waited for.
struct Slot {
  unsigned channel;
  Affine position;
  bool visible = true; // to products: no fence is missing
};
/// A product in flight.
struct Group {
  unsigned id;
  std::vector<Slot> reads;
  Var registers;
};
/// What is known between two steps.
struct State {
  std::vector<Affine> begun, ended; // per channel: acquired or waited for; committed or released
  std::vector<int64_t> announced, arrived;   // bytes of the slot that is open
  std::vector<std::vector<TilePart>> filled; // parts of it
  std::vector<Group> flying;                 // oldest first
  std::map<Var, Place> cursors;
  std::map<Var, Slot> slots;
  std::map<Var, unsigned> products;
  /// By a wait for this product: register operands, its own and its accumulator's.
  std::map<unsigned, std::vector<Var>> tied;
  std::multiset<Var> untied; // register operands of products that nothing has waited for by name
  bool turn = false;
};

/// Walks the steps of one role: Counts.cpp visits a step, CountLoops.cpp a loop and
/// CountBranches.cpp a branch.
class Counter {
public:
  Counter(const Program &program, bool producer, unsigned &nextSymbol, std::vector<Fault> &faults)
      : program(program), producer(producer), nextSymbol(nextSymbol), faults(faults),
        atLeast(program.symbols, 0), isZero(program.symbols, false) {}
  RoleCounts run();

private:
  void walk(const std::vector<Step> &steps) {
    for (const Step &step : steps)
      visit(step);
  }
  void visit(const Step &step);
  void begin(const Step &step);
  void end(const Step &step);
  void load(const Step &step);
  void checkFilled(const Step &step);
  void read(const Step &step);
  void issue(const Step &step);
  void collect(const Step &step);
  void retire(size_t youngest);
  void rewrite(const Step &step);
  void turn(const Step &step);
  void fence();
  void loop(const Step &step);
  void branch(const Step &step);
  State walkBranch(const Step &step, bool first);
  void merge(const Step &step, const State &first, const State &second);
  std::optional<Affine> mergeCount(const Condition &condition, const Affine &first,
                                   const Affine &second);
  std::optional<bool> decided(const Condition &condition) const;
  void shift(State &to, const State &from, const State &probe, const Step &loop, const Affine &by);
  bool sameShape(const Step &step, const State &start, const State &probe);
  bool reached(const Step &step, const State &expected);
  std::optional<Affine> tripsOf(const Trips &trips) const;
  const Place *cursorAt(const Step &step);

  const Channel &channelOf(const Step &step) { return program.channels[step.channel]; }
  void fault(const Step &step, const std::string &message) {
    if (silent == 0)
      faults.push_back({step.source, message});
  }
  void channelFault(const Step &step, const std::string &message) {
    fault(step, "channel '" + channelOf(step).name + "': " + message);
  }

  const Program &program;
  bool producer;
  unsigned &nextSymbol;
  std::vector<Fault> &faults;
  State state;
  RoleCounts result;
  unsigned silent = 0, nextGroup = 0;
  std::vector<int64_t> atLeast; // what branches say about trip symbols
  std::vector<bool> isZero;
  std::map<unsigned, bool> guards;
};

} // namespace tilec::protocol

#endif // TILEC_LIB_PROTOCOL_COUNTER_H
