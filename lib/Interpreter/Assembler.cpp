//===- Assembler.cpp - from a function's IR to a program ------------------===//
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//
#include "Assembler.h"

#include "tilec/Dialect/SM/IR/SM.h"
#include "tilec/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tilec::interp;

/// Places start at multiples of a cache line.
static constexpr uint32_t placeAlignment = 64;

Place Assembler::temporary(Kind kind, uint32_t count) {
  Place result{program.registerBytes, count, kind, program.numValues++};
  program.registerBytes += llvm::alignTo(kLanes * count * result.wordBytes(), placeAlignment);
  return result;
}

Place Assembler::place(Value value) {
  auto found = places.find(value);
  if (found != places.end())
    return found->second;
  uint32_t count = 1;
  Type type = value.getType();
  if (auto vector = dyn_cast<VectorType>(type)) {
    count = static_cast<uint32_t>(vector.getNumElements());
    type = vector.getElementType();
  }
  // Tensor maps are numbers; other types were refused by checkTypes.
  Kind kind = kindOf(type).value_or(Kind::I32);
  return places[value] = temporary(kind, count);
}

Instr &Assembler::emitAt(Operation *op, Instr::Handler run) {
  Instr instr;
  instr.run = run;
  instr.op = op;
  program.code.push_back(instr);
  return program.code.back();
}

Instr &Assembler::emit(Operation *op, Instr::Handler run) {
  Place none, operands[3] = {none, none, none}, result;
  for (unsigned i = 0; i < std::min(3u, op->getNumOperands()); ++i)
    operands[i] = place(op->getOperand(i));
  if (op->getNumResults() > 0)
    result = place(op->getResult(0));
  else
    result.count = operands[0].count;
  Instr &instr = emitAt(op, run);
  instr.a = operands[0].offset;
  instr.b = operands[1].offset;
  instr.c = operands[2].offset;
  instr.dst = result.offset;
  instr.count = result.count;
  return instr;
}

uint32_t Assembler::addList(ValueRange values) {
  std::vector<Place> list;
  for (Value value : values)
    list.push_back(place(value));
  program.lists.push_back(std::move(list));
  return static_cast<uint32_t>(program.lists.size() - 1);
}

uint32_t Assembler::addTable(std::vector<uint32_t> table) {
  program.tables.push_back(std::move(table));
  return static_cast<uint32_t>(program.tables.size() - 1);
}

void Assembler::emitCopies(Operation *op, ArrayRef<Value> from, ArrayRef<Value> to) {
  // A source that is also a target is read before anything is written.
  std::vector<Copy> first, direct, last;
  for (auto [source, target] : llvm::zip_equal(from, to)) {
    if (source == target)
      continue;
    Copy copy{place(source), place(target)};
    if (!llvm::is_contained(to, source)) {
      direct.push_back(copy);
      continue;
    }
    Place between = temporary(copy.from.kind, copy.from.count);
    first.push_back({copy.from, between});
    last.push_back({between, copy.to});
  }
  llvm::append_range(first, direct);
  llvm::append_range(first, last);
  if (first.empty())
    return;
  program.copies.push_back(std::move(first));
  emitAt(op, runCopies).target = static_cast<uint32_t>(program.copies.size() - 1);
}

LogicalResult Assembler::checkTypes(Operation *op) {
  auto hasModel = [](Type type) {
    if (auto vector = dyn_cast<VectorType>(type))
      type = vector.getElementType();
    return isa<sm::TensorMapType>(type) || kindOf(type).has_value();
  };
  for (Type type : llvm::concat<const Type>(llvm::to_vector(op->getOperandTypes()),
                                            llvm::to_vector(op->getResultTypes())))
    if (!hasModel(type))
      return op->emitError() << "expected a type that the interpreter has, found " << type;
  return success();
}

LogicalResult Assembler::assembleOp(Operation *op) {
  if (failed(checkTypes(op)))
    return failure();
  checkLanded(op);
  if (std::optional<LogicalResult> control = assembleControl(*this, op)) {
    if (failed(*control))
      return failure();
  } else if (!assembleArith(*this, op) && !assembleFloat(*this, op) && !assembleVector(*this, op) &&
             !assembleWarp(*this, op) && !assembleMemory(*this, op) && !assembleAtomic(*this, op) &&
             !assembleAsyncCopy(*this, op) && !assembleTma(*this, op) &&
             !assembleMatrix(*this, op) && !assembleWgmma(*this, op) &&
             !assembleBarrier(*this, op) && !assembleDebug(*this, op)) {
    return op->emitError() << "the interpreter has no model of '" << op->getName() << "'";
  }
  stampResult(op);
  return success();
}

/// Operations that only name registers anew, so that writing them happened before.
static bool movesRegisters(Operation *op) {
  return isa<arith::BitcastOp>(op) ||
         (isa<vector::VectorDialect>(op->getDialect()) && !isa<vector::BroadcastOp>(op));
}

/// Notes when the registers of an operand of wgmma were written.
void Assembler::stampResult(Operation *op) {
  if (isa<sm::WgmmaOp, sm::WgmmaFenceOp, sm::WgmmaWaitOp>(op) || op->getNumRegions() != 0 ||
      op->getNumResults() != 1 || !operandsOfWgmma.contains(op->getResult(0)))
    return;
  uint32_t sources = movesRegisters(op) ? addList(op->getOperands()) : ~0u;
  Instr &instr = emitAt(op, runStamp);
  instr.dst = place(op->getResult(0)).id;
  instr.target = sources;
}

LogicalResult Assembler::assembleBlock(Block &block) {
  for (Operation &op : block)
    if (failed(assembleOp(&op)))
      return failure();
  return success();
}

/// The values that a region's argument or result takes over, and the other way round.
static void forEachCopy(Operation *op, llvm::function_ref<void(Value from, Value to)> body) {
  auto all = [&](ValueRange from, ValueRange to) {
    for (auto [source, target] : llvm::zip(from, to))
      body(source, target);
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    all(loop.getInitArgs(), loop.getRegionIterArgs());
    all(loop.getRegionIterArgs(), loop.getResults());
    all(loop.getYieldedValues(), loop.getRegionIterArgs());
  } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
    for (Region &region : branch->getRegions())
      if (!region.empty())
        all(region.front().getTerminator()->getOperands(), branch.getResults());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    all(loop.getInits(), loop.getBeforeArguments());
    all(loop.getConditionOp().getArgs(), loop.getAfterArguments());
    all(loop.getConditionOp().getArgs(), loop.getResults());
    all(loop.getYieldOp().getOperands(), loop.getBeforeArguments());
  } else if (isa<sm::WgmmaFenceOp, sm::WgmmaWaitOp>(op)) {
    all(op->getOperands(), op->getResults());
  }
}

void Assembler::findMatrixRegisters(func::FuncOp kernel) {
  kernel.walk([&](sm::WgmmaOp op) {
    inFlight.insert(op.getResult());
    operandsOfWgmma.insert(op.getAcc());
    if (op.hasRegisterA())
      operandsOfWgmma.insert(op.getA());
  });
  for (size_t before = 0; before != inFlight.size() + operandsOfWgmma.size();) {
    before = inFlight.size() + operandsOfWgmma.size();
    kernel.walk([&](Operation *op) {
      if (movesRegisters(op) && llvm::any_of(op->getResults(), [&](Value result) {
            return operandsOfWgmma.contains(result);
          }))
        operandsOfWgmma.insert(op->operand_begin(), op->operand_end());
      forEachCopy(op, [&](Value from, Value to) {
        if (inFlight.contains(from))
          inFlight.insert(to);
        if (operandsOfWgmma.contains(to))
          operandsOfWgmma.insert(from);
      });
    });
  }
}

/// Code that may read an accumulator in flight asks first whether it has landed.
void Assembler::checkLanded(Operation *op) {
  if (inFlight.empty() || isa<sm::WgmmaFenceOp, sm::WgmmaWaitOp, scf::ForOp, scf::WhileOp,
                              scf::YieldOp, scf::ConditionOp>(op))
    return;
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    bool isAccumulator = isa<sm::WgmmaOp>(op) && index == 0;
    if (!isAccumulator && inFlight.contains(operand))
      emitAt(op, runCheckLanded).target = place(operand).id;
  }
}

static int64_t integerAttribute(Operation *op, StringRef name, int64_t absent) {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : absent;
}

LogicalResult Assembler::assemble(func::FuncOp kernel) {
  if (kernel.isDeclaration() || !kernel->hasAttr(tile::TileDialect::numWarpsAttrName))
    return kernel.emitError() << "expected a kernel with a body and the attribute '"
                              << tile::TileDialect::numWarpsAttrName << "'";
  int64_t warps = integerAttribute(kernel, tile::TileDialect::numWarpsAttrName, 1) +
                  integerAttribute(kernel, "tile.producer_warps", 0);
  int64_t bytes = integerAttribute(kernel, tile::TileDialect::sharedBytesAttrName, 0);
  if (warps < 1 || warps > 32 || bytes < 0 || bytes > 232448)
    return kernel.emitError()
           << "expected 1 to 32 warps and at most 232448 bytes of shared memory, "
              "found "
           << warps << " and " << bytes;
  program.name = kernel.getName().str();
  program.numWarps = static_cast<uint32_t>(warps);
  program.sharedBytes = static_cast<uint32_t>(bytes);
  findMatrixRegisters(kernel);
  for (BlockArgument argument : kernel.getArguments()) {
    bool isMap = isa<sm::TensorMapType>(argument.getType());
    if (!isMap && !kindOf(argument.getType()))
      return kernel.emitError() << "expected scalars and tensor maps as parameters, found "
                                << argument.getType();
    program.arguments.push_back(place(argument));
    program.isMap.push_back(isMap);
  }
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError("expected structured control flow, found several blocks");
  if (failed(assembleBlock(kernel.getBody().front())))
    return failure();
  emitAt(kernel, runEnd);
  return success();
}
