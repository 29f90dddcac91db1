//===- Memory.cpp - loads, stores, ldmatrix, stmatrix ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Memory.h"
#include "Assembler.h"
#include "tilec/Dialect/SM/IR/SM.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilec;
using namespace tilec::interp;

Outcome tilec::interp::failShared(Warp &warp, const Instr &instr, uint32_t address, uint32_t count,
                                  uint32_t alignment) {
  return warp.fail(instr, "expected a multiple of " + llvm::Twine(alignment) + " and " +
                              llvm::Twine(count) + " bytes inside the " +
                              llvm::Twine(warp.cta.program.sharedBytes) +
                              " bytes of shared memory, found byte " +
                              llvm::Twine(static_cast<int64_t>(address) - sharedBase));
}

Outcome tilec::interp::failGlobal(Warp &warp, const Instr &instr, uint64_t address, uint64_t count,
                                  bool write) {
  return warp.fail(instr, llvm::Twine(write ? "writes " : "reads ") + llvm::Twine(count) +
                              " bytes at " + warp.cta.describeGlobal(address, count, write));
}

namespace {
/// The active lanes of one execution of an instruction on shared memory.
class SharedAccess {
public:
  SharedAccess(Warp &warp, const Instr &instr)
      : warp(warp), instr(instr), access(warp.cta.shadow.begin(warp.access(instr.op))) {}

  /// The bytes, or null after a report.
  uint8_t *bytes(uint32_t lane, uint32_t address, uint32_t count, bool write) {
    uint8_t *result = warp.cta.sharedBytes(address, count, count);
    if (!result) {
      failShared(warp, instr, address, count, count);
      return nullptr;
    }
    Shadow &shadow = warp.cta.shadow;
    int who = static_cast<int>(lane);
    Observer observer = warp.observer(/*async=*/false);
    auto conflict = write ? shadow.write(access, who, address - sharedBase, count, observer)
                          : shadow.read(access, who, address - sharedBase, count, observer);
    if (!conflict)
      return result;
    warp.fail(instr, who, write ? "writes" : "reads", *conflict);
    return nullptr;
  }

private:
  Warp &warp;
  const Instr &instr;
  uint32_t access;
};
} // namespace

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Lists hold the place of the value and of the address; `imm` are the bytes.
template <bool write> static Outcome runShared(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const uint32_t *address = warp.words<uint32_t>(list[1].offset);
  auto count = static_cast<uint32_t>(instr.imm);
  SharedAccess access(warp, instr);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    uint8_t *bytes = access.bytes(lane, address[lane], count, write);
    if (!bytes)
      return Outcome::failed;
    if (write)
      packLane(warp, list[0], lane, bytes);
    else
      unpackLane(warp, list[0], lane, bytes);
  }
  return Outcome::next;
}

namespace {
/// The active lanes of one execution of an instruction on global memory. What may be written is
/// watched for races between the threads of the CTA.
class GlobalAccess {
public:
  GlobalAccess(Warp &warp, const Instr &instr) : warp(warp), instr(instr) {}

  /// The bytes, or null after a report.
  uint8_t *bytes(uint32_t lane, uint64_t address, uint64_t count, bool write) {
    char *result = warp.cta.globalBytes(warp, address, count, write);
    if (!result) {
      failGlobal(warp, instr, address, count, write);
      return nullptr;
    }
    if (address % count != 0) {
      warp.fail(instr, "expected an address that is a multiple of " + llvm::Twine(count) +
                           ", found byte " + llvm::Twine(address % count) + " of one");
      return nullptr;
    }
    const GlobalBuffer &buffer = *warp.recent;
    if (buffer.writable && !watch(buffer, lane, address, count, write))
      return nullptr;
    return reinterpret_cast<uint8_t *>(result);
  }

private:
  /// What nobody has written is what the launch brought.
  bool watch(const GlobalBuffer &buffer, uint32_t lane, uint64_t address, uint64_t count,
             bool write) {
    Shadow &shadow = warp.cta.shadowOf(buffer);
    if (last != &buffer) {
      access = shadow.begin(warp.access(instr.op));
      last = &buffer;
    }
    uint64_t first = address - reinterpret_cast<uint64_t>(buffer.data);
    int who = static_cast<int>(lane);
    Observer observer = warp.observer(/*async=*/false);
    auto conflict = write ? shadow.write(access, who, first, count, observer)
                          : shadow.read(access, who, first, count, observer);
    if (!conflict || conflict->kind == Conflict::Kind::uninitialised)
      return true;
    warp.fail(instr, who, write ? "writes" : "reads", *conflict, &buffer);
    return false;
  }

  Warp &warp;
  const Instr &instr;
  const GlobalBuffer *last = nullptr;
  uint32_t access = 0;
};
} // namespace

template <bool write> static Outcome runGlobal(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const uint64_t *address = warp.words<uint64_t>(list[1].offset);
  GlobalAccess access(warp, instr);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    if (!warp.isActive(lane))
      continue;
    uint8_t *bytes = access.bytes(lane, address[lane], static_cast<uint64_t>(instr.imm), write);
    if (!bytes)
      return Outcome::failed;
    if (write)
      packLane(warp, list[0], lane, bytes);
    else
      unpackLane(warp, list[0], lane, bytes);
  }
  return Outcome::next;
}

/// `a` the registers, `b` the addresses, `count` the matrices, `imm` 1 to transpose. Element (row,
/// column) of a matrix is in lane 4 * row + column / 2, half column % 2; transposed the other way.
template <bool write> static Outcome runMatrix(Warp &warp, const Instr &instr) {
  if (warp.mask != allLanes)
    return warp.fail(instr, "moves matrices although not all of its lanes are here");
  const uint32_t *address = warp.words<uint32_t>(instr.b);
  uint32_t *registers = warp.words<uint32_t>(instr.a);
  SharedAccess access(warp, instr);
  for (uint32_t matrix = 0; matrix < instr.count; ++matrix)
    for (uint32_t row = 0; row < 8; ++row) {
      uint32_t lane = 8 * matrix + row;
      uint8_t *bytes = access.bytes(lane, address[lane], 16, write);
      if (!bytes)
        return Outcome::failed;
      for (uint32_t column = 0; column < 8; ++column) {
        uint32_t r = instr.imm ? column : row, c = instr.imm ? row : column;
        uint32_t *word = registers + matrix * kLanes + 4 * r + c / 2;
        auto *half = reinterpret_cast<uint8_t *>(word) + 2 * (c % 2);
        if (write)
          std::memcpy(bytes + 2 * column, half, 2);
        else
          std::memcpy(half, bytes + 2 * column, 2);
      }
    }
  return Outcome::next;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

static bool emitAccess(Assembler &assembler, Operation *op, Value value, Value address,
                       Instr::Handler run) {
  Place place = assembler.place(value);
  Instr &instr = assembler.emitAt(op, run);
  instr.target = assembler.addList({value, address});
  instr.imm = place.count * storedBytes(place.kind);
  return true;
}

static bool emitMatrix(Assembler &assembler, Operation *op, Value registers, Value address,
                       bool transpose, Instr::Handler run) {
  Place place = assembler.place(registers);
  Instr &instr = assembler.emitAt(op, run);
  instr.a = place.offset;
  instr.b = assembler.place(address).offset;
  instr.count = place.count;
  instr.imm = transpose;
  return true;
}

bool tilec::interp::assembleMemory(Assembler &assembler, Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](sm::LoadSharedOp o) {
        return emitAccess(assembler, op, o.getResult(), o.getAddress(), runShared<false>);
      })
      .Case([&](sm::StoreSharedOp o) {
        return emitAccess(assembler, op, o.getValue(), o.getAddress(), runShared<true>);
      })
      .Case([&](sm::LoadGlobalOp o) {
        return emitAccess(assembler, op, o.getResult(), o.getAddress(), runGlobal<false>);
      })
      .Case([&](sm::StoreGlobalOp o) {
        return emitAccess(assembler, op, o.getValue(), o.getAddress(), runGlobal<true>);
      })
      .Case([&](sm::LdmatrixOp o) {
        return emitMatrix(assembler, op, o.getResult(), o.getAddress(), o.getTranspose(),
                          runMatrix<false>);
      })
      .Case([&](sm::StmatrixOp o) {
        return emitMatrix(assembler, op, o.getValue(), o.getAddress(), o.getTranspose(),
                          runMatrix<true>);
      })
      .Default(false);
}
