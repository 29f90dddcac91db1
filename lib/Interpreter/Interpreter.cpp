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

LogicalResult SMProgram::run(const SMLaunch &launch, int64_t begin, int64_t end) const {
  size_t maps = llvm::count(program->isMap, true), words = program->isMap.size() - maps;
  if (launch.words.size() != words || launch.maps.size() != maps)
    return emitError(program->code.back().op->getLoc())
           << "expected " << words << " argument words and " << maps << " tensor maps, found "
           << launch.words.size() << " and " << launch.maps.size();
  for (int64_t cta = begin; cta < end; ++cta)
    if (failed(interp::Cta(*program, launch, cta).run()))
      return failure();
  return success();
}
