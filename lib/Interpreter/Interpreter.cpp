//===- Interpreter.cpp - runs kernels in sm on the CPU --------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "tilec/Interpreter/Interpreter.h"

#include "Assembler.h"
#include "Cta.h"

using namespace mlir;
using namespace tilec;

FailureOr<SMProgram> SMProgram::create(func::FuncOp kernel) {
  auto program = std::make_shared<interp::Program>();
  if (failed(interp::Assembler(*program).assemble(kernel)))
    return failure();
  SMProgram result;
  result.program = std::move(program);
  return result;
}

/// Turns of a CTA while others stand still are at most 2 to this power: some CTAs are as fast as
/// the others, and some run through several work items before another one ends its first.
static constexpr uint64_t longestRun = 14;

/// True if the CTA is done.
static bool runFor(interp::Cta &cta, uint64_t turns) {
  for (; turns > 0 && !cta.isDone(); --turns)
    cta.turn();
  return cta.isDone();
}

LogicalResult SMProgram::run(const SMLaunch &launch, int64_t begin, int64_t end) const {
  size_t maps = llvm::count(program->isMap, true), words = program->isMap.size() - maps;
  if (launch.words.size() != words || launch.maps.size() != maps)
    return emitError(program->code.back().op->getLoc())
           << "expected " << words << " argument words and " << maps << " tensor maps, found "
           << launch.words.size() << " and " << launch.maps.size();
  std::mt19937_64 random(~launch.seed);
  std::vector<std::unique_ptr<interp::Cta>> running;
  for (int64_t next = begin; next < end || !running.empty();) {
    if (next < end && running.size() < static_cast<size_t>(launch.concurrent)) {
      running.push_back(std::make_unique<interp::Cta>(*program, launch, next++));
      continue;
    }
    size_t chosen = random() % running.size();
    if (!runFor(*running[chosen], uint64_t(1) << random() % longestRun))
      continue;
    if (failed(running[chosen]->end()))
      return failure();
    running.erase(running.begin() + static_cast<ptrdiff_t>(chosen));
  }
  return success();
}
