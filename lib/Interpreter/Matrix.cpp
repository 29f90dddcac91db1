//===- Matrix.cpp - mma.sync ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Matrix.h"
#include "Assembler.h"
#include "tilec/Dialect/SM/IR/SM.h"

using namespace mlir;
using namespace tilec::interp;

/// A register holds 4 bytes of consecutive k; lane 4 * row + i starts at k byte 4 * i. Registers
/// 0, 1 are rows row and row + 8 of the first 16 bytes of k, 2 and 3 of the others.
void tilec::interp::unpackRows(Warp &warp, uint32_t offset, Kind kind, float *rows) {
  const uint32_t *words = warp.words<uint32_t>(offset);
  uint32_t bytes = storedBytes(kind), perWord = 4 / bytes, k = 32 / bytes;
  for (uint32_t reg = 0; reg < 4; ++reg)
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t row = lane / 4 + 8 * (reg % 2), first = (16 * (reg / 2) + 4 * (lane % 4)) / bytes;
      uint32_t word = words[reg * kLanes + lane];
      for (uint32_t i = 0; i < perWord; ++i)
        rows[row * k + first + i] =
            toFloat(kind, word >> (8 * bytes * i) & static_cast<uint32_t>(maskOf(kind)));
    }
}

/// `imm` holds the kinds of a and, from bit 8, of b: of equal size.
static Outcome runMma(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "multiplies although not all of its lanes are here");
  Kind kindA = static_cast<Kind>(instr.imm & 0xff), kindB = static_cast<Kind>(instr.imm >> 8);
  uint32_t bytes = storedBytes(kindB), k = 32 / bytes;
  float a[16 * 32], b[8 * 32];
  unpackRows(warp, instr.a, kindA, a);
  const uint32_t *words = warp.words<uint32_t>(instr.b);
  for (uint32_t reg = 0; reg < 2; ++reg)
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (uint32_t i = 0; i < 4 / bytes; ++i)
        b[lane / 4 * k + (16 * reg + 4 * (lane % 4)) / bytes + i] =
            toFloat(kindB, words[reg * kLanes + lane] >> (8 * bytes * i) &
                               static_cast<uint32_t>(maskOf(kindB)));
  const float *c = warp.words<float>(instr.c);
  float result[4 * kLanes];
  for (uint32_t reg = 0; reg < 4; ++reg)
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t row = lane / 4 + 8 * (reg / 2), column = 2 * (lane % 4) + reg % 2;
      float sum = c[reg * kLanes + lane];
      for (uint32_t i = 0; i < k; ++i)
        sum += a[row * k + i] * b[column * k + i];
      result[reg * kLanes + lane] = sum;
    }
  std::memcpy(warp.words<float>(instr.dst), result, sizeof result);
  return Outcome::next;
}

bool tilec::interp::assembleMatrix(Assembler &assembler, Operation *op) {
  auto mma = dyn_cast<sm::MmaOp>(op);
  if (!mma)
    return false;
  assembler.emit(op, runMma).imm = static_cast<int64_t>(*kindOf(mma.getType())) |
                                   static_cast<int64_t>(*kindOf(mma.getElementB())) << 8;
  return true;
}
