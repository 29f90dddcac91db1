//===- Wgmma.cpp - matrix products of a warpgroup -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The four warps of a warpgroup meet at each sm.wgmma; the last one computes the product for all.
// It is computed at once: that nobody uses the result or overwrites the operands before the wait is
// what the values' flight and the shadow check.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Matrix.h"
#include "Memory.h"
#include "tilec/Dialect/SM/IR/SM.h"

using namespace mlir;
using namespace tilec::interp;

static constexpr uint32_t groupWarps = 4, warpRows = 16, chunkBytes = 16;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

Descriptor::Descriptor(uint64_t bits)
    : start(static_cast<uint32_t>(bits & 0x3fff) << 4),
      leading(static_cast<uint32_t>(bits >> 16 & 0x3fff) << 4),
      stride(static_cast<uint32_t>(bits >> 32 & 0x3fff) << 4),
      baseOffset(static_cast<uint32_t>(bits >> 49 & 7)) {
  constexpr uint32_t widths[] = {0, 128, 64, 32};
  swizzle = widths[bits >> 62];
}

/// The canonical layouts of the PTX ISA, in core matrices of 8 rows of 16 bytes. Without a swizzle
/// a row of a core matrix is 16 bytes after the one before; with one of W bytes, W bytes, and the
/// hardware xors address bits 7 and up into bits 4 and up.
uint32_t Descriptor::address(bool mnMajor, uint32_t mn, uint32_t k) const {
  uint32_t width = swizzle ? swizzle : chunkBytes, result = start;
  if (mnMajor) {
    uint32_t acrossColumns = swizzle ? leading : stride, acrossRows = swizzle ? stride : leading;
    result += mn % width + mn / width * acrossColumns + k % 8 * width + k / 8 * acrossRows;
  } else {
    result += mn % 8 * width + mn / 8 * stride + k % chunkBytes +
              k / chunkBytes * (swizzle ? chunkBytes : leading);
  }
  if (swizzle)
    result ^= (result >> 7 & (swizzle / chunkBytes - 1)) << 4;
  return result;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

namespace {
/// One execution by a warpgroup.
class Product {
public:
  Product(Warp &last, const Instr &instr)
      : last(last), instr(instr), cta(last.cta), list(cta.program.lists[instr.target]),
        acc(list[0]), a(list[1]), b(list[2]), result(list[3]),
        kindA(static_cast<Kind>(instr.imm & 0xff)),
        kindB(static_cast<Kind>(instr.imm >> 16 & 0xff)), transposeA(instr.imm >> 8 & 1),
        transposeB(instr.imm >> 9 & 1), init(instr.imm >> 10 & 1), registerA(a.kind != Kind::I64),
        n(2 * acc.count), bytes(storedBytes(kindA)), k(32 / bytes) {
    for (uint32_t i = 0; i < groupWarps; ++i)
      warps[i] = cta.warps[groupWarps * last.group + i].get();
  }

  bool run();

private:
  bool checkRegisters();
  bool readDescriptor(const Place &place, uint64_t &bits);
  /// One 16-byte chunk, checked for `warp`.
  bool readChunk(Warp &warp, uint32_t address, Kind kind, float *elements);
  bool readA();
  bool readB();
  void multiply(Warp &warp, const float *rows);

  Warp &last;
  const Instr &instr;
  Cta &cta;
  const std::vector<Place> &list;
  Place acc, a, b, result;
  Kind kindA, kindB; // of equal size
  bool transposeA, transposeB, init, registerA;
  uint32_t n, bytes, k, access = 0;
  Warp *warps[groupWarps];
  float left[groupWarps * warpRows * 32]; // [row][k]
  std::vector<float> right;               // [k][n]
};
} // namespace

/// A chain of products starts after a fence that is later than the last wait, which let other code
/// at the registers, and than the last write to them.
bool Product::checkRegisters() {
  for (Warp *warp : warps) {
    bool starts = init || warp->flight[acc.id] == 0;
    if (starts && warp->waited >= warp->fenced) {
      warp->fail(instr, "starts a product with no sm.wgmma_fence since the last sm.wgmma_wait");
      return false;
    }
    if (starts && !init && warp->written[acc.id] > warp->fenced) {
      warp->fail(instr, "accumulates into registers written after the last sm.wgmma_fence");
      return false;
    }
    if (registerA && warp->written[a.id] > warp->fenced) {
      warp->fail(instr, "reads registers written after the last sm.wgmma_fence");
      return false;
    }
  }
  return true;
}

bool Product::readDescriptor(const Place &place, uint64_t &bits) {
  bits = warps[0]->words<uint64_t>(place.offset)[0];
  for (Warp *warp : warps)
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      if (warp->words<uint64_t>(place.offset)[lane] != bits) {
        warp->fail(instr, "has another descriptor than the first warp of its warpgroup");
        return false;
      }
  if (Descriptor(bits).baseOffset == 0)
    return true;
  last.fail(instr, "expected a descriptor with base offset 0");
  return false;
}

bool Product::readChunk(Warp &warp, uint32_t address, Kind kind, float *elements) {
  const uint8_t *source = cta.sharedBytes(address, chunkBytes, chunkBytes);
  if (!source) {
    failShared(warp, instr, address, chunkBytes, chunkBytes);
    return false;
  }
  if (auto conflict = cta.shadow.read(access, -1, address - sharedBase, chunkBytes,
                                      warp.observer(/*async=*/true))) {
    warp.fail(instr, -1, "multiplies", *conflict);
    return false;
  }
  for (uint32_t i = 0; i < chunkBytes / bytes; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, source + i * bytes, bytes);
    elements[i] = toFloat(kind, bits);
  }
  return true;
}

/// Each warp reads its own rows.
bool Product::readA() {
  if (registerA) {
    for (uint32_t i = 0; i < groupWarps; ++i)
      unpackRows(*warps[i], a.offset, kindA, left + i * warpRows * k);
    return true;
  }
  uint64_t bits;
  if (!readDescriptor(a, bits))
    return false;
  Descriptor descriptor(bits);
  uint32_t perChunk = chunkBytes / bytes;
  float chunk[chunkBytes];
  if (!transposeA) {
    for (uint32_t row = 0; row < groupWarps * warpRows; ++row)
      for (uint32_t at = 0; at < 2; ++at)
        if (!readChunk(*warps[row / warpRows], descriptor.address(false, row, at * chunkBytes),
                       kindA, left + row * k + at * perChunk))
          return false;
    return true;
  }
  for (uint32_t at = 0; at < k; ++at)
    for (uint32_t row = 0; row < groupWarps * warpRows; row += perChunk) {
      if (!readChunk(*warps[row / warpRows], descriptor.address(true, row * bytes, at), kindA,
                     chunk))
        return false;
      for (uint32_t i = 0; i < perChunk; ++i)
        left[(row + i) * k + at] = chunk[i];
    }
  return true;
}

/// Every warp reads all of it: the knowledge of each is asked.
bool Product::readB() {
  uint64_t bits;
  if (!readDescriptor(b, bits))
    return false;
  Descriptor descriptor(bits);
  right.resize(size_t(k) * n);
  uint32_t perChunk = chunkBytes / bytes;
  float chunk[chunkBytes];
  auto read = [&](uint32_t address, float *elements) {
    return llvm::all_of(warps,
                        [&](Warp *warp) { return readChunk(*warp, address, kindB, elements); });
  };
  if (!transposeB) {
    for (uint32_t column = 0; column < n; ++column)
      for (uint32_t at = 0; at < 2; ++at) {
        if (!read(descriptor.address(false, column, at * chunkBytes), chunk))
          return false;
        for (uint32_t i = 0; i < perChunk; ++i)
          right[(at * perChunk + i) * n + column] = chunk[i];
      }
    return true;
  }
  for (uint32_t at = 0; at < k; ++at)
    for (uint32_t column = 0; column < n; column += perChunk)
      if (!read(descriptor.address(true, column * bytes, at), &right[at * n + column]))
        return false;
  return true;
}

/// Register 4j + r of lane l is row l/4 (+8 for r >= 2), column 8j + 2(l%4) + r%2.
void Product::multiply(Warp &warp, const float *rows) {
  const float *old = warp.words<float>(acc.offset);
  float *target = warp.words<float>(result.offset);
  float sums[256];
  for (uint32_t row = 0; row < warpRows; ++row) {
    auto word = [&](uint32_t column) {
      uint32_t reg = column / 8 * 4 + row / 8 * 2 + column % 2;
      return reg * kLanes + row % 8 * 4 + column % 8 / 2;
    };
    for (uint32_t column = 0; column < n; ++column)
      sums[column] = init ? 0.0f : old[word(column)];
    for (uint32_t at = 0; at < k; ++at) {
      float factor = rows[row * k + at];
      const float *values = &right[size_t(at) * n];
      for (uint32_t column = 0; column < n; ++column)
        sums[column] += factor * values[column];
    }
    for (uint32_t column = 0; column < n; ++column)
      target[word(column)] = sums[column];
  }
}

bool Product::run() {
  if (!checkRegisters())
    return false;
  access = cta.shadow.begin({cta.productAgent(last.group), last.products.open(),
                             groupWarps * last.group, /*async=*/true, instr.op});
  if (!readA() || !readB())
    return false;
  for (uint32_t i = 0; i < groupWarps; ++i) {
    multiply(*warps[i], left + i * warpRows * k);
    warps[i]->flight[result.id] = warps[i]->products.open();
    warps[i]->written[result.id] = 0;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// The warps of the group wait here for the last one; `generation` 1 says that it has come.
static Outcome runWgmma(Warp &warp, const Instr &instr) {
  Cta &cta = warp.cta;
  if (warp.waiting.generation == 1) {
    warp.waiting = {};
    return Outcome::next;
  }
  if (warp.mask != allLanes)
    return warp.fail(instr, "multiplies although not all of its lanes are here");
  if ((warp.group + 1) * groupWarps > cta.numWarps())
    return warp.fail(instr, "is in no complete warpgroup");
  if (!warp.waiting.arrived)
    cta.progress();
  warp.waiting = {true, 0, "for the other warps of its warpgroup at sm.wgmma"};
  for (uint32_t i = 0; i < groupWarps; ++i) {
    const Warp &other = *cta.warps[groupWarps * warp.group + i];
    if (other.ended || other.pc != warp.pc || !other.waiting.arrived ||
        other.waiting.generation == 1)
      return Outcome::blocked;
  }
  if (!Product(warp, instr).run())
    return Outcome::failed;
  for (uint32_t i = 0; i < groupWarps; ++i)
    cta.warps[groupWarps * warp.group + i]->waiting.generation = 1;
  cta.progress();
  warp.waiting = {};
  return Outcome::next;
}

static bool allHere(Warp &warp, const Instr &instr) {
  if (warp.mask == allLanes)
    return true;
  warp.fail(instr, "orders matrix products although not all of its lanes are here");
  return false;
}

/// Hands operands on to results, both in the list, operands first.
static void handOn(Warp &warp, const std::vector<Place> &list, bool wait, uint32_t finished) {
  size_t count = list.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    const Place &from = list[i], &to = list[count + i];
    std::memcpy(warp.words<uint8_t>(to.offset), warp.words<uint8_t>(from.offset),
                size_t(from.wordBytes()) * from.count * kLanes);
    uint32_t flight = warp.flight[from.id];
    warp.flight[to.id] = wait && flight <= finished ? 0 : flight;
    warp.written[to.id] = warp.written[from.id];
  }
}

static Outcome runFence(Warp &warp, const Instr &instr) {
  if (!allHere(warp, instr))
    return Outcome::failed;
  warp.fenced = warp.steps;
  handOn(warp, warp.cta.program.lists[instr.target], false, 0);
  return Outcome::next;
}

static Outcome runCommit(Warp &warp, const Instr &instr) {
  if (!allHere(warp, instr))
    return Outcome::failed;
  ++warp.products.closed;
  return Outcome::next;
}

static Outcome runWait(Warp &warp, const Instr &instr) {
  if (!allHere(warp, instr))
    return Outcome::failed;
  warp.waited = warp.steps;
  uint32_t finished = warp.products.finished(instr.imm);
  warp.knows.seen.raise(warp.cta.productAgent(warp.group), finished);
  handOn(warp, warp.cta.program.lists[instr.target], true, finished);
  return Outcome::next;
}

static uint32_t tiedList(Assembler &assembler, Operation *op) {
  SmallVector<Value> values(op->getOperands());
  llvm::append_range(values, op->getResults());
  return assembler.addList(values);
}

bool tilec::interp::assembleWgmma(Assembler &assembler, Operation *op) {
  if (auto wgmma = dyn_cast<sm::WgmmaOp>(op)) {
    uint32_t list =
        assembler.addList({wgmma.getAcc(), wgmma.getA(), wgmma.getB(), wgmma.getResult()});
    Instr &instr = assembler.emitAt(op, runWgmma);
    instr.target = list;
    instr.imm = static_cast<int64_t>(*kindOf(wgmma.getType())) | wgmma.getTransposeA() << 8 |
                wgmma.getTransposeB() << 9 | wgmma.getInit() << 10 |
                static_cast<int64_t>(*kindOf(wgmma.getElementB())) << 16;
    return true;
  }
  if (isa<sm::WgmmaFenceOp>(op)) {
    uint32_t list = tiedList(assembler, op);
    return assembler.emitAt(op, runFence).target = list, true;
  }
  if (auto opaque = dyn_cast<sm::OpaqueOp>(op))
    return assembler.emitCopies(op, {opaque.getValue()}, {opaque.getResult()}), true;
  if (auto behind = dyn_cast<sm::BehindOp>(op))
    return assembler.emitCopies(op, {behind.getValue()}, {behind.getResult()}), true;
  if (isa<sm::OrderOp, sm::ApartOp>(op))
    return true; // the interpreter keeps the order of the program anyway
  if (isa<sm::WgmmaCommitOp>(op))
    return assembler.emitAt(op, runCommit), true;
  if (auto wait = dyn_cast<sm::WgmmaWaitOp>(op)) {
    uint32_t list = tiedList(assembler, op);
    Instr &instr = assembler.emitAt(op, runWait);
    instr.target = list;
    instr.imm = static_cast<int64_t>(wait.getPending());
    return true;
  }
  return false;
}
