//===- Vector.cpp - elements moved between vectors ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Apart from bit casts every operation takes each element of its result from one element of its
// operands: a table.
//===----------------------------------------------------------------------===//
#include "Assembler.h"
#include "Values.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilec::interp;

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

/// Byte offsets in the warp's registers of the words that the result's elements take, in table
/// `target`; `imm` bytes each.
static Outcome runGather(Warp &warp, const Instr &instr) {
  const std::vector<uint32_t> &table = warp.cta.program.tables[instr.target];
  size_t bytes = static_cast<size_t>(instr.imm) * kLanes;
  uint8_t *target = warp.words<uint8_t>(instr.dst);
  for (uint32_t source : table) {
    std::memcpy(target, warp.words<uint8_t>(source), bytes);
    target += bytes;
  }
  return Outcome::next;
}

/// Lists hold the place of the operand and of the result.
static Outcome runBitcast(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  std::vector<uint8_t> bytes(size_t(list[0].count) * list[0].wordBytes());
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    packLane(warp, list[0], lane, bytes.data());
    unpackLane(warp, list[1], lane, bytes.data());
  }
  return Outcome::next;
}

/// vector.extract and vector.insert with a position that is a value: list of vector, position,
/// result, and for an insertion the element.
static Outcome runDynamic(Warp &warp, const Instr &instr) {
  const std::vector<Place> &list = warp.cta.program.lists[instr.target];
  const Place &vector = list[0], &position = list[1], &result = list[2];
  bool inserts = list.size() == 4;
  uint32_t bytes = result.wordBytes();
  if (inserts)
    std::memcpy(warp.words<uint8_t>(result.offset), warp.words<uint8_t>(vector.offset),
                size_t(bytes) * kLanes * vector.count);
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    uint64_t at = readWord(warp, position.offset, position.wordBytes(), lane);
    if (at >= vector.count) {
      if (warp.isActive(lane))
        return warp.fail(instr, "takes element " + llvm::Twine(at) + " of a vector of " +
                                    llvm::Twine(vector.count));
      continue;
    }
    size_t word = at * kLanes + lane;
    if (inserts)
      writeWord(warp, result.offset, bytes, word, readWord(warp, list[3].offset, bytes, lane));
    else
      writeWord(warp, result.offset, bytes, lane, readWord(warp, vector.offset, bytes, word));
  }
  return Outcome::next;
}

//===----------------------------------------------------------------------===//
// Assembly
//===----------------------------------------------------------------------===//

namespace {
/// Collects where the elements of a result come from.
class Gather {
public:
  Gather(Assembler &assembler, Operation *op) : assembler(assembler), op(op) {}

  void take(Value from, uint32_t element) {
    Place source = assembler.place(from);
    offsets.push_back(source.offset + element * kLanes * source.wordBytes());
  }
  void takeAll(Value from) {
    for (uint32_t i = 0; i < assembler.place(from).count; ++i)
      take(from, i);
  }
  bool emit(Value result) {
    Place place = assembler.place(result);
    Instr &instr = assembler.emitAt(op, runGather);
    instr.dst = place.offset;
    instr.imm = place.wordBytes();
    instr.target = assembler.addTable(offsets);
    return true;
  }

  std::vector<uint32_t> offsets;

private:
  Assembler &assembler;
  Operation *op;
};
} // namespace

/// The number of an element, row-major.
static uint32_t linear(VectorType type, ArrayRef<int64_t> position) {
  int64_t result = 0;
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    result = result * extent + (axis < position.size() ? position[axis] : 0);
  return static_cast<uint32_t>(result);
}

static bool assembleExtract(Assembler &assembler, vector::ExtractOp op) {
  Value source = op.getSource();
  if (op.getNumOperands() > 1) {
    Instr &instr = assembler.emitAt(op, runDynamic);
    instr.target = assembler.addList({source, op.getDynamicPosition().front(), op.getResult()});
    return op.getSourceVectorType().getRank() == 1;
  }
  Gather gather(assembler, op);
  uint32_t first = linear(op.getSourceVectorType(), op.getStaticPosition());
  for (uint32_t i = 0; i < assembler.place(op.getResult()).count; ++i)
    gather.take(source, first + i);
  return gather.emit(op.getResult());
}

static bool assembleInsert(Assembler &assembler, vector::InsertOp op) {
  if (op.getNumOperands() > 2) {
    Instr &instr = assembler.emitAt(op, runDynamic);
    instr.target = assembler.addList(
        {op.getDest(), op.getDynamicPosition().front(), op.getResult(), op.getValueToStore()});
    return op.getDestVectorType().getRank() == 1;
  }
  Gather gather(assembler, op);
  gather.takeAll(op.getDest());
  uint32_t first = linear(op.getDestVectorType(), op.getStaticPosition());
  Gather part(assembler, op);
  part.takeAll(op.getValueToStore());
  llvm::copy(part.offsets, gather.offsets.begin() + first);
  return gather.emit(op.getResult());
}

/// A position of -1 is poison: any element will do.
static bool assembleShuffle(Assembler &assembler, vector::ShuffleOp op) {
  Gather gather(assembler, op);
  auto first = static_cast<int64_t>(assembler.place(op.getV1()).count);
  for (int64_t at : op.getMask()) {
    bool second = at >= first;
    gather.take(second ? op.getV2() : op.getV1(),
                static_cast<uint32_t>(std::max<int64_t>(0, second ? at - first : at)));
  }
  return gather.emit(op.getResult());
}

static bool assembleBroadcast(Assembler &assembler, vector::BroadcastOp op) {
  Gather gather(assembler, op);
  uint32_t from = assembler.place(op.getSource()).count;
  if (from != 1 && op.getResultVectorType().getRank() != 1 &&
      cast<VectorType>(op.getSource().getType()).getShape().back() !=
          op.getResultVectorType().getShape().back())
    return false; // stretches an inner axis
  for (uint32_t i = 0; i < assembler.place(op.getResult()).count; ++i)
    gather.take(op.getSource(), i % from);
  return gather.emit(op.getResult());
}

static bool assembleSlice(Assembler &assembler, vector::ExtractStridedSliceOp op) {
  if (op.getSourceVectorType().getRank() != 1 || op.hasNonUnitStrides())
    return false;
  Gather gather(assembler, op);
  auto first = cast<IntegerAttr>(op.getOffsets()[0]).getInt();
  for (uint32_t i = 0; i < assembler.place(op.getResult()).count; ++i)
    gather.take(op.getSource(), static_cast<uint32_t>(first) + i);
  return gather.emit(op.getResult());
}

static bool assembleInsertSlice(Assembler &assembler, vector::InsertStridedSliceOp op) {
  if (op.getDestVectorType().getRank() != 1 || op.hasNonUnitStrides())
    return false;
  Gather gather(assembler, op), part(assembler, op);
  gather.takeAll(op.getDest());
  part.takeAll(op.getValueToStore());
  llvm::copy(part.offsets, gather.offsets.begin() + cast<IntegerAttr>(op.getOffsets()[0]).getInt());
  return gather.emit(op.getResult());
}

static bool assembleToElements(Assembler &assembler, vector::ToElementsOp op) {
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Gather gather(assembler, op);
    gather.take(op.getSource(), static_cast<uint32_t>(index));
    gather.emit(result);
  }
  return true;
}

static bool assembleBitcast(Assembler &assembler, Operation *op) {
  assembler.emitAt(op, runBitcast).target =
      assembler.addList({op->getOperand(0), op->getResult(0)});
  return true;
}

bool tilec::interp::assembleVector(Assembler &assembler, Operation *op) {
  if (auto gather = dyn_cast<vector::FromElementsOp>(op)) {
    Gather elements(assembler, op);
    for (Value element : gather.getElements())
      elements.take(element, 0);
    return elements.emit(gather.getResult());
  }
  if (isa<vector::ShapeCastOp>(op)) {
    Gather same(assembler, op);
    same.takeAll(op->getOperand(0));
    return same.emit(op->getResult(0));
  }
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](vector::ExtractOp o) { return assembleExtract(assembler, o); })
      .Case([&](vector::InsertOp o) { return assembleInsert(assembler, o); })
      .Case([&](vector::ShuffleOp o) { return assembleShuffle(assembler, o); })
      .Case([&](vector::BroadcastOp o) { return assembleBroadcast(assembler, o); })
      .Case([&](vector::ExtractStridedSliceOp o) { return assembleSlice(assembler, o); })
      .Case([&](vector::InsertStridedSliceOp o) { return assembleInsertSlice(assembler, o); })
      .Case([&](vector::ToElementsOp o) { return assembleToElements(assembler, o); })
      .Case([&](vector::BitCastOp) { return assembleBitcast(assembler, op); })
      .Default(false);
}
