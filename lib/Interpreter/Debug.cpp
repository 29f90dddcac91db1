//===- Debug.cpp - printing and traps -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Cta.h"
#include "Values.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include <cstdio>

using namespace mlir;
using namespace tilec::interp;

/// printf of one value; `place` is "%d", "%lld" or "%.9g".
static std::string format(const std::string &place, Warp &warp, const Place &value, uint32_t lane) {
  char text[64];
  uint64_t bits = readWord(warp, value.offset, value.wordBytes(), lane);
  if (value.kind == Kind::F32)
    std::snprintf(text, sizeof(text), place.c_str(),
                  static_cast<double>(llvm::bit_cast<float>(static_cast<uint32_t>(bits))));
  else if (value.kind == Kind::I64)
    std::snprintf(text, sizeof(text), place.c_str(), static_cast<long long>(bits));
  else
    std::snprintf(text, sizeof(text), place.c_str(), static_cast<int>(bits));
  return text;
}

static std::string lineOf(StringRef rest, Warp &warp, ArrayRef<Place> values, uint32_t lane) {
  std::string line;
  while (!rest.empty()) {
    line += rest.take_until([](char c) { return c == '%'; });
    rest = rest.drop_until([](char c) { return c == '%'; });
    if (rest.consume_front("%%")) {
      line += '%';
      continue;
    }
    size_t length = rest.find_first_of("dg");
    if (length == StringRef::npos || values.empty())
      break;
    line += format(rest.take_front(length + 1).str(), warp, values.front(), lane);
    values = values.drop_front();
    rest = rest.drop_front(length + 1);
  }
  return line;
}

/// `target` is the list of values.
static Outcome runPrint(Warp &warp, const Instr &instr) {
  StringRef text = cast<sm::PrintOp>(instr.op).getFormat();
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (warp.isActive(lane)) {
      std::string line = lineOf(text, warp, warp.cta.program.lists[instr.target], lane);
      std::fwrite(line.data(), 1, line.size(), stdout);
    }
  return Outcome::next;
}

static Outcome runTrap(Warp &warp, const Instr &instr) {
  warp.cta.report(instr.op) << cast<sm::TrapOp>(instr.op).getMessage();
  return Outcome::failed;
}

bool tilec::interp::assembleDebug(Assembler &assembler, Operation *op) {
  if (auto print = dyn_cast<sm::PrintOp>(op)) {
    uint32_t list = assembler.addList(print.getValues());
    assembler.emitAt(op, runPrint).target = list;
    return true;
  }
  if (isa<sm::TrapOp>(op))
    return assembler.emitAt(op, runTrap), true;
  return false;
}
