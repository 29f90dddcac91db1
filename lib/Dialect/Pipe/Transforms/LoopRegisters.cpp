//===- LoopRegisters.cpp - what a loop's tiles take of a thread ---------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "LoopRegisters.h"

using namespace mlir;
using namespace tilec;

int64_t tilec::registerBudget(int64_t warpgroups) { return warpgroups < 3 ? 208 : 128; }

int64_t tilec::registersOf(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  int64_t elements = cast<tile::FragAttr>(type.getEncoding()).getLayout().numRegs();
  return elements * type.getElementTypeBitWidth() / 32;
}

int64_t tilec::estimateRegisters(scf::ForOp loop) {
  int64_t registers = 0;
  for (auto gemm : loop.getOps<tile::GemmOp>()) {
    registers += registersOf(gemm.getResult());
    if (gemm->hasAttr(lateAttrName) && isa<RankedTensorType>(gemm.getA().getType()))
      registers += registersOf(gemm.getA());
  }
  return registers;
}
